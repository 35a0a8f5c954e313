"""Practice sentences: which may serve, what is right in them, and how people did."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.judging import practice
from annotation.judging.errors import InvalidJudgement
from annotation.judging.practice_results import practice_results
from annotation.models import Project, Sentence
from annotation.projects.limits import with_plain_line_ends
from api.base_views import Resource
from api.exceptions import Conflict, bad_body
from api.pagination import Paging
from api.permissions import Right
from api.project_serializers import sheet_shown
from api.schema import describe
from api.views.checks import LARGEST_NUMBER, Retirement, retire
from api.views.practice_shown import (
    ANSWERS,
    SENT,
    SHEET,
    Answers,
    AnswersShown,
    NewPractice,
    OfferedShown,
    PracticeResultsShown,
    PracticeShown,
    SheetShown,
)


class Practice(Resource):
    tag = "checks"
    rights = {"GET": Right.ADMINISTER, "POST": Right.ADMINISTER}
    queries = {"GET": Paging}

    @describe(
        "listPractice",
        returns=PracticeShown,
        is_page=True,
        example={
            "number": 1,
            "sentence": 4,
            "text": "The old house stands near the river.",
            "practised": 9,
            "retired": False,
        },
    )
    def get(self, request: Request, pk: int) -> Response:
        """List the practice sentences"""
        return self.page(practice.practice_sentences(self.project), PracticeShown)

    @describe(
        "makePractice",
        takes=NewPractice,
        takes_example={"sentence": 4} | SENT,
        code=201,
        returns=AnswersShown,
        example=ANSWERS,
        refusals=[409],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Make a sentence one for practice

        With what is right in it: `getPracticeSheet` says what there is to place. From then on it
        is given to nobody to judge.
        """
        sent = self.body(request, NewPractice)
        number = sent.pop("sentence")
        sentence = self.project.sentences.filter(purpose=Sentence.Purpose.JUDGE, number=number)
        values = _checked(self.project, sentence.first(), sent)
        try:
            made = practice.make_practice(project=self.project, number=number, **values)
        except practice.NotForPractice as problem:
            raise Conflict(
                str(problem), [{"pointer": "#/sentence", "detail": str(problem)}]
            ) from None
        except InvalidJudgement as problem:
            raise bad_body({"placements": [str(problem)]}) from None
        return Response(_answers(self.project, made), 201)


class PossiblePractice(Resource):
    tag = "checks"
    rights = {"GET": Right.ADMINISTER}
    queries = {"GET": Paging}

    @describe(
        "listPossiblePractice",
        returns=OfferedShown,
        is_page=True,
        example={"sentence": 4, "text": SHEET["source"]},
    )
    def get(self, request: Request, pk: int) -> Response:
        """List the sentences that may serve for practice

        Those that nobody has or has judged.
        """
        return self.page(practice.may_serve(self.project), OfferedShown)


class PracticeSheet(Resource):
    tag = "checks"
    rights = {"GET": Right.ADMINISTER}

    @describe("getPracticeSheet", returns=SheetShown, example=SHEET, refusals=[409])
    def get(self, request: Request, pk: int, number: int) -> Response:
        """Get what is to be judged in a sentence that may serve for practice"""
        originals = self.project.sentences.filter(purpose=Sentence.Purpose.JUDGE)
        sentence = get_object_or_404(originals, number=min(number, LARGEST_NUMBER))
        practice.sentence_to_serve(self.project, sentence.number)
        return Response(_sheet(self.project, sentence))


class PracticeResults(Resource):
    tag = "checks"
    rights = {"GET": Right.OBSERVE}

    @describe(
        "getPracticeResults",
        returns=PracticeResultsShown,
        example={
            "sentences": 3,
            "annotators": [{"annotator": "jana", "done": 3, "agreed": 11, "pairs": 12}],
        },
    )
    def get(self, request: Request, pk: int) -> Response:
        """Get how people did in practice

        Against the answers as they are now.
        """
        return Response(PracticeResultsShown(practice_results(self.project)).data)


class OnePractice(Resource):
    tag = "checks"
    rights = {"GET": Right.ADMINISTER, "PUT": Right.ADMINISTER}

    @describe("getPractice", returns=AnswersShown, example=ANSWERS)
    def get(self, request: Request, pk: int, number: int) -> Response:
        """Get a practice sentence with its answers"""
        return Response(_answers(self.project, _practice(self.project, number)))

    @describe("retirePractice", takes=Retirement, takes_example={"retired": True}, code=204)
    def put(self, request: Request, pk: int, number: int) -> Response:
        """Take a practice sentence out, or put it back

        What was done with it stays.
        """
        return retire(self, request, Sentence.Purpose.PRACTICE, number)


class PracticeAnswers(Resource):
    tag = "checks"
    rights = {"PUT": Right.ADMINISTER}

    @describe(
        "setPracticeAnswers",
        takes=Answers,
        takes_example=SENT,
        returns=AnswersShown,
        example=ANSWERS,
    )
    def put(self, request: Request, pk: int, number: int) -> Response:
        """Change the answers of a practice sentence

        Feedback goes by them from now on, of what was practised before, too.
        """
        sentence = _practice(self.project, number)
        values = _checked(self.project, sentence, self.body(request, Answers))
        try:
            practice.change_answers(project=self.project, sentence=sentence, **values)
        except InvalidJudgement as problem:
            raise bad_body({"placements": [str(problem)]}) from None
        return Response(_answers(self.project, sentence))


def _checked(project: Project, sentence: Sentence | None, sent: dict[str, Any]) -> dict[str, Any]:
    """Return what is to be stored. Raises Problem where there are more explanations than segments.

    Where there is no such sentence, that is for the service to say.
    """
    texts = [with_plain_line_ends(text) for text in sent["explanations"]]
    segments = len(practice.answer_sheet(sentence, project).segments) if sentence else len(texts)
    if len(texts) > segments:
        told = _("This sentence has fewer segments: %(count)d.") % {"count": segments}
        raise bad_body({"explanations": [told]})
    return {"choices": sent["placements"], "explanations": dict(enumerate(texts))}


def _practice(project: Project, number: int) -> Sentence:
    found = practice.practice_sentences(project).filter(number=min(number, LARGEST_NUMBER)).first()
    if found is None:
        raise Http404
    return found


def _sheet(project: Project, sentence: Sentence) -> dict[str, Any]:
    shown = sheet_shown(practice.answer_sheet(sentence, project))
    return {"sentence": sentence.source_number} | shown


def _answers(project: Project, sentence: Sentence) -> dict[str, Any]:
    """Return the sheet with all that is right in it."""
    ranks, explanations = practice.answers(sentence, project)
    shown = _sheet(project, sentence) | {"number": sentence.number, "retired": sentence.retired}
    for segment, explanation in zip(shown["segments"], explanations, strict=True):
        segment["explanation"] = explanation
        for card in segment["candidates"]:
            card["rank"] = ranks[card["key"]]
    return shown
