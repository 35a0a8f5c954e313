"""The forms of the judging page."""

import re
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _

from annotation.formats.judgement_lines import GARBAGE
from annotation.judging.errors import InvalidJudgement
from annotation.kinds import kind_of
from annotation.kinds.answers import Answer, InvalidAnswer
from annotation.models import Project, Skip
from annotation.projects.limits import with_plain_line_ends

CARD = re.compile(r"card-([0-9]{1,4}-[0-9]{1,4})")
NUMBER = re.compile(r"[0-9]{1,18}")
COMMENT = re.compile(r"comment-([0-9]{1,4})")
DETAIL = re.compile(r"detail-([0-9]{1,4}-[0-9]{1,4})")
SCORE = re.compile(r"score-([0-9]{1,4}-[0-9]{1,4})")
# The number of the part is last.
PART = re.compile(r"part-([0-9]{1,4}-[0-9]{1,4})-([0-9]{1,2})")
RANK = re.compile(r"[0-9]{1,4}")


def reasons_of(project: Project) -> list[tuple[str, Any]]:
    """Return why a sheet of the project can be skipped, as choices of a form."""
    segmented = kind_of(project).unit.is_segmented
    return [
        (value, name)
        for value, name in Skip.Reason.choices
        if segmented or value != Skip.Reason.WRONG_SEGMENT
    ]


class ReasonForm(forms.Form):
    """Why an annotator skips the open sentence."""

    reason = forms.ChoiceField(choices=Skip.Reason.choices)
    comment = forms.CharField(max_length=2000, required=False)


class SkipForm(ReasonForm):
    """The same, and the id of the assignment."""

    skip = forms.IntegerField(min_value=1, max_value=2**63 - 1, widget=forms.HiddenInput)


@dataclass(frozen=True)
class PostedJudgement:
    """The judging form as posted: its readable placements, comments by segment, and details.

    `problem` says what cannot be read ("" = nothing), `differences` whether they were marked.
    """

    assignment_id: int
    token: str
    choices: dict[str, int | None]
    comments: dict[str, str]
    details: dict[str, str]
    problem: str
    differences: bool

    def checked_choices(self) -> dict[str, int | None]:
        """Return the choices; raise InvalidJudgement if any could not be read."""
        if self.problem:
            raise InvalidJudgement(self.problem)
        return self.choices


def read_judgement(post: QueryDict, answer: Answer) -> PostedJudgement:
    """Read a judgement: the assignment, its token, and the fields of its cards."""
    choices, details, problem = read_cards(post, answer)
    assignment = post.get("assignment", "")
    if not NUMBER.fullmatch(assignment):
        problem, assignment = _("The form is incomplete: please reload the page."), "0"
    return PostedJudgement(
        assignment_id=int(assignment),
        token=post.get("token", ""),
        choices=choices,
        comments=read_texts(post, COMMENT),
        details=details,
        problem=problem,
        differences=post.get("differences") == "on",
    )


def read_cards(
    post: QueryDict, answer: Answer
) -> tuple[dict[str, int | None], dict[str, str], str]:
    """Return the readable ranks and the details by card key, and what is wrong ("" = nothing).

    Where the answer is asked for in parts, they come from the fields `part-<key>-<number>`.
    """
    choices, problem = read_choices(post, answer)
    details = read_texts(post, DETAIL)
    parts: dict[str, dict[int, str]] = {}
    for name in post:
        if field := PART.fullmatch(name):
            parts.setdefault(field[1], {})[int(field[2])] = post.get(name, "").strip()
    for key, typed in parts.items():
        choices.pop(key, None)
        try:
            rank, details[key] = answer.read_parts(typed)
        except InvalidAnswer as error:
            problem = str(error)
        else:
            if rank is not None:
                choices[key] = rank
    return choices, details, problem


def read_texts(post: QueryDict, field: re.Pattern[str]) -> dict[str, str]:
    """Return the texts of these fields by the key in their names. PostgreSQL stores no NUL."""
    found = {}
    for name in post:
        if key := field.fullmatch(name):
            found[key[1]] = with_plain_line_ends(post.get(name, "")).replace("\0", "")
    return found


def read_choices(post: QueryDict, answer: Answer) -> tuple[dict[str, int | None], str]:
    """Read the fields `card-<key>`, a rank from 1, or "garbage", and `score-<key>`, a number.

    Return the ranks of the readable ones, and what is wrong with the others ("" = nothing).
    """
    problem = ""
    choices: dict[str, int | None] = {}
    for name in post:
        if key := SCORE.fullmatch(name):
            try:
                rank = answer.read_score(post.get(name, "").strip())
            except InvalidAnswer as error:
                problem = str(error)
            else:
                if rank is not None:
                    choices[key[1]] = rank
        if not name.startswith("card-"):
            continue
        key, values = CARD.fullmatch(name), post.getlist(name)
        if key is None or (values != [GARBAGE] and not RANK.fullmatch(" ".join(values))):
            problem = _("A placement cannot be read: please reload the page.")
        else:
            choices[key[1]] = None if values == [GARBAGE] else int(values[0])
    return choices, problem
