"""What must hold of the judges of ensembles: properties on generated ensembles, and seeded bugs that they have to catch."""
