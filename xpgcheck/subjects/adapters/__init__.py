"""Published explainers as subjects: each module needs the package that it adapts, and imports it only when asked."""
