"""Published explainers as subjects: a module imports the package that it adapts only when asked; the rest needs none."""
