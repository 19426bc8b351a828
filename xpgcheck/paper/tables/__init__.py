"""Tables 1 and 2 of the paper made again: OBDDs of decision lists, and decision trees, with all their XPs."""
