"""The explainer of ensembles: one question, put to a solver or to boxes, and the paper's algorithms on its answers."""
