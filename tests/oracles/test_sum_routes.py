"""The routes of ensembles whose trees are summed, on small ensembles whose answers were worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest

from oracle_graphs import SOLVER_PARAMS
from small_forests import subsets
from xpgcheck.judging.claim import Claim, ClaimKind
from xpgcheck.judging.ensemble_panel import EnsemblePanel
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.judging.xp_judge import judge_axp, judge_cxp
from xpgcheck.model.combination import Arithmetic, Sum, Threshold
from xpgcheck.model.decision_graph import NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Feature
from xpgcheck.model.ensemble import Ensemble, ensemble
from xpgcheck.model.value_sets import FiniteSet
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import WITHIN_ROUNDING, Answer, replay
from xpgcheck.oracles.ensembles import box_sums
from xpgcheck.oracles.ensembles.box_sums import SumForest
from xpgcheck.oracles.ensembles.every_cell import EveryCell
from xpgcheck.oracles.smt_sessions import SmtSession
