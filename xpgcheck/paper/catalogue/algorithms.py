"""Rows of Algorithms 1 to 4, and of what is said of their complexity."""

from __future__ import annotations

from xpgcheck.paper.rows import FAILS, HOLDS_WHEN, Expect, Row, bounded, growth, models, random, symbolic, without

ROWS = (
    Row(
        "algorithm-1",
        "Algorithm 1",
        "A path to a terminal labelled 0 is found exactly where freeing the features of R can change the class.",
        (
            random("a_path_to_zero_exists_exactly_for_weak_cxps", "one-zero-edge-followed"),
            bounded("Algorithm 1", "one 0-edge a node"),
            bounded("Algorithm 1 as printed", "no 1-edge where free"),
            without("without (ii)", "a_path_to_zero_exists_exactly_for_weak_cxps"),
        ),
        HOLDS_WHEN,
        "both assumptions hold",
    ),
    Row(
        "algorithm-1-linear",
        "Algorithm 1, text below",
        "Its run time is linear in the size of the XpG.",
        (
            growth("Algorithm 1 as printed", "visited marks put in", Expect.AS_PRINTED),
            growth("Algorithm 1 with marks", "visited marks left out"),
            random("a_traversal_takes_each_node_once", "no-marks"),
            without("Algorithm 1 as printed", "a_traversal_takes_each_node_once"),
        ),
        FAILS,
        remark="With visited marks, which most readers will add, it is. As printed, n diamonds take 2ⁿ steps.",
        page="findings/algorithm-1.md",
    ),
    Row(
        "algorithm-2",
        "Algorithm 2",
        "From a seed that suffices comes an AXp inside it.",
        (
            random("an_axp_from_a_seed_is_an_axp", "seed-returned"),
            random("an_axp_lies_inside_its_seed", "seed-enlarged"),
            bounded("Algorithm 2 as printed", "one pass backwards"),
            bounded("Algorithm 2", "last feature kept"),
            symbolic("Algorithm 2/consistent", "assumption (ii)"),
            symbolic("Algorithm 2/read-once", "loop"),
            without("without (i)", "an_axp_from_a_seed_is_an_axp"),
        ),
        HOLDS_WHEN,
        "both assumptions hold and the seed suffices",
    ),
    Row(
        "algorithm-3",
        "Algorithm 3",
        "From a seed that can change the class comes a CXp inside it.",
        (
            random("a_cxp_from_a_seed_is_a_cxp", "ends-at-the-first-needed"),
            random("a_cxp_lies_inside_its_seed", "seed-ignored"),
            bounded("Algorithm 3 as printed", "dropped where no path"),
            bounded("Algorithm 3", "cheapest path taken for a CXp"),
            symbolic("Algorithm 3/consistent", "assumption (ii)"),
            symbolic("Algorithm 3/read-once", "loop"),
            without("without (ii)", "a_cxp_from_a_seed_is_a_cxp"),
        ),
        HOLDS_WHEN,
        "both assumptions hold and the seed can change the class",
        "No seed can for a constant classifier; the printed lines then return the seed.",
        page="findings/constant-classifier.md",
    ),
    Row(
        "invariants",
        "Algorithms 2 and 3, comments",
        "While Algorithm 2 runs no path leads to 0 with all but A free; while Algorithm 3 runs one does with C free.",
        (
            models("invariant of Algorithm 2", "a path to 0 never found"),
            models("invariant of Algorithm 3", "a path to 0 always found"),
        ),
        remark="For Algorithm 3, if there is another class: for a constant classifier the invariant is false at the start.",
    ),
    Row(
        "one-xp-polynomial",
        "Section 4.1",
        "One AXp, and one CXp, is found in polynomial time: one run of Algorithm 1 a feature of the seed.",
        (growth("runs of Algorithm 1 for one XP", "every subset tried"),),
        remark="Given that Algorithm 1 is linear, as it is with visited marks.",
    ),
    Row(
        "algorithm-4",
        "Algorithm 4",
        "The enumeration lists every AXp and every CXp, and none twice.",
        (
            random("the_enumeration_is_complete", "last-one-lost"),
            random("no_xp_is_listed_twice", "last-axp-twice"),
            random("an_enumeration_asked_for_again_lists_the_same", "changed-while-read"),
            bounded("Algorithm 4", "last XP lost"),
        ),
        remark="Whether a variable that no clause mentions is free or fixed in a seed is left open: both are right.",
    ),
    Row(
        "algorithm-4-calls",
        "Section 4.2",
        "The enumeration takes one SAT call an explanation, and one more that says there are no others.",
        (
            random("sat_calls_are_xps_and_one", "two-sat-calls-for-one"),
            bounded("Algorithm 4", "SAT call uncounted"),
        ),
        remark="The text says exactly one a computed explanation; the last call computes none.",
    ),
    Row(
        "constant-classifier",
        "Section 2, κ non-constant",
        "κ is assumed not to be constant; of a constant one, ∅ is the one AXp and there is no CXp.",
        (
            random("a_cxp_can_change_the_class", "constant-has-a-cxp"),
            random("axps_are_the_minimal_hitting_sets_of_cxps", "no-axp-of-a-constant"),
            bounded("Algorithm 4", "XP twice"),
        ),
        page="findings/constant-classifier.md",
    ),
    Row(
        "prop-6",
        "Proposition 6",
        "A tree has at most as many CXps as paths to another class, and all are listed in polynomial time.",
        (
            random("a_tree_has_at_most_one_cxp_a_terminal_of_another_class", "own-terminals-too"),
            random("tree_cxps_are_cxps", "supersets-kept"),
            random("tree_cxps_are_the_enumerated_ones", "last-freed-only"),
            random("tree_cxps_take_polynomial_work", "all-subsets-tried"),
            bounded("CXps of trees", "candidates not minimal"),
            growth("all CXps of a tree", "every subset tried"),
        ),
        remark="A path contributes one candidate; several may contribute the same, and supersets are dropped.",
    ),
    Row(
        "axps-quasi-polynomial",
        "Section 4.3",
        "The AXps of a tree are enumerated in quasi-polynomial time in the input and output, by dualizing the CXps.",
        (
            growth("dualization of many AXps", "every subset tried"),
            growth("dualization of a long CXp", "every subset tried"),
        ),
        remark="By Fredman and Khachiyan's first algorithm, whose calls stay below the square of all sets on both families: "
        "their bound N^O(log² N) is far above.",
    ),
)
