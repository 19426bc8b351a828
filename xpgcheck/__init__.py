"""A referee for formal explainers of graph-based classifiers."""

__version__ = "0.1.0"
