"""Proofs for all decision graphs of a size at once: one propositional formula stands for them all.

``graphs``, ``points``, ``sigma`` and ``algorithms`` state the definitions, ``theorems`` denies what follows from them by
``cases``, and ``solving`` asks the solvers.  ``plain`` has the same definitions without any formula: the encoding is
compared with it, and counterexamples are replayed with it.  ``controls`` are what has to be satisfiable; ``evidence`` is all
of it in units, by ``plans``.
"""
