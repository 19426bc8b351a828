"""Running properties: on generated cases by Hypothesis, on kept ones, in one process or several."""
