"""What earlier campaigns of a kind took and showed: the assumptions of a plan without judgements.

`python -m tests.load.plans DATA` computes the figures from public judgements.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


# Compared by identity, so that kinds can be hashed.
@dataclass(frozen=True, eq=False)
class Experience:
    """How long annotators of `source` worked on a text, and how far their scores varied.

    A text, one translation of a line, takes `seconds` + `per_word` · words of the source, or a line
    with all its translations if it `is_of_line`; None if the source says nothing of times.
    `variances` are in squared points by effect, in the words of
    `evaluation.stats.variance_components`; scores are from 0 to `highest`, None for error points.
    An effect that is not named was not shown.
    """

    source: str
    variances: Mapping[str, float]
    highest: float | None
    seconds: float | None = None
    per_word: float = 0.0
    is_of_line: bool = False


ESA: Final = Experience(
    "WMT23 English–German, ESA (Kocmi et al. 2024)",
    {
        "noise": 170,
        "document": 16,
        "document of the system": 25,
        "line": 28,
        "translation": 0,
        "annotator": 26,
        "annotator of the system": 0,
        "sheet": 9.4,
    },
    highest=100,
    seconds=32.2,
    per_word=0.33,
)
# The texts are those of WMT23; annotators differ as in the talks of TED 2021.
MQM: Final = Experience(
    "WMT23 English–German and TED 2021, MQM (Freitag et al. 2021)",
    {
        "noise": 55,
        "document": 11,
        "document of the system": 4.7,
        "line": 74,
        "annotator": 0.48,
        "annotator of the system": 0.07,
        "sheet": 0.06,
    },
    highest=None,
)
SQM: Final = Experience(
    "WMT23 English–German, DA+SQM",
    {"noise": 90, "document": 1.5, "document of the system": 82, "line": 23},
    highest=100,
)
# Standardised scores, by which systems are compared in it.
DA: Final = Experience(
    "WMT21 Czech–English, DA (Akhbardeh et al. 2021), standardised scores",
    {
        "noise": 0.46,
        "document": 0.05,
        "document of the system": 0.02,
        "annotator": 0.01,
        "annotator of the system": 0.05,
        "sheet": 0.18,
    },
    highest=None,
    seconds=28.9,
)
# Of a segment, the share of other systems that a system beats, ties being half.
SEGMENTS_WMT14: Final = Experience(
    "WMT14 English–Czech, SegRanks",
    {
        "noise": 0.027,
        "document": 0,
        "document of the system": 0.0026,
        "line": 0,
        "translation": 0.09,
        "annotator": 0,
        "annotator of the system": 0,
        "sheet": 0,
    },
    highest=1,
    seconds=68,
    is_of_line=True,
)
