"""The check: the gate on our own explainer, at every instance, with what the paper's tables count of it."""
