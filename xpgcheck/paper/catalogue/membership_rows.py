"""Rows of Section 5: deciding whether a feature is in some explanation."""

from __future__ import annotations

from xpgcheck.paper.rows import FAILS, Expect, Row, bounded, formulas, growth, queries, random

ROWS = (
    Row(
        "def-1",
        "Definition 1",
        "The membership problem asks whether a feature is in some AXp (CXp); it is what the list of all XPs says.",
        (
            random("membership_is_what_the_enumeration_says", "member-if-tested"),
            bounded("membership", "tested is relevant"),
        ),
    ),
    Row(
        "prop-7",
        "Proposition 7",
        "Deciding membership in a prime implicant of a DNF is hard for Σ₂ᵖ, by the reduction from MUS membership: a clause "
        "is in some MUS exactly if its selector is in some prime implicant of ψ.",
        (
            formulas("reading B", "reading A in its place", Expect.AS_PRINTED),
            formulas("reading C-some", "reading A in its place", Expect.AS_PRINTED),
            formulas("muses_are_the_prime_implicants_over_the_selectors", "the-inner-quantifier-dropped"),
            formulas("the_starred_axps_are_the_variables_and_the_muses", "variables-forgotten"),
        ),
        FAILS,
        remark="Right where the prime implicants are those of ∀x ψ over the selectors (reading A), which is not "
        "a DNF of ψ's size; wrong for those of ψ as a DNF over selectors and x, where membership "
        "is in NP. A repair is on the page.",
        page="findings/reduction.md",
    ),
    Row(
        "prop-7-ends",
        "Proposition 7, sketch",
        "ψ(1, …, 1) = 1 and ψ(0, …, 0) = 0, whatever x is, for an unsatisfiable formula.",
        (formulas("psi_is_one_at_all_selectors_and_zero_at_none", "selectors-negated"),),
    ),
    Row(
        "prop-7-size",
        "Proposition 7, sketch",
        "The reduction is linear: a term a clause, with its selector and the negated literals.",
        (
            formulas("the_reduction_is_linear", "tautology-dropped"),
            formulas("psi_is_one_exactly_where_a_selected_clause_is_false", "clauses-not-negated"),
        ),
    ),
    Row(
        "prop-8",
        "Proposition 8",
        "Membership for XpGs is in NP: an assignment is a certificate that at most m + 1 runs of Algorithm 1 check.",
        (
            random("membership_is_what_the_definition_says", "member-of-a-weak-axp"),
            bounded("membership by SAT", "weak AXp for an AXp"),
            growth("runs of Algorithm 1 for a certificate", "every subset tried"),
        ),
        remark="The printed steps change u piece by piece; each change has to be taken back.",
    ),
    Row(
        "prop-9",
        "Proposition 9",
        "Membership for trees is in P: a feature is in some XP exactly if it is in some CXp of the list.",
        (
            random("membership_is_what_the_enumeration_says", "member-of-every-axp"),
            bounded("membership in trees", "tested is relevant, in trees"),
            growth("all CXps of a tree", "every subset tried"),
        ),
    ),
    Row(
        "membership-at-scale",
        "Section 5 (and arXiv 2202.07553)",
        "Membership can be decided in practice: of OBDDs of up to 21,816 nodes over 90 features.",
        (queries("all", "yes if on a path"),),
        remark="The queries are those of the later paper on membership: 0.4 to 1.2 s each in its SAT solver.",
    ),
)
