"""What must hold of every explainer, and Hypothesis strategies that generate decision graphs."""
