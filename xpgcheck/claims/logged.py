"""Lines of a log that claims an XP without the words of claims files: the instance, its class, the features of the XP.

.. code-block:: json

    {"instance": ["0.0", "1.0"], "class": 0, "axp": [1]}
    {"instance": ["0.0", "1.0"], "class": 0, "cxp": [0], "witness": ["1.0", "1.0"]}

Features are indices from 0, or names.  ``class`` may be left out, and so may the ``witness`` of a CXp: a point of another
class that differs from the instance only there.  ``model`` and ``id`` are those of claims files.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from xpgcheck.errors import FormatError
from xpgcheck.judging.claim import ClaimKind
from xpgcheck.readers.json_records import NumberText


class LoggedRecord(msgspec.Struct, forbid_unknown_fields=True):
    """A line as it is written; numbers with a fraction or an exponent are kept as they are."""

    instance: dict[str, Any] | list[Any]
    class_name: str | int | UnsetType = msgspec.field(name="class", default=UNSET)
    axp: list[str | int] | UnsetType = UNSET
    cxp: list[str | int] | UnsetType = UNSET
    witness: dict[str, Any] | list[Any] | UnsetType = UNSET
    model: str | None = None
    id: str | int | None = None

    def kind(self) -> ClaimKind:
        """Return what the line claims.  Raises ``FormatError`` where it claims two things, or brings a witness of an AXp."""
        if self.axp is not UNSET and self.cxp is not UNSET:
            raise FormatError("'axp' and 'cxp' in one line", mend="write a line for each")
        if self.axp is not UNSET and self.witness is not UNSET:
            raise FormatError("'witness' in a line about an AXp", mend="leave it out")
        return ClaimKind.AXP if self.cxp is UNSET else ClaimKind.CXP


class _Keys(msgspec.Struct):
    claim: Any = UNSET
    axp: Any = UNSET
    cxp: Any = UNSET


DECODER = msgspec.json.Decoder(LoggedRecord, float_hook=NumberText)
_KEYS = msgspec.json.Decoder(_Keys, float_hook=NumberText)


def is_logged(line: bytes) -> bool:
    """Tell whether *line* is one of a log: an object with the key ``axp`` or ``cxp`` and without ``claim``."""
    if b'"axp"' not in line and b'"cxp"' not in line:
        return False
    try:
        keys = _KEYS.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError):
        # Not whole; the decoder says why.
        return b'"claim"' not in line
    return keys.claim is UNSET and (keys.axp is not UNSET or keys.cxp is not UNSET)
