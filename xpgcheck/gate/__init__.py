"""The gate: other implementations are asked, what they claim is judged, and what is wrong is shown with evidence."""
