"""Text for XML files, whatever it holds."""

from __future__ import annotations

import re

from xpgcheck.errors import printable


def xml_text(text: str) -> str:
    """Return *text* without the characters that XML 1.0 does not allow, or that nobody can see: each becomes U+FFFD."""
    parts = re.split("([\n\t])", text)
    return "".join(part if part in "\n\t" else printable(part, "\ufffd") for part in parts)
