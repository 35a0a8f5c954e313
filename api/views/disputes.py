"""Disputed sheets of documents, and what a curator decides about them."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.common.exceptions import NotPossible
from annotation.judging.disputes import settle
from annotation.kinds import kind_of
from annotation.kinds.answers import Answer, InvalidAnswer
from annotation.models import Settlement
from annotation.projects.permissions import LARGEST_ID
from annotation.selectors.disputes import (
    DisputedSheet,
    Given,
    disputed_sheet,
    disputed_sheets,
)
from api.base_views import ApiView
from api.exceptions import Conflict, bad_body
from api.permissions import IsProjectAdministrator
from api.serializers import StrictSerializer

BY_NUMBER = "The number of the annotator, from 1, in the order of their submissions."


class DisputedRowSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField(help_text="Of the sheet.")
    document = serializers.CharField()
    line = serializers.IntegerField(help_text="The first line of the sheet.")
    answers = serializers.IntegerField()
    difference = serializers.FloatField(help_text="Of the means of a system, where it is largest.")
    is_settled = serializers.BooleanField()


class Disputed(serializers.Serializer[Any]):
    results = DisputedRowSerializer(many=True)


class GivenSerializer(serializers.Serializer[Any]):
    rank = serializers.IntegerField(allow_null=True, help_text="Null is garbage.")
    score = serializers.IntegerField(allow_null=True)


class DisputedTextSerializer(serializers.Serializer[Any]):
    candidate = serializers.IntegerField()
    line = serializers.IntegerField()
    text = serializers.CharField()
    columns = serializers.ListField(
        child=serializers.IntegerField(), help_text="Numbers of the systems that made it."
    )
    answers = serializers.ListField(
        child=GivenSerializer(allow_null=True), help_text="In the order of the annotators."
    )
    settled = GivenSerializer(allow_null=True)


class DisputedSheetSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    document = serializers.CharField()
    difference = serializers.FloatField()
    answer_of = serializers.IntegerField(
        allow_null=True, help_text=f"Whose answer was taken over. {BY_NUMBER}"
    )
    comment = serializers.CharField(help_text="Why it was settled so.")
    texts = DisputedTextSerializer(many=True)


class Decision(StrictSerializer):
    """Whose answer is taken over, or scores of your own."""

    answer_of = serializers.IntegerField(required=False, min_value=1, help_text=BY_NUMBER)
    scores = serializers.DictField(
        required=False,
        child=serializers.IntegerField(min_value=0, max_value=1000),
        help_text="A score for each candidate, by its number.",
    )
    comment = serializers.CharField(
        required=False, allow_blank=True, max_length=Settlement.LONGEST_COMMENT
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("answer_of" in attrs) == ("scores" in attrs):
            raise serializers.ValidationError("Give either answer_of or scores.")
        return attrs


class DisputesView(ApiView):
    """Base of the views of disputes."""

    tag = "checks"
    permission_classes = [IsProjectAdministrator]


class DisputedList(DisputesView):
    @extend_schema(operation_id="listDisputed", responses=Disputed)
    def get(self, request: Request, pk: int) -> Response:
        """List disputed sheets

        Those whose answers differ by more than the project's `disputed_from`.
        """
        rows = disputed_sheets(self.project)
        return Response({"results": DisputedRowSerializer(rows, many=True).data})


class DisputedDetail(DisputesView):
    @extend_schema(operation_id="getDisputed", responses=DisputedSheetSerializer)
    def get(self, request: Request, pk: int, sheet: int) -> Response:
        """Get all answers to a sheet that several annotators have judged"""
        return Response(_sheet_json(self._sheet(sheet), kind_of(self.project).answer))

    @extend_schema(
        operation_id="settleDisputed", request=Decision, responses=DisputedSheetSerializer
    )
    def put(self, request: Request, pk: int, sheet: int) -> Response:
        """Settle a sheet

        All answers stay stored and count. A later decision replaces this one.
        """
        shown, answer = self._sheet(sheet), kind_of(self.project).answer
        values = self.read_body(Decision)
        answer_of, ranks = None, None
        if "answer_of" in values:
            if values["answer_of"] not in shown.numbers:
                raise bad_body({"answer_of": ["There is no annotator with this number."]})
            answer_of = shown.annotators[values["answer_of"] - 1]
        else:
            ranks = _ranks(values["scores"], shown, answer)
        try:
            settle(
                project=self.project,
                by=self.user,
                number=sheet,
                answer_of=answer_of,
                ranks=ranks,
                comment=values.get("comment", ""),
            )
        except NotPossible as problem:
            raise Conflict(str(problem)) from None
        return Response(_sheet_json(self._sheet(sheet), answer))

    def _sheet(self, number: int) -> DisputedSheet:
        sheet = disputed_sheet(self.project, number) if number <= LARGEST_ID else None
        if sheet is None:
            raise Http404
        return sheet


def _ranks(scores: dict[str, int], sheet: DisputedSheet, answer: Answer) -> dict[int, int | None]:
    wanted = {str(candidate) for candidate in sheet.candidates}
    if scores.keys() != wanted:
        raise bad_body({"scores": [f"Give a score for each of {', '.join(sorted(wanted))}."]})
    ranks: dict[int, int | None] = {}
    for candidate, score in scores.items():
        rank = answer.rank_of(score)
        if rank is None:
            raise bad_body({"scores": ["This project has no scores: give answer_of."]})
        try:
            answer.check_rank(rank, answer.ranks(1))
        except InvalidAnswer as problem:
            raise bad_body({"scores": [str(problem)]}) from None
        ranks[int(candidate)] = rank
    return ranks


def _sheet_json(sheet: DisputedSheet, answer: Answer) -> dict[str, Any]:
    def given(one: Given | None) -> dict[str, Any] | None:
        return {"rank": one.rank, "score": answer.score_of(one.rank)} if one else None

    return {
        "number": sheet.number,
        "document": sheet.document,
        "difference": sheet.difference,
        "answer_of": sheet.settled_by_answer,
        "comment": sheet.settlement.comment if sheet.settlement else "",
        "texts": [
            {
                "candidate": text.candidate,
                "line": paragraph.line,
                "text": text.text,
                "columns": list(text.columns),
                "answers": [given(one) for one in text.answers],
                "settled": given(text.settled),
            }
            for paragraph in sheet.paragraphs
            for text in paragraph.texts
        ],
    }
