"""The page on which an administrator gives the gold answers of a practice sentence."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from django.http import QueryDict

from annotation.judging.errors import InvalidJudgement
from annotation.judging.practice import answer_sheet, answers, gold_details
from annotation.judging.rank_fields import SegmentFields, judgement_fields
from annotation.judging.sheet import Sheet
from annotation.kinds import kind_of
from annotation.models import Project, Sentence
from annotation.web.forms.judging import read_cards
from annotation.web.forms.quality_checks import ExplanationsForm


@dataclass(frozen=True)
class PostedAnswers:
    """The gold answers as posted: `problem` says which placements cannot be read."""

    choices: dict[str, int | None]
    problem: str
    explanations: ExplanationsForm
    details: dict[str, str]

    def checked(self) -> dict[str, Any]:
        """Return what to store. Raise InvalidJudgement if any of it cannot be read."""
        for errors in self.explanations.errors.values():
            raise InvalidJudgement(errors[0])
        if self.problem:
            raise InvalidJudgement(self.problem)
        return {
            "choices": self.choices,
            "explanations": self.explanations.by_place(),
            "details": self.details,
        }


@dataclass(frozen=True)
class AnswerPage:
    """All of the page. `version` changes with the stored answers."""

    project: Project
    sentence: Sentence
    is_new: bool
    sheet: Sheet
    segments: list[SegmentFields]
    version: str


def read_answers(post: QueryDict, sentence: Sentence, project: Project) -> PostedAnswers:
    choices, details, problem = read_cards(post, kind_of(project).answer)
    segments = len(answer_sheet(sentence, project).segments)
    form = ExplanationsForm(post, segments=segments)
    return PostedAnswers(choices, problem, form, details)


def answer_page(
    sentence: Sentence, project: Project, posted: PostedAnswers | None = None
) -> AnswerPage:
    """Return the page as stored, or as posted with what is wrong with it."""
    sheet = answer_sheet(sentence, project)
    is_new = sentence.copy_of_id is None
    choices: Mapping[str, int | None]
    choices, texts = ({}, []) if is_new else answers(sentence, project)
    details = {} if is_new else gold_details(sentence, project)
    stored = sorted(choices.items(), key=str), texts, sorted(details.items())
    version = sha256(repr(stored).encode()).hexdigest()[:12]
    explanations = posted.explanations if posted else _explanations(texts, len(sheet.segments))
    fields = judgement_fields(
        sheet,
        posted.choices if posted else dict(choices),
        complain=bool(posted),
        details=posted.details if posted else details,
    )
    return AnswerPage(
        project=project,
        sentence=sentence,
        is_new=is_new,
        sheet=sheet,
        segments=[
            replace(segment, why=explanations[explanations.name(number)])
            for number, segment in enumerate(fields, start=1)
        ],
        version=version,
    )


def _explanations(texts: list[str], segments: int) -> ExplanationsForm:
    name = ExplanationsForm.name
    initial = {name(number): text for number, text in enumerate(texts, start=1)}
    return ExplanationsForm(initial=initial, segments=segments)
