"""Explanation graphs and the paper's algorithms on them."""
