"""The deck: designed cases that an explainer is asked at before anything random, each with the right families of XPs.

A case is a *shape* (:mod:`~xpgcheck.deck.shapes`, :mod:`~xpgcheck.deck.changes`) over abstract features of a few levels,
in a *dress* (:mod:`~xpgcheck.deck.dresses`): domains, values and names.  :mod:`~xpgcheck.deck.cases` lists them,
:mod:`~xpgcheck.deck.certifying` finds the families and has them confirmed by a second route,
:mod:`~xpgcheck.deck.storage` reads the file that was made of all that, which is also part of ``xpgcheck vectors``.
"""
