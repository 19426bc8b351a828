"""Properties of the reduction from MUS membership to prime implicant membership, over generated formulas."""
