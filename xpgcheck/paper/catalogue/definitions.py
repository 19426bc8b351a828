"""Rows of the definitions: classifiers, explanations, decision graphs, explanation graphs, and what follows from them."""

from __future__ import annotations

from xpgcheck.paper.rows import HOLDS_WHEN, Expect, Row, bounded, models, random, symbolic, without

ROWS = (
    Row(
        "eq-1",
        "Eq. 1",
        "An AXp suffices: every point that agrees with the instance on it has its class; no part of the AXp suffices.",
        (
            random("every_listed_axp_suffices", "free-leaves-the-one-edge"),
            random("every_listed_axp_is_minimal", "hitting-sets-not-minimal"),
            random("an_axp_suffices", "one-zero-edge-followed"),
            random("an_axp_is_minimal", "untested-features-kept"),
            bounded("same XPs", "first value labelled"),
        ),
    ),
    Row(
        "eq-2",
        "Eq. 2",
        "A CXp can change the class: some point that differs from the instance there alone has another; no part of it can.",
        (
            random("every_listed_cxp_can_change_the_class", "never-empty"),
            random("every_listed_cxp_is_minimal", "cxps-not-shrunk"),
            random("a_cxp_can_change_the_class", "cxp-is-the-rest"),
            random("a_cxp_is_minimal", "cxp-of-some-path"),
            bounded("same XPs", "first value labelled"),
        ),
    ),
    Row(
        "mhs-duality",
        "after Eq. 2",
        "The AXps are the minimal hitting sets of the CXps, and the CXps those of the AXps.",
        (
            random("axps_are_the_minimal_hitting_sets_of_cxps", "smallest-only"),
            random("cxps_are_the_minimal_hitting_sets_of_axps", "last-one-lost"),
            bounded("duality", "largest CXp lost"),
        ),
    ),
    Row(
        "prop-1",
        "Proposition 1",
        "A feature is in some AXp exactly if it is in some CXp.",
        (
            random("a_feature_is_in_some_axp_exactly_if_in_some_cxp", "path-features-only"),
            random("membership_is_what_the_definition_says", "member-of-one-axp"),
            bounded("same features", "largest CXp lost"),
        ),
    ),
    Row(
        "binarization",
        "Section 2, remark",
        "Where a feature was made into several binary ones, explanations are about the groups: over single conditions a "
        "minimal set need not be minimal over features.",
        (random("a_refined_literal_changes_no_xp", "nodes-taken-as-binary"),),
        remark="Checked as: how a literal is cut into edges changes no XP. An explainer that takes conditions for features "
        "is caught; what that does to PyXAI's answers is on the page.",
        page="findings/pyxai.md",
    ),
    Row(
        "def-2",
        "Definition 2",
        "A decision graph is a DAG with one root, a feature at each non-terminal, a class at each terminal and literals on "
        "its edges; κ follows the edges whose literals hold.",
        (
            random("the_predicted_class_is_kappa", "majority-predicted"),
            bounded("definition", "retested features refused"),
        ),
        remark="Which values ℂ_i holds where several paths lead to a node is left open by the text.",
        page="findings/consistent-values.md",
    ),
    Row(
        "represented",
        "after Definition 2",
        "Decision trees, OBDDs and OMDDs are decision graphs; OBDDs and OMDDs are read-once, and the others need not be.",
        (
            models("represented", "retested features refused"),
            bounded("definition", "retested features refused"),
        ),
        remark="Trees as far as both assumptions hold: the row faulty-trees.",
    ),
    Row(
        "prop-2",
        "Proposition 2",
        "Every point reaches exactly one terminal.",
        (
            random("a_point_reaches_exactly_one_terminal", "all-that-holds-somewhere"),
            bounded("one terminal", "first edge taken"),
            symbolic("one terminal/consistent", "assumption (i)"),
            without("without (i)", "a_point_reaches_exactly_one_terminal"),
        ),
        HOLDS_WHEN,
        "assumption (i) holds",
    ),
    Row(
        "prop-3",
        "Proposition 3",
        "Every terminal is reached by some point.",
        (
            random("every_terminal_is_reached_by_some_point", "closed-ends-open"),
            bounded("each terminal reached", "first edge taken"),
            without("without (ii)", "every_terminal_is_reached_by_some_point"),
        ),
        HOLDS_WHEN,
        "assumption (ii) holds",
    ),
    Row(
        "assumptions-footnote",
        "Definition 2, footnote",
        "The two assumptions matter: without either, explanations by the graph are no longer right.",
        (
            random("sigma_is_one_exactly_for_weak_axps", "labels-swapped"),
            without("without (i)", "an_axp_suffices"),
            without("without (ii)", "an_axp_is_minimal"),
            without("without (ii)", "a_cxp_can_change_the_class"),
            symbolic("necessary/inconsistent", "assumption (ii)", Expect.WITHOUT),
            symbolic("sufficient/uncovered", "assumption (i)", Expect.WITHOUT),
        ),
        HOLDS_WHEN,
        "both assumptions hold",
        "One direction needs less: that σ(s) = 1 implies Eq. 1 is proved without (ii).",
    ),
    Row(
        "faulty-trees",
        "Definition 2, footnote",
        "There are decision trees with inconsistent paths, and with dead ends: the assumptions are not met by construction.",
        (models("refused", "assumptions unchecked"),),
        remark="That such trees were published is what the paper cites; here they are made, and told apart by name.",
        page="reference/format.md",
    ),
    Row(
        "sufficiency-any-paths",
        "Definition 2, assumption (ii)",
        "Sufficiency needs no consistent paths: σ(s) = 1 implies Eq. 1 on graphs with inconsistent paths too.",
        (symbolic("sufficient/inconsistent", "Eq. 4"), bounded("σ is sound", "fixed and free swapped")),
        remark="Not in the paper; why a closed set is evidence on any graph.",
    ),
    Row(
        "def-3-mapping",
        "Definition 3, mapping",
        "The explanation graph of a decision graph and an instance is unique, has at most one outgoing edge labelled 1 a "
        "node, and one terminal labelled 1 at the end of a path of such edges.",
        (
            models("mapping", "labels 0 and 1 exchanged"),
            random("permuted_nodes_change_no_xp", "class-of-the-first-terminal"),
            random("merged_nodes_change_no_xp", "one-sweep-by-names"),
            bounded("σ is Eq. 1", "class 0 labelled 1"),
        ),
        remark="E is printed as a set of pairs of nodes with one label a pair, so that two edges between the same nodes "
        "have to be one.",
        page="findings/parallel-edges.md",
    ),
    Row(
        "parallel-edges",
        "Definitions 2 and 3, E ⊆ V × V",
        "Edges are pairs of nodes: nothing is lost where each pair has one literal, the union of what leads there.",
        (
            random("a_refined_literal_changes_no_xp", "one-child-for-each-label"),
            without("parallel edges unmerged", "an_axp_suffices"),
            without("parallel edges unmerged", "a_cxp_is_minimal"),
        ),
        HOLDS_WHEN,
        "parallel edges are made one",
        page="findings/parallel-edges.md",
    ),
    Row(
        "sigma-ends",
        "after Eq. 4",
        "σ(1, …, 1) = 1; and σ(0, …, 0) = 0 if a terminal is labelled 0.",
        (
            models("ends of σ", "σ always 1"),
            random("sigma_is_right_at_its_ends", "sigma-of-ones"),
            without("without (ii)", "sigma_is_right_at_its_ends"),
        ),
        HOLDS_WHEN,
        "every path is consistent, if σ is compared with the classifier",
        "The second half always holds for the XpG alone: all nodes are reached from the root.",
    ),
    Row(
        "one-terminals",
        "after Eq. 4",
        "σ does not depend on terminals labelled 1.",
        (models("1-terminals", "σ asks for an active terminal labelled 1"),),
    ),
    Row(
        "prop-4",
        "Proposition 4",
        "σ is monotone.",
        (
            random("sigma_is_monotone", "active-by-parity"),
            bounded("monotone", "fixed and free swapped"),
            symbolic("monotone/inconsistent", "Eq. 3"),
        ),
        remark="Proved without either assumption: it is a statement about the XpG alone.",
    ),
    Row(
        "positive-pis",
        "after Proposition 4",
        "Prime implicants of σ have positive literals only, so the AXps of the XpG at (1, …, 1) are its prime implicants.",
        (
            models("positive PIs", "σ turned around where its number of fixed variables is odd"),
            random("sigma_is_monotone", "sigma-of-free-features"),
            bounded("same XPs", "fixed and free swapped"),
        ),
    ),
    Row(
        "prop-5",
        "Proposition 5",
        "The AXps and CXps of σ are those of the classifier, one to one.",
        (
            random("sigma_is_one_exactly_for_weak_axps", "active-by-all-parents"),
            random("the_enumeration_is_complete", "half-of-the-models"),
            bounded("same XPs", "class 0 labelled 1"),
            bounded("σ is Eq. 1", "first value labelled"),
            symbolic("sufficient/consistent", "assumption (i)"),
            symbolic("necessary/consistent", "assumption (ii)"),
            symbolic("necessary/read-once", "read-once"),
            without("without (i)", "sigma_is_one_exactly_for_weak_axps"),
            without("without (ii)", "sigma_is_one_exactly_for_weak_axps"),
        ),
        HOLDS_WHEN,
        "both assumptions hold",
        "The printed sketch shows one direction, for which (ii) is needed; the other is closed sets, and needs (i) only.",
    ),
)
