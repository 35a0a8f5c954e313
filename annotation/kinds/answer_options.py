"""What projects choose of their answers, and how pages ask for it."""

from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from annotation.kinds.scales import SUGGESTED
from annotation.kinds.typology import FREITAG, MOST_LINES

# Lines of the options of a project, and characters of one of them.
MOST_OPTIONS: Final = MOST_LINES
LONGEST_OPTION: Final = 1000
LONGEST_OPTIONS: Final = 10_000


@dataclass(frozen=True)
class OptionsAsked:
    """The field for the options of an answer, one a line; the texts are lazily translated.

    `suggested` are those of a project that chooses none.
    """

    label: Any
    help: Any
    suggested: tuple[str, ...]


STEPS_ASKED: Final = OptionsAsked(
    label=_("Steps of the scale"),
    help=_("One a line, the best first. They cannot be changed after the first judgement."),
    suggested=SUGGESTED,
)
TYPOLOGY_ASKED: Final = OptionsAsked(
    label=_("Categories of errors"),
    help=_(
        "One a line, such as Accuracy/Omission. “severities:” has those of errors, the mildest "
        "first. “most errors: 5” limits their number in a translation. “marks:” has what can be "
        "said of a whole translation, such as [missing]. They cannot be changed after the first "
        "judgement."
    ),
    suggested=FREITAG.lines,
)
SCALES_ASKED: Final = OptionsAsked(
    label=_("Scales"),
    help=_(
        "One a line: name, least and most score, and the step if it is not 1: “Fluency 0-5”, "
        "“Adequacy 0-100 step 5”. After a colon, labels of all scores, from the least, with “|” "
        "between them. They cannot be changed after the first judgement."
    ),
    suggested=(
        "Adequacy 1-5: none | little | much | most | all",
        "Fluency 1-5: incomprehensible | disfluent | non-native | good | flawless",
    ),
)
