"""Seeded bugs of the judges of ensembles: routes that are wrong on purpose, each by one step."""
