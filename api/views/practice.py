"""Practice sentences: their gold answers, and how annotators did."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.formats.tutorial_files import read_tutorial
from annotation.judging import practice
from annotation.judging.errors import InvalidJudgement
from annotation.judging.practice import LONGEST_EXPLANATION
from annotation.judging.practice_results import practice_results
from annotation.kinds import kind_of
from annotation.kinds.answers import LONGEST_DETAIL
from annotation.models import Project, Sentence
from annotation.projects.limits import with_plain_line_ends
from annotation.projects.tutorials import add_tutorial
from api.base_views import ApiView
from api.exceptions import Conflict, bad_body, problems_of_files
from api.idempotency import idempotent
from api.pagination import OldestFirstPagination, PageQuery
from api.parsers import UploadParser
from api.permissions import IsProjectAdministrator, IsProjectObserver
from api.project_serializers import (
    LARGEST_NUMBER,
    PieceSerializer,
    ReferenceSerializer,
    sheet_json,
)
from api.serializers import StrictSerializer
from api.views.controls import Retirement, retire

# More than any sentence has.
MAX_SEGMENTS = 1000


class PracticeSerializer(serializers.ModelSerializer[Sentence]):
    sentence = serializers.IntegerField(
        source="source_number",
        read_only=True,
        help_text="The line in the source, or the number of a sentence of a tutorial.",
    )
    is_of_tutorial = serializers.BooleanField(
        read_only=True, help_text="Whether it belongs to a tutorial, whose texts are its own."
    )
    practised = serializers.IntegerField(read_only=True, help_text="Annotators who practised it.")

    class Meta:
        model = Sentence
        fields = ("number", "sentence", "is_of_tutorial", "text", "practised", "retired")
        read_only_fields = fields


class PossiblePracticeSerializer(serializers.ModelSerializer[Sentence]):
    sentence = serializers.IntegerField(
        source="number", read_only=True, help_text="The line in the source."
    )

    class Meta:
        model = Sentence
        fields = ("sentence", "text")
        read_only_fields = fields


class CardSerializer(serializers.Serializer[Any]):
    """A candidate, or several with the same text."""

    key = serializers.CharField(help_text="Its name in `placements` or `scores`.")
    text = serializers.CharField()


class AnsweredCardSerializer(CardSerializer):
    rank = serializers.IntegerField(allow_null=True, help_text="Null means garbage.")
    score = serializers.IntegerField(
        allow_null=True, help_text="Null where the project's kind has no scores."
    )
    detail = serializers.CharField(
        help_text="What is added to the rank, such as marked errors; empty in most kinds."
    )


class SheetSegmentSerializer(serializers.Serializer[Any]):
    pieces = PieceSerializer(many=True, help_text="Of the source; joined they are all of it.")
    candidates = CardSerializer(many=True)


class AnsweredSegmentSerializer(SheetSegmentSerializer):
    candidates = AnsweredCardSerializer(many=True)
    explanation = serializers.CharField(
        help_text="Why the candidates have these ranks, in Markdown."
    )


class SheetSerializer(serializers.Serializer[Any]):
    """What is judged in a sentence, without the names of systems."""

    sentence = serializers.IntegerField(help_text="The line in the source.")
    source = serializers.CharField()  # type: ignore[assignment]  # a name that Field has
    references = ReferenceSerializer(many=True, help_text="Those that annotators see.")
    segments = SheetSegmentSerializer(many=True)


class AnsweredSheetSerializer(SheetSerializer):
    """A practice sentence with its gold answers."""

    number = serializers.IntegerField(help_text="Of the practice sentence.")
    retired = serializers.BooleanField(help_text="Whether it is no longer assigned.")
    segments = AnsweredSegmentSerializer(many=True)


class PracticeScoreSerializer(serializers.Serializer[Any]):
    annotator = serializers.CharField()
    done = serializers.IntegerField(help_text="Sentences practised.")
    agreed = serializers.IntegerField(
        help_text="Pairs in the right order, or scores or edits near the gold ones."
    )
    pairs = serializers.IntegerField(help_text="All pairs, scores or edits.")


class PracticeScoresSerializer(serializers.Serializer[Any]):
    sentences = serializers.IntegerField(help_text="Practice sentences that are not retired.")
    annotators = PracticeScoreSerializer(many=True)


class GoldAnswers(StrictSerializer):
    placements = serializers.DictField(
        child=serializers.IntegerField(min_value=1, max_value=LARGEST_NUMBER, allow_null=True),
        default=dict,
        help_text="The rank of every candidate by its key, or the step of the scale: 1 is best, "
        "equal ranks tie, null means garbage.",
    )
    scores = serializers.DictField(
        child=serializers.IntegerField(min_value=0, max_value=LARGEST_NUMBER),
        default=dict,
        help_text="Where annotators give scores: the score of every candidate by its key, instead "
        "of `placements`.",
    )
    details = serializers.DictField(
        child=serializers.CharField(allow_blank=True, max_length=LONGEST_DETAIL),
        default=dict,
        help_text="What the kind of judgement adds to a rank, such as marked errors, by the key of "
        "the candidate; missing ones are empty.",
    )
    explanations = serializers.ListField(
        child=serializers.CharField(
            allow_blank=True, trim_whitespace=False, max_length=LONGEST_EXPLANATION
        ),
        max_length=MAX_SEGMENTS,
        default=list,
        help_text="One for each segment, in their order, in Markdown; missing ones are empty.",
    )


class NewPractice(GoldAnswers):
    sentence = serializers.IntegerField(
        min_value=1, max_value=LARGEST_NUMBER, help_text="The line in the source."
    )


class NewTutorial(StrictSerializer):
    """The project's own tutorial, or none to take that of SegRanks for its languages."""

    file = serializers.FileField(
        required=False, help_text="JSON in the format of docs/tutorials.md."
    )


