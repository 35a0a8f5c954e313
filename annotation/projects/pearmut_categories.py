"""The typology of a project and the categories of a campaign of Pearmut (MQM)."""

from typing import Final

from annotation.formats.error_points import KNOWN_SEVERITIES
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.marked_errors import MISSING
from annotation.formats.pearmut import Campaign
from annotation.formats.pearmut_categories import (
    DEFAULT_CATEGORIES,
    DEFAULT_SEVERITIES,
    category_names,
)
from annotation.kinds.answers import Answer
from annotation.kinds.marked_errors import Marking
from annotation.kinds.typology import Typology

MQM: Final = "MQM"


def typology_of(campaign: Campaign) -> Typology:
    """Return the categories, severities and special tokens of a campaign, tokens as marks.

    Raises InputError for those that a project cannot have.
    """
    if campaign.categories == "input":
        raise InputError(
            _(
                "Annotators of the campaign write categories themselves, and a project has a list "
                "of them: give “mqm_categories”."
            )
        )
    severities = DEFAULT_SEVERITIES if campaign.severities is None else campaign.severities
    unknown = [one for one in severities if one.lower() not in KNOWN_SEVERITIES]
    if unknown or not severities:
        raise InputError(
            _(
                "Errors of a project have one of the severities %(known)s, whose points are known: "
                "change “mqm_severities” (%(found)s)."
            ),
            known=", ".join(KNOWN_SEVERITIES),
            found=", ".join(unknown),
        )
    if campaign.special_tokens[:1] != (MISSING,):
        raise InputError(
            _("Errors of a project can be missing text: put %(token)s first in “special_tokens”."),
            token=MISSING,
        )
    return Typology(
        category_names(campaign.categories or DEFAULT_CATEGORIES),
        tuple(one.lower() for one in severities),
        marks=campaign.special_tokens[1:],
    )


def special_tokens(answer: Answer) -> tuple[str, ...]:
    """Return the special tokens of a project's campaign: missing text, and its marks."""
    typology = answer.typology if isinstance(answer, Marking) else None
    return (MISSING, *(typology.marks if typology else ()))
