"""The published verdicts on forests, made again from data (:mod:`xpgcheck.paper.ensembles`).

They are not of the paper that the table of rows is about: no row looks at them.
"""

from __future__ import annotations

from xpgcheck.paper.ensembles import verdict_tables

run_unit = verdict_tables.run_unit
