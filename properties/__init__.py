"""Named properties of what must hold; strategies that generate decision graphs; the one search, and seeded bugs for it."""
