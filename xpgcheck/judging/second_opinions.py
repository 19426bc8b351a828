"""Judges of plug-ins, heard after the oracles: they can contradict a verdict, and never give one.

The word of a judge on an AXp or a CXp over features is compared with the verdict of the oracles.  Where it says the
contrary, the verdict is ``inconclusive``, by "disagreement": it is not put to the vote.  A judge that fails leaves a claim
that the oracles call right open, as it was to be heard, and one that they call wrong as it is.  So, whatever judges
say, nothing that the oracles call wrong or leave open becomes right, nor what they call right wrong.
"""

from __future__ import annotations

from dataclasses import replace

from xpgcheck.errors import shown
from xpgcheck.judging.claim import ClaimKind, Notion
from xpgcheck.judging.frames import Frame
from xpgcheck.judging.judged import Judged
from xpgcheck.judging.verdicts import Outcome, Verdict
from xpgcheck.model.values import Point
from xpgcheck.plugins import PluginPart, failure, parts


def judge_names() -> tuple[str, ...]:
    """Return the names of the judges of plug-ins.  Raises ``InputError`` where a plug-in cannot be loaded."""
    return tuple(parts("judges"))


def after_other_judges(judged: Judged, frame: Frame) -> Judged:
    """Return *judged*, a claim of *frame*, as it stands once every judge of a plug-in was heard.

    Raises ``InputError`` where a plug-in cannot be loaded.
    """
    judges, claim = parts("judges"), judged.claim
    is_xp = claim.kind in (ClaimKind.AXP, ClaimKind.CXP) and claim.members is not None
    by_features = frame.notion is Notion.FEATURES and frame.space is not None
    if not judges or not is_xp or not by_features or judged.outcome is Outcome.INCONCLUSIVE:
        return judged
    # Outside its seed, a set is still an XP.
    own = judged.verdict in (Verdict.AXP, Verdict.CXP, Verdict.OUTSIDE_SEED)
    for part in judges.values():
        said = _said(part, judged, frame, frame.instance)
        evidence = judged.evidence
        if isinstance(said, str):
            if judged.outcome is Outcome.HOLDS:
                return replace(judged, verdict=Verdict.INCONCLUSIVE, evidence=replace(evidence, reason=said))
        elif said is own:
            confirmed = (*evidence.confirmed_by, f"judge {part.name}")
            judged = replace(judged, evidence=replace(evidence, confirmed_by=confirmed))
        elif said is not None:
            words = f"{'an' if said else 'no'} {claim.kind.value} by the judge {shown(part.name)}"
            reason = f"disagreement: {judged.verdict.value} by the oracles, {words}"
            return replace(judged, verdict=Verdict.INCONCLUSIVE, evidence=replace(evidence, reason=reason))
    return judged


def _said(part: PluginPart, judged: Judged, frame: Frame, instance: Point) -> bool | str | None:
    """Return what a judge says, or why it says nothing although it was to."""
    try:
        said = part.call(frame.space, instance, judged.claim.kind.value, judged.claim.members)
    except (Exception, SystemExit, GeneratorExit) as error:
        return failure("judge", part, error)
    if said is None or said is True or said is False:
        return said
    return f"the judge {shown(part.name)} of a plug-in said {shown(said)}, which is not True, False or None"
