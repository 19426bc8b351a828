"""The gate: explainers, ours too, are asked, what they claim is judged, and what is wrong is shown with evidence."""
