"""Subjects in processes of their own: the line protocol, limits that hold whatever they do, a server for Python."""
