"""The cross-check: every XP by graph traversal, judged by the oracles."""
