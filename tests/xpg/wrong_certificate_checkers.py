"""Wrong checkers of membership certificates, each with one mistake; the tests show that each is told from the right one.

A checker takes an explanation graph and a certificate and tells whether it accepts.
"""

from xpgcheck.xpg.explanation_graph import mask_of
from xpgcheck.xpg.traversal import reaches_zero
from xpgcheck.xpg.xps import Kind

CHECKERS = []


def wrong(checker):
    CHECKERS.append(checker)
    return checker


def read(xpg, certificate):
    """The right parts: is it about an AXp, u's free features as a mask, the XP in order."""
    axp = certificate.kind is Kind.AXP
    free = xpg.all_variables & ~mask_of(certificate.fixed)
    return axp, free, sorted(certificate.explanation)


def sigma(xpg, free):
    return not reaches_zero(xpg, free)


def accepts(xpg, certificate, *, first=True, flips=None, sigma=sigma):
    """The right checker on certificates of the right shape, but for what is named."""
    axp, free, explanation = read(xpg, certificate)
    if certificate.feature not in explanation or (first and sigma(xpg, free) != axp):
        return False
    return all(sigma(xpg, free ^ 1 << j) != axp for j in (explanation if flips is None else flips(certificate)))


@wrong
def u_itself_is_not_checked(xpg, certificate):
    return accepts(xpg, certificate, first=False)


@wrong
def nothing_is_changed(xpg, certificate):
    return accepts(xpg, certificate, flips=lambda c: [])


@wrong
def only_the_feature_is_changed(xpg, certificate):
    return accepts(xpg, certificate, flips=lambda c: [c.feature])


@wrong
def all_but_the_feature_are_changed(xpg, certificate):
    return accepts(xpg, certificate, flips=lambda c: c.explanation - {c.feature})


@wrong
def the_last_is_not_changed(xpg, certificate):
    return accepts(xpg, certificate, flips=lambda c: sorted(c.explanation)[:-1])


@wrong
def features_that_no_node_tests_are_not_changed(xpg, certificate):
    return accepts(xpg, certificate, flips=lambda c: c.explanation & set(xpg.variable_of))


@wrong
def the_others_are_changed(xpg, certificate):
    return accepts(xpg, certificate, flips=lambda c: set(range(c.variables)) - c.explanation)


@wrong
def all_are_changed(xpg, certificate):
    return accepts(xpg, certificate, flips=lambda c: range(c.variables))


@wrong
def changes_pile_up(xpg, certificate):
    axp, free, explanation = read(xpg, certificate)
    if certificate.feature not in explanation or sigma(xpg, free) != axp:
        return False
    for j in explanation:
        free ^= 1 << j
        if sigma(xpg, free) == axp:
            return False
    return True


@wrong
def one_change_that_matters_is_enough(xpg, certificate):
    axp, free, explanation = read(xpg, certificate)
    right = certificate.feature in explanation and sigma(xpg, free) == axp
    return right and any(sigma(xpg, free ^ 1 << j) != axp for j in explanation)


@wrong
def all_changes_at_once(xpg, certificate):
    axp, free, explanation = read(xpg, certificate)
    right = certificate.feature in explanation and sigma(xpg, free) == axp
    return right and sigma(xpg, free ^ mask_of(explanation)) != axp


@wrong
def the_feature_may_be_anywhere(xpg, certificate):
    axp, free, explanation = read(xpg, certificate)
    return sigma(xpg, free) == axp and all(sigma(xpg, free ^ 1 << j) != axp for j in explanation)


@wrong
def the_path_is_taken_for_sigma(xpg, certificate):
    return accepts(xpg, certificate, sigma=reaches_zero)


@wrong
def fixed_and_free_are_swapped(xpg, certificate):
    return accepts(xpg, certificate, sigma=lambda xpg, free: sigma(xpg, xpg.all_variables ^ free))


@wrong
def every_kind_is_an_axp(xpg, certificate):
    free = xpg.all_variables & ~mask_of(certificate.fixed)
    right = certificate.feature in certificate.fixed and sigma(xpg, free)
    return right and not any(sigma(xpg, free | 1 << j) for j in certificate.fixed)


@wrong
def a_cxp_is_read_off_the_ones(xpg, certificate):
    axp, free, _ = read(xpg, certificate)
    if not axp:
        free ^= xpg.all_variables
    right = certificate.feature in certificate.fixed and sigma(xpg, free) == axp
    return right and all(sigma(xpg, free ^ 1 << j) != axp for j in certificate.fixed)


@wrong
def the_other_kind_is_meant(xpg, certificate):
    axp, free, explanation = read(xpg, certificate)
    others = set(range(certificate.variables)) - set(explanation)
    right = certificate.feature in others and sigma(xpg, free) != axp
    return right and all(sigma(xpg, free ^ 1 << j) == axp for j in others)


def traversal_without_one_edges(xpg, free):
    stack = [0]
    while stack:
        node = stack.pop()
        if xpg.is_zero[node]:
            return True
        if free >> max(0, xpg.variable_of[node]) & 1:
            stack += xpg.zero_children[node]
            stack += [child for child in [xpg.one_child[node]] if child >= 0]
    return False


def traversal_of_all_edges(xpg, free):
    return any(xpg.is_zero)


def traversal_of_one_edges(xpg, free):
    node = 0
    while xpg.one_child[node] >= 0:
        node = xpg.one_child[node]
    return bool(xpg.is_zero[node])


def traversal_up_to_the_first_terminal(xpg, free):
    stack = [0]
    while stack:
        node = stack.pop()
        if xpg.variable_of[node] < 0:
            return bool(xpg.is_zero[node])
        if xpg.one_child[node] >= 0:
            stack.append(xpg.one_child[node])
        if free >> xpg.variable_of[node] & 1:
            stack += xpg.zero_children[node]
    return False


def traversal_that_frees_the_edge_once(xpg, free):
    """An edge labelled 0 closes its variable again: wrong where a path tests a variable twice."""
    stack = [(0, free)]
    while stack:
        node, left = stack.pop()
        if xpg.is_zero[node]:
            return True
        if xpg.one_child[node] >= 0:
            stack.append((xpg.one_child[node], left))
        if xpg.variable_of[node] >= 0 and left >> xpg.variable_of[node] & 1:
            stack += [(child, left & ~(1 << xpg.variable_of[node])) for child in xpg.zero_children[node]]
    return False


def traversal_of_any_terminal(xpg, free):
    return True


TRAVERSALS = [
    traversal_without_one_edges,
    traversal_of_all_edges,
    traversal_of_one_edges,
    traversal_up_to_the_first_terminal,
    traversal_that_frees_the_edge_once,
    traversal_of_any_terminal,
]
