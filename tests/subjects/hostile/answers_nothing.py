"""Sends a line with neither an answer nor an error."""

from talk import converse, say

converse(lambda question: say({"id": question["id"]}))
