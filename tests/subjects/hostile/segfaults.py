"""Reads from address 0, as a library of C with a bug does."""

import ctypes

from talk import converse

converse(lambda question: ctypes.string_at(0))
