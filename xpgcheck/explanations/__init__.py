"""Explanations for people: every AXp and CXp of one prediction in words, with closest changes and each feature's role.

Nothing here decides what an explanation is; that is :mod:`xpgcheck.xpg`'s business.
"""
