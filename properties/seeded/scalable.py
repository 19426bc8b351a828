"""A textbook explainer that takes large graphs: correct, and meant to be mutated."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from xpgcheck.properties.seeded.textbook import Features, Textbook, Xpg


class Scalable(Textbook):
    """The textbook's, but for its enumeration: CXps are minimal sets freed on paths, AXps their minimal hitting sets."""

    kind = ""

    @classmethod
    def words(cls) -> str:
        """Return the words that the name of the class is made of."""
        return "-".join(re.findall("[A-Z][a-z]*", cls.__name__)).lower()

    def xps(self, xpg: Xpg) -> Iterator[tuple[str, Features]]:
        """Yield all XPs, CXps first."""
        cxps = self.all_cxps(xpg)
        for cxp in cxps:
            yield "CXp", cxp
        for axp in hitting_sets(cxps):
            yield "AXp", axp

    def all_cxps(self, xpg: Xpg) -> list[Features]:
        """Return all CXps."""
        freed = self.freed_on_paths(xpg)
        return self.minimal([s for node in xpg.zeros for s in freed[node]])[0]

    def is_member(self, xpg: Xpg, feature: int) -> bool:
        """Tell whether *feature* is in a CXp."""
        return any(feature in cxp for cxp in self.all_cxps(xpg))


def hitting_sets(family: list[Features]) -> list[Features]:
    """Return the minimal sets that share a feature with each of *family*, by multiplying it out; masks for speed."""
    found = [0]
    for members in family:
        mask = sum(1 << i for i in members)
        hit = [one for one in found if one & mask]
        longer = {one | 1 << i for one, i in itertools.product((one for one in found if not one & mask), members)}
        kept = hit.copy()
        kept += [one for one in sorted(longer, key=int.bit_count) if not any(other & one == other for other in hit)]
        found = kept
    return [frozenset(i for i in range(mask.bit_length()) if mask >> i & 1) for mask in found]
