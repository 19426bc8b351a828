"""A referee for formal explainers of graph-based classifiers."""
