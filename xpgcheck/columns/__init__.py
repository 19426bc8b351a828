"""Encoded columns as functions of the columns of a table, and classifiers rewritten over the table's own columns."""
