"""Answers with the names of features, not their indices."""

from talk import converse, say

converse(lambda question: say({"id": question["id"], "answer": ["other"]}))
