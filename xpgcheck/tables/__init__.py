"""Whole tables: the explanations of every row, as a stream, and what they say together.

Nothing here decides what an explanation is: rows of a tree are held against its paths (:mod:`xpgcheck.xpg.tree_table`),
those of other models are explained one by one (:mod:`xpgcheck.explanations`).  Rows that are the same to the model are
explained once.
"""
