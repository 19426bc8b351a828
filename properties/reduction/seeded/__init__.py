"""Seeded bugs of the reduction and of its solvers: routes that are wrong on purpose, each by a step of one method."""
