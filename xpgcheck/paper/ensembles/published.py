"""The published verdicts: X. Huang, Y. Izza, A. Ignatiev, J. Marques-Silva, *Uncovering Bugs in Formal Explainers: A Case
Study with PyXAI*, arXiv 2511.03169.

The counts stand at the end of each log of results in the authors' repository ``XuanxiangHuang/chk-fxpr``
(``RFxpl-Xreason/RFxpl/results.tar.gz``); the tables of the paper have them as percentages.  A name is that of the data set
and the number of trees, of depth at most 4.
"""

from __future__ import annotations

from typing import NamedTuple


class PublishedVerdicts(NamedTuple):
    """The counts of a forest: claimed AXps and CXps that are right, redundant, and not even weak ones.

    An AXp that is not even weak is insufficient, a CXp ineffective.  ``idle_witnesses`` are the witnesses of CXps that
    have the class of the instance.  The first of several lines about one instance counts.
    """

    axps: tuple[int, int, int]
    cxps: tuple[int, int, int]
    idle_witnesses: int


PUBLISHED = {
    "4_breastw.50": PublishedVerdicts((2, 147, 0), (4, 145, 0), 0),
    "6_cardio.50": PublishedVerdicts((0, 200, 0), (6, 194, 0), 0),
    "7_Cardiotocography.50": PublishedVerdicts((0, 200, 0), (48, 151, 1), 1),
    "12_fault.50": PublishedVerdicts((0, 200, 0), (34, 166, 0), 7),
    "21_Lymphography.50": PublishedVerdicts((4, 144, 0), (56, 83, 9), 10),
    "29_Pima.3": PublishedVerdicts((46, 154, 0), (118, 72, 10), 11),
    "29_Pima.50": PublishedVerdicts((2, 198, 0), (38, 162, 0), 29),
    "30_satellite.50": PublishedVerdicts((0, 200, 0), (5, 195, 0), 0),
    "31_satimage-2.50": PublishedVerdicts((0, 200, 0), (0, 200, 0), 1),
    "33_skin.50": PublishedVerdicts((121, 73, 0), (113, 81, 0), 43),
    "37_Stamps.50": PublishedVerdicts((1, 199, 0), (8, 192, 0), 2),
    "appendicitis.50": PublishedVerdicts((2, 104, 0), (2, 104, 0), 56),
    "banknote.50": PublishedVerdicts((0, 200, 0), (7, 193, 0), 0),
    "biodegradation.50": PublishedVerdicts((0, 200, 0), (42, 158, 0), 25),
    "glass2.50": PublishedVerdicts((1, 161, 0), (28, 134, 0), 3),
    "heart-c.50": PublishedVerdicts((1, 199, 0), (189, 11, 0), 4),
    "ionosphere.50": PublishedVerdicts((0, 200, 0), (11, 189, 0), 3),
    "magic.50": PublishedVerdicts((0, 200, 0), (10, 190, 0), 1),
    "mofn-3-7-10.50": PublishedVerdicts((200, 0, 0), (192, 8, 0), 0),
    "phoneme.50": PublishedVerdicts((5, 195, 0), (16, 184, 0), 89),
    "ring.50": PublishedVerdicts((5, 195, 0), (21, 179, 0), 0),
    "sonar.50": PublishedVerdicts((1, 196, 3), (9, 191, 0), 1),
    "spambase.50": PublishedVerdicts((0, 200, 0), (6, 194, 0), 0),
    "spectf.50": PublishedVerdicts((0, 198, 2), (32, 168, 0), 19),
    "twonorm.50": PublishedVerdicts((0, 200, 0), (3, 197, 0), 1),
    "wdbc.50": PublishedVerdicts((0, 200, 0), (3, 197, 0), 3),
    "wpbc.50": PublishedVerdicts((0, 194, 0), (8, 182, 4), 112),
    "xd6.4": PublishedVerdicts((169, 0, 31), (197, 3, 0), 0),
    "xd6.50": PublishedVerdicts((195, 0, 5), (200, 0, 0), 0),
}
"""The published verdicts, by the names of the forests.  None of them timed out."""
