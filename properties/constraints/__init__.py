"""Properties under constraints: of the constraint, the explainer's routes, the judges' routes and the verdicts."""
