"""A referee for formal explainers of graph-based classifiers.

The names listed here are the public interface; they are imported when first used, so that ``import xpgcheck`` is fast.
Everything else may change between versions.
"""

from __future__ import annotations

from xpgcheck.version import __version__ as __version__

TYPE_CHECKING = False
"""Not that of ``typing``: imports here come before :mod:`xpgcheck.cli.entry` handles signals."""

if TYPE_CHECKING:
    from typing import Any

    from xpgcheck.drawing.api import draw as draw
    from xpgcheck.drawing.picture import Picture as Picture
    from xpgcheck.errors import XpgcheckError as XpgcheckError
    from xpgcheck.explanations.api import explain as explain
    from xpgcheck.explanations.api import explain_one as explain_one
    from xpgcheck.explanations.result import Explanations as Explanations
    from xpgcheck.judging.consensus import Consensus as Consensus
    from xpgcheck.judging.xp_judge import judge_axp as judge_axp
    from xpgcheck.judging.xp_judge import judge_cxp as judge_cxp
    from xpgcheck.judging.xp_judge import judge_family as judge_family
    from xpgcheck.model.decision_graph import DecisionGraph as DecisionGraph
    from xpgcheck.model.decision_graph import decision_graph as decision_graph
    from xpgcheck.readers import read_model as read_model
    from xpgcheck.readers.groups import grouped as grouped
    from xpgcheck.readers.instances import read_instances as read_instances
    from xpgcheck.readers.instances import read_point as read_point
    from xpgcheck.readers.orange_tree import from_orange as from_orange
    from xpgcheck.readers.proposed_domains import domains_from as domains_from
    from xpgcheck.readers.sklearn_tree import from_sklearn as from_sklearn
    from xpgcheck.tables.api import ExplainedTable as ExplainedTable
    from xpgcheck.tables.api import explain_table as explain_table
    from xpgcheck.xpg.choose import enumerate_xps as enumerate_xps
    from xpgcheck.xpg.explanation_graph import ExplanationGraph as ExplanationGraph
    from xpgcheck.xpg.explanation_graph import explanation_graph as explanation_graph
    from xpgcheck.xpg.find_one import find_axp as find_axp
    from xpgcheck.xpg.find_one import find_cxp as find_cxp
    from xpgcheck.xpg.membership import in_some_xp as in_some_xp
    from xpgcheck.xpg.xps import XP as XP
    from xpgcheck.xpg.xps import Kind as Kind

_HOMES = {
    "XpgcheckError": "errors",
    "draw": "drawing.api",
    "Picture": "drawing.picture",
    "explain": "explanations.api",
    "explain_one": "explanations.api",
    "Explanations": "explanations.result",
    "explain_table": "tables.api",
    "ExplainedTable": "tables.api",
    "DecisionGraph": "model.decision_graph",
    "decision_graph": "model.decision_graph",
    "Consensus": "judging.consensus",
    "judge_axp": "judging.xp_judge",
    "judge_cxp": "judging.xp_judge",
    "judge_family": "judging.xp_judge",
    "read_model": "readers",
    "grouped": "readers.groups",
    "read_instances": "readers.instances",
    "read_point": "readers.instances",
    "from_orange": "readers.orange_tree",
    "domains_from": "readers.proposed_domains",
    "from_sklearn": "readers.sklearn_tree",
    "enumerate_xps": "xpg.choose",
    "ExplanationGraph": "xpg.explanation_graph",
    "explanation_graph": "xpg.explanation_graph",
    "find_axp": "xpg.find_one",
    "find_cxp": "xpg.find_one",
    "in_some_xp": "xpg.membership",
    "XP": "xpg.xps",
    "Kind": "xpg.xps",
}

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    import importlib

    if name not in _HOMES:
        raise AttributeError(f"module 'xpgcheck' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"xpgcheck.{_HOMES[name]}"), name)
    globals()[name] = value
    if _HOMES[name].startswith("explanations."):
        _with_pictures()
    return value


def _with_pictures() -> None:
    """Have notebooks show a picture next to the words of explanations; what draws is imported when one does."""
    from xpgcheck.explanations.result import Explanations

    def illustrated(found: Explanations) -> Any:
        from xpgcheck.drawing.notebook import first_pictures

        return first_pictures(found)

    Explanations.illustrated = staticmethod(illustrated)


def __dir__() -> list[str]:
    return sorted(__all__)
