"""The judges: they answer Eq. 1 and Eq. 2 from a decision graph's nodes, edges and domains, and know no traversal."""
