"""Membership at scale: OBDDs of thousands of nodes, each with instances and one queried feature per instance."""
