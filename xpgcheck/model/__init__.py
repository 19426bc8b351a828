"""The model: domains, value sets, points and decision graphs; exact, immutable, validated."""
