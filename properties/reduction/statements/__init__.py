"""The properties of the reduction, a module for each thing that they are about."""
