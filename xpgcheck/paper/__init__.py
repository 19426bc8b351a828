"""The research wing: every claim of the paper with evidence and its limits; every small graph, proofs for all graphs of a
size, Tables 1 and 2, membership at scale, and what Proposition 7 needs (``xpgcheck paper``).
"""
