"""The points of an error by its category and severity, as MQM counts them: lower is better.

Source: Freitag et al. (2021), "Experts, Errors, and Context: A Large-Scale Study of Human
Evaluation for Machine Translation", table 4; the scripts of WMT24.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from annotation.formats.span_notation import Span

PUNCTUATION: Final = "fluency/punctuation"
# A segment that is too garbled to mark errors in it. Names of categories are compared in small
# letters and by their beginnings: WMT21 and later write "Non-translation!".
NON_TRANSLATION: Final = "non-translation"
SOURCE_ERROR: Final = ("source error", "source issue")
REINTERPRETATION: Final = "reinterpretation"
# The severities that the weights know, the mildest first.
KNOWN_SEVERITIES: Final = ("neutral", "minor", "major", "critical")


@dataclass(frozen=True)
class ErrorWeights:
    """The points of an error by its category and severity, and the name of such a choice.

    Neutral errors have no points. `source_errors` says whether errors of the source count with
    their severity, or not at all; `reinterpretations` says the same of creative reinterpretations.
    `own` are the points of severities that only one project has.
    """

    name: str
    major: float = 5.0
    minor: float = 1.0
    critical: float = 5.0
    minor_punctuation: float = 0.1
    non_translation: float = 25.0
    source_errors: bool = True
    reinterpretations: bool = True
    own: tuple[tuple[str, float], ...] = ()

    def of(self, category: str, severity: str) -> float:
        """Return the points of an error. Raises KeyError for an unknown severity.

        The order is that of WMT24: a neutral error of any category has no points.
        """
        kind = category.lower()
        by_severity: Mapping[str, float] = {
            "": 0.0,
            "neutral": 0.0,
            "minor": self.minor_punctuation if PUNCTUATION in kind else self.minor,
            "major": self.major,
            "critical": self.critical,
            **dict(self.own),
        }
        points = by_severity[severity.lower()]
        if not points or (REINTERPRETATION in kind and not self.reinterpretations):
            return 0.0
        if kind.startswith(NON_TRANSLATION):
            return self.non_translation
        if kind.startswith(SOURCE_ERROR) and not self.source_errors:
            return 0.0
        return points

    def sum(self, spans: Iterable[Span]) -> float:
        """Return the points of all errors of a translation."""
        return sum(self.of(span.category, span.severity) for span in spans)

    @property
    def words(self) -> tuple[str, ...]:
        """What a signature says of these weights."""
        numbers = (
            f"major {self.major:g}, minor {self.minor:g}, critical {self.critical:g}",
            f"minor punctuation {self.minor_punctuation:g}",
            f"non-translation {self.non_translation:g}",
            *(f"{severity} {points:g}" for severity, points in self.own),
        )
        counted = "counted" if self.source_errors else "not counted"
        return (f"weights {self.name}", *numbers, f"source errors {counted}")


# As in the tables of WMT20 and WMT21, and as in those of WMT24.
EXPERTS: Final = ErrorWeights("Freitag et al. 2021")
WMT24: Final = ErrorWeights("WMT24", source_errors=False, reinterpretations=False)
# By name, the default one first.
WEIGHTS: Final[Mapping[str, ErrorWeights]] = {"experts": EXPERTS, "wmt24": WMT24}
