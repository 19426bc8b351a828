"""Claims, what explainers say of a prediction, and the verdicts of the oracles on them with their evidence."""
