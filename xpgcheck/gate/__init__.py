"""The gate: explainers are asked, others and our own, what they claim is judged, and what is wrong is shown with evidence."""
