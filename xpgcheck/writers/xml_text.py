"""Text for XML files, whatever it holds."""

from __future__ import annotations


def xml_text(text: str) -> str:
    """Return *text* without the characters that XML 1.0 does not allow, or that nobody can see: each becomes U+FFFD."""
    return "".join(c if c in "\n\t" or (c.isprintable() and c not in "\ufffe\uffff") else "\ufffd" for c in text)
