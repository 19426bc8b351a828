"""What must hold, as named properties; strategies that generate decision graphs; the one search, and seeded bugs for it."""
