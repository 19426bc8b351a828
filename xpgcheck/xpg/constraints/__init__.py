"""Explanations under constraints: the graph of what can occur, and its product with a decision graph."""
