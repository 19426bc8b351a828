"""The judges of ensembles: clauses with counters, boxes, sums of votes in SMT, every cell; each reads the trees itself."""
