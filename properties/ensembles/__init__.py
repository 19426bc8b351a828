"""Properties of the judges of ensembles, on generated ensembles, and seeded bugs that they have to catch."""
