"""The flags of tests, and the note behind each: what kind of bug its tests look for."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class BugType(Enum):
    """The kind of bug that a test with a flag looks for."""

    BASIC = "basic"
    """No bug in particular: an explainer that fails here does not follow the definitions."""
    EDGE_CASE = "edge case"
    """An input at an end of what decision graphs may be."""
    KNOWN_BUG = "known bug"
    """A published explainer fails on such inputs."""
    ARITHMETIC = "arithmetic"
    """Values or thresholds are rounded, cut or compared by the wrong relation."""
    GRAPH_READING = "graph reading"
    """Nodes, edges or literals are lost, or taken for others."""
    PATHS = "paths"
    """Paths of a graph are not followed as they are: shared nodes, features tested again."""
    MINIMALITY = "minimality"
    """XPs that are not subset-minimal, or families that are not complete."""
    NOTION = "notion"
    """XPs over something else than features."""
    COST = "cost"
    """Right answers that take exponential time."""


class Note(NamedTuple):
    """The meaning of a flag: ``effect`` is what goes wrong, ``seen`` names who got it wrong."""

    bug_type: BugType
    description: str
    effect: str
    seen: tuple[str, ...] = ()


XPGRAPH = "XpGraph 0.0.1 (PyPI)"
XPGRAPH_NEW = "XpGraph (repository)"
PYXAI = "PyXAI 2.0.1"


def _seeded(name: str) -> str:
    return f"seeded bug {name}"


NOTES: dict[str, Note] = {
    "normal": Note(
        BugType.BASIC,
        "No other flag: two classes, read-once, one AXp of which each feature changes the class alone.",
        "Features that the path tests and that are not needed stay in the AXp.",
        (_seeded("path-for-an-axp"),),
    ),
    "constant": Note(
        BugType.KNOWN_BUG,
        "All terminals that points reach have one class: the one AXp is the empty set, and there is no CXp.",
        "An error instead of the answer, or a CXp that changes nothing.",
        (
            f"{XPGRAPH}: find_axp and enum raise AssertionError, find_cxp answers [0]",
            XPGRAPH_NEW,
            _seeded("never-empty"),
        ),
    ),
    "undeclared_effect": Note(
        BugType.EDGE_CASE,
        "A class is declared that no terminal has.",
        "The classifier is taken not to be constant, or a CXp towards that class is looked for.",
    ),
    "root_terminal": Note(
        BugType.EDGE_CASE,
        "The root is a terminal: there is no non-terminal and no edge.",
        "An error for the missing feature of the root.",
    ),
    "feature_never_tested": Note(
        BugType.EDGE_CASE,
        "A feature of the space that no node tests: it is in no XP.",
        "The feature stays in XPs, or the indices of later features shift.",
        (_seeded("untested-features-kept"),),
    ),
    "one_value_domain": Note(
        BugType.EDGE_CASE,
        "The domain of a feature has one value: the feature is in no XP, tested or not.",
        "A division by zero, or an XP with a feature that cannot change.",
        (_seeded("no-one-value-domain"),),
    ),
    "one_child": Note(
        BugType.EDGE_CASE,
        "A non-terminal with one edge, whose literal holds wherever the node is reached.",
        "A second child is expected.",
    ),
    "several_terminals_of_a_class": Note(
        BugType.GRAPH_READING,
        "Several terminals have the same class.",
        "Reaching another terminal is taken for a change of class.",
        (_seeded("one-terminal-is-the-target"),),
    ),
    "several_classes": Note(
        BugType.GRAPH_READING,
        "Three classes or more: every class but the instance's counts as another one.",
        "Only one other class is looked for, or all classes but the first are one.",
        (_seeded("classes-taken-as-two"), _seeded("class-zero-is-the-target")),
    ),
    "parallel_edges": Note(
        BugType.KNOWN_BUG,
        "Several edges lead from one node to the same child: the literal is the union of theirs.",
        "All but the last edge are lost, and with them XPs.",
        (f"{XPGRAPH} and {XPGRAPH_NEW}: networkx.DiGraph keeps the last label", _seeded("last-interval-of-a-literal")),
    ),
    "wide_node": Note(
        BugType.GRAPH_READING,
        "A node with four children or more.",
        "Only two children are looked at, or one of the edges that the instance does not take.",
        (_seeded("nodes-taken-as-binary"), _seeded("one-zero-edge-followed")),
    ),
    "several_values_in_a_literal": Note(
        BugType.GRAPH_READING,
        "A literal that lists several categories, or several intervals with gaps between them.",
        "One of them is kept, or the hull of all.",
        (_seeded("one-category-of-a-literal"), _seeded("hull-of-a-literal")),
    ),
    "literal_beyond_its_path": Note(
        BugType.GRAPH_READING,
        "A literal holds values that its path has ruled out, as learners write them (x > 3 below x <= 5).",
        "The values that cannot arrive there are taken for possible.",
    ),
    "shared_nodes": Note(
        BugType.PATHS,
        "A non-terminal has several parents.",
        "Nodes are visited by one of their parents alone, or the graph is refused as no tree.",
        (_seeded("trees-only"), _seeded("waits-for-all-parents"), _seeded("marks-shared-by-traversals")),
    ),
    "feature_tested_twice": Note(
        BugType.KNOWN_BUG,
        "Some path tests a feature more than once.",
        "A CXp among the features that the instance's path does not test; features freed at one test only.",
        (
            f"{XPGRAPH}: find_cxp wrong in 15-30 % of graphs",
            _seeded("features-marked"),
            _seeded("freed-at-the-first-test"),
        ),
    ),
    "tested_twice_on_own_path": Note(
        BugType.KNOWN_BUG,
        "The instance's own path tests a feature more than once.",
        "find_cxp ends in an error or answers a set that is no CXp.",
        (f"{XPGRAPH}: 168 of 3,000 answers of find_cxp are no CXp", _seeded("cxp-seed-untested")),
    ),
    "repeated_conditions": Note(
        BugType.NOTION,
        "One path has several conditions on one feature, such as x <= 5 and then x <= 3.",
        "Sets of conditions that are minimal over conditions, and not minimal over features.",
        (f"{PYXAI}: 209 of 1,666 sufficient reasons, 281 of 2,511 contrastive ones (another definition, not a bug)",),
    ),
    "diamond_chain": Note(
        BugType.COST,
        "A chain of diamonds: k of them have 2^k paths, and 3k + 2 nodes at most.",
        "Traversal without visited marks takes twice as long a diamond.",
        (f"{XPGRAPH} and {XPGRAPH_NEW}: 4 to 16 diamonds take 0.13 ms to 523 ms", _seeded("no-marks")),
    ),
    "many_xps": Note(
        BugType.COST,
        "Twenty XPs or more.",
        "An enumeration that ends early, or tries all sets of features.",
    ),
    "unequal_xps": Note(
        BugType.MINIMALITY,
        "AXps of one instance, or CXps, differ in size: a minimal one need not be a smallest one.",
        "Only the smallest are listed, or a set that is no smallest one is called redundant.",
    ),
    "jointly_needed_change": Note(
        BugType.MINIMALITY,
        "Some CXp has two features or more: no single one of them changes the class.",
        "Features are changed one at a time.",
        (_seeded("changes-one-feature-at-a-time"),),
    ),
    "on_threshold": Note(
        BugType.ARITHMETIC,
        "A value of the instance is an end of an interval of a literal.",
        "The end is taken as open where it is closed, or the other way round.",
        (_seeded("open-ends-closed"), _seeded("closed-ends-open"), _seeded("lower-ends-swapped")),
    ),
    "next_to_threshold": Note(
        BugType.ARITHMETIC,
        "A value of the instance is next to an end of an interval: the next integer or float, a real at most 10^-6 away.",
        "The value is rounded onto the other side.",
        (_seeded("thresholds-as-floats"), _seeded("thresholds-cut-to-whole-numbers")),
    ),
    "no_float_threshold": Note(
        BugType.ARITHMETIC,
        "A threshold, such as 1/10, is not a number of the feature's binary format: it lies between two neighbours of it.",
        "The threshold is rounded, so that one of the neighbours changes sides.",
        (_seeded("thresholds-as-floats"),),
    ),
    "float32": Note(
        BugType.ARITHMETIC,
        "The domain is the finite binary32 numbers.",
        "Values are compared as binary64, or as reals between which there is always another one.",
    ),
    "float64": Note(
        BugType.ARITHMETIC,
        "The domain is the finite binary64 numbers.",
        "Values are rounded to binary32, or taken as reals.",
    ),
    "exact_fraction": Note(
        BugType.ARITHMETIC,
        "A threshold or a value of a real feature is no finite binary fraction.",
        "1/3 and 1/10 are rounded to floats before they are compared.",
        (_seeded("thresholds-as-floats"),),
    ),
    "negative_numbers": Note(
        BugType.ARITHMETIC,
        "A value of the instance is negative.",
        "The sign is lost, or numbers are cut towards zero.",
        (_seeded("numbers-without-sign"), _seeded("numbers-as-text")),
    ),
    "integer_bounds": Note(
        BugType.EDGE_CASE,
        "An integer domain with a bound: literals may reach beyond it, points may not.",
        "A point outside the domain changes the class, or the last integer is left out.",
        (_seeded("integers-end-early"), _seeded("integers-shifted")),
    ),
    "no_integer_between": Note(
        BugType.EDGE_CASE,
        "Between two thresholds of an integer feature there is no integer, though there are reals.",
        "A path that no point takes changes the class.",
    ),
    "big_integers": Note(
        BugType.ARITHMETIC,
        "Integers beyond 2^53, which binary64 cannot tell from their neighbours.",
        "Two integers become one.",
    ),
    "open_bounds": Note(
        BugType.EDGE_CASE,
        "A real domain whose bound is not in it.",
        "The bound itself is taken for a point.",
    ),
    "missing_value": Note(
        BugType.EDGE_CASE,
        "A value of the instance is missing.",
        "An error, or a comparison of the missing value as 0 or as a number beyond all others.",
        (_seeded("missing-is-zero"), _seeded("missing-goes-nowhere"), _seeded("missing-crashes")),
    ),
    "may_be_missing": Note(
        BugType.EDGE_CASE,
        "A feature's value may be missing: that is one more value, which a change can choose.",
        "Changes to the missing value are overlooked.",
        (_seeded("missing-goes-everywhere"), _seeded("missing-goes-nowhere")),
    ),
    "labels_as_numbers": Note(
        BugType.GRAPH_READING,
        "Classes are called by numbers that are not their indices.",
        "The name of a class is taken for its index.",
    ),
    "categories_as_numbers": Note(
        BugType.GRAPH_READING,
        "Categories look like numbers: 1, 01 and 1.0 are three of them.",
        "Categories are compared as numbers, or sorted.",
    ),
    "non_latin_names": Note(
        BugType.GRAPH_READING,
        "Names of features, categories, classes and nodes in other scripts, with blanks and signs.",
        "Names are cut, changed or not told apart.",
    ),
    "node_order": Note(
        BugType.GRAPH_READING,
        "The root is not the first node of the document, and children come before their parents.",
        "The first node is taken for the root, or the order of the document for a topological one.",
        (_seeded("one-sweep-by-names"),),
    ),
}
"""Each flag and its note; a test of the vectors sees that every flag is in use."""