class AddedTutorialSerializer(serializers.Serializer[Any]):
    sheets = serializers.IntegerField(help_text="Practice sentences or documents of the tutorial.")


class PracticeView(ApiView):
    """Base of the views of practice sentences."""

    tag = "checks"
    permission_classes = [IsProjectAdministrator]

    def practice_sentence(self, number: int) -> Sentence:
        """Return the practice sentence with this number. Raises Http404."""
        return get_object_or_404(practice.practice_sentences(self.project), number=number)


class PracticeList(PracticeView):
    pagination_class = OldestFirstPagination
    query_serializers = {"GET": PageQuery}

    @extend_schema(operation_id="listPractice", responses=PracticeSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """List the practice sentences"""
        return self.page_response(practice.practice_sentences(self.project), PracticeSerializer)

    @extend_schema(
        operation_id="makePractice", request=NewPractice, responses={201: AnsweredSheetSerializer}
    )
    @idempotent()
    def post(self, request: Request, pk: int) -> Response:
        """Make a sentence a practice sentence

        With its gold answers: `getPracticeSheet` shows what there is to rank. The original is no
        longer assigned for judging.
        """
        values = self.read_body(NewPractice)
        number = values.pop("sentence")
        originals = self.project.sentences.filter(purpose=Sentence.Purpose.JUDGE, number=number)
        answers = _answers(self.project, originals.first(), values)
        try:
            new = practice.make_practice(project=self.project, number=number, **answers)
        except practice.NotForPractice as problem:
            error = {"pointer": "#/sentence", "detail": str(problem)}
            raise Conflict(str(problem), [error]) from None
        except InvalidJudgement as problem:
            raise bad_body({"placements": [str(problem)]}) from None
        return Response(_answered_sheet_json(self.project, new), 201)


class PracticeTutorial(ApiView):
    tag = "checks"
    permission_classes = [IsProjectAdministrator]
    parser_classes = [UploadParser]

    @extend_schema(
        operation_id="addTutorial",
        request={"multipart/form-data": NewTutorial},
        responses={201: AddedTutorialSerializer},
    )
    @idempotent()
    def post(self, request: Request, pk: int) -> Response:
        """Add a tutorial, which annotators do before other sheets

        Its sheets are practice, which is required from now on. It replaces a former tutorial.
        """
        file = self.read_body(NewTutorial).get("file")
        with problems_of_files():
            own = read_tutorial(file.read(), file.name) if file else None
            sheets = add_tutorial(project=self.project, own=own)
        return Response({"sheets": sheets}, 201)


class PossiblePractice(PracticeView):
    pagination_class = OldestFirstPagination
    query_serializers = {"GET": PageQuery}

    @extend_schema(
        operation_id="listPossiblePractice", responses=PossiblePracticeSerializer(many=True)
    )
    def get(self, request: Request, pk: int) -> Response:
        """List the sentences that can become practice sentences

        Those that were never assigned.
        """
        return self.page_response(practice.may_serve(self.project), PossiblePracticeSerializer)


class PracticeSheet(PracticeView):
    @extend_schema(operation_id="getPracticeSheet", responses=SheetSerializer)
    def get(self, request: Request, pk: int, number: int) -> Response:
        """Get what there is to rank in a sentence that can become a practice sentence"""
        originals = self.project.sentences.filter(purpose=Sentence.Purpose.JUDGE)
        sentence = get_object_or_404(originals, number=number)
        practice.sentence_to_serve(self.project, sentence.number)
        return Response(_sheet_json(self.project, sentence))


class PracticeResults(ApiView):
    tag = "checks"
    permission_classes = [IsProjectObserver]

    @extend_schema(operation_id="getPracticeResults", responses=PracticeScoresSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Get the practice scores of annotators

        Against the present gold answers.
        """
        return Response(PracticeScoresSerializer(practice_results(self.project)).data)


class PracticeDetail(PracticeView):
    @extend_schema(operation_id="getPractice", responses=AnsweredSheetSerializer)
    def get(self, request: Request, pk: int, number: int) -> Response:
        """Get a practice sentence with its gold answers"""
        return Response(_answered_sheet_json(self.project, self.practice_sentence(number)))

    @extend_schema(operation_id="retirePractice", request=Retirement, responses={204: None})
    def put(self, request: Request, pk: int, number: int) -> Response:
        """Retire a practice sentence, or use it again

        Existing judgements of it are kept.
        """
        return retire(self, Sentence.Purpose.PRACTICE, number)


class PracticeAnswers(PracticeView):
    @extend_schema(
        operation_id="setPracticeAnswers", request=GoldAnswers, responses=AnsweredSheetSerializer
    )
    def put(self, request: Request, pk: int, number: int) -> Response:
        """Change the gold answers of a practice sentence

        Feedback and scores use them from now on, also for earlier practice.
        """
        sentence = self.practice_sentence(number)
        answers = _answers(self.project, sentence, self.read_body(GoldAnswers))
        try:
            practice.change_answers(project=self.project, sentence=sentence, **answers)
        except InvalidJudgement as problem:
            raise bad_body({"placements": [str(problem)]}) from None
        return Response(_answered_sheet_json(self.project, sentence))


def _answers(project: Project, sentence: Sentence | None, values: dict[str, Any]) -> dict[str, Any]:
    """Return the gold answers as the service takes them.

    Raises Problem if there are more explanations than segments, or scores where annotators give
    none. If there is no such sentence, the service says so.
    """
    answer = kind_of(project).answer
    scored = {key: answer.rank_of(score) for key, score in values["scores"].items()}
    if None in scored.values():
        raise bad_body({"scores": [_("Annotators of this project give no scores.")]})
    texts = [with_plain_line_ends(text) for text in values["explanations"]]
    segments = len(practice.answer_sheet(sentence, project).segments) if sentence else len(texts)
    if len(texts) > segments:
        message = _("This sentence has only %(count)d segments.") % {"count": segments}
        raise bad_body({"explanations": [message]})
    return {
        "choices": values["placements"] | scored,
        "explanations": dict(enumerate(texts)),
        "details": values["details"],
    }


def _sheet_json(project: Project, sentence: Sentence) -> dict[str, Any]:
    sheet = sheet_json(practice.answer_sheet(sentence, project))
    return {"sentence": sentence.source_number} | sheet


def _answered_sheet_json(project: Project, sentence: Sentence) -> dict[str, Any]:
    ranks, explanations = practice.answers(sentence, project)
    details = practice.gold_details(sentence, project)
    answer = kind_of(project).answer
    sheet = _sheet_json(project, sentence) | {
        "number": sentence.number,
        "retired": sentence.retired,
    }
    for segment, explanation in zip(sheet["segments"], explanations, strict=True):
        segment["explanation"] = explanation
        for card in segment["candidates"]:
            card["rank"] = ranks[card["key"]]
            card["score"] = answer.score_of(card["rank"])
            card["detail"] = details.get(card["key"], "")
    return sheet
