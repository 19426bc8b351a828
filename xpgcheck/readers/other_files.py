"""Files that are taken for models and are not: recognised, so that the error says what they are and what to save instead."""

from __future__ import annotations

import re
from typing import NamedTuple

from xpgcheck.errors import FormatError
from xpgcheck.readers.formats import Content


class OtherFile(NamedTuple):
    """A kind of file that is not read: how it begins or is called, what it is, and what to save instead."""

    start: re.Pattern[bytes]
    problem: str
    mend: str
    extensions: tuple[str, ...] = ()


_XGBOOST_MEND = "write the model with save_model('model.json')"

OTHER_FILES = (
    OtherFile(
        re.compile(rb'(\[\s*)?\{\s*"(nodeid|leaf)"\s*:'),
        "this is XGBoost's dump of trees (dump_model, get_dump), which has neither the objective nor the base score",
        _XGBOOST_MEND,
    ),
    OtherFile(
        re.compile(rb"booster\[\d+\]:\s|0:(\[[^\n]+\] yes=\d+,no=\d+|leaf=\S+\s)"),
        "this is XGBoost's dump of trees as text (dump_model, get_dump), which has neither the objective nor the base score",
        _XGBOOST_MEND,
    ),
    OtherFile(re.compile(rb"binf"), "this is XGBoost's old binary format", _XGBOOST_MEND),
    OtherFile(
        re.compile(rb"(c [^\n]*\n)*(nnf \d+ \d+ \d+\s|[oatf] \d+( \d+)*\r?\n)"),
        "this is a d-DNNF, as c2d and d4 write it: its nodes are conjunctions and disjunctions, not tests of features",
        "compile the formula into an OBDD with dd, and write that with bdd.dump('model.json', roots=…)",
        (".dnnf", ".nnf"),
    ),
)


def refuse_other_files(content: Content) -> None:
    """Raise ``FormatError`` where *content* is known not to be a model that is read."""
    for other in OTHER_FILES:
        if content.ending in other.extensions or other.start.match(content.start):
            raise FormatError(other.problem, mend=other.mend)
