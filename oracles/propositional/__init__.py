"""Judges of propositional claims: CNF and DNF, MUSes and MCSes, prime implicants, membership by 2QBF."""
