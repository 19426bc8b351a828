"""From claims to verdicts with evidence: the panel of oracles, what is believed of their answers, and what follows."""
