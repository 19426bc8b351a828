"""The explainer: explanation graphs and the paper's algorithms on them, trees, membership."""
