"""What the judging page talks to while somebody judges: drafts, submissions, skips.

Every refusal is one sentence under "detail", for the annotator; then nothing is stored.
"""

from collections.abc import Callable, Mapping
from typing import Any, cast

from django.core.exceptions import RequestDataTooBig
from django.http import Http404
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from rest_framework import serializers, status
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import JSONParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation import drafts, judging
from annotation.access import LARGEST_ID
from annotation.assignment import NotOpen, NotYours, skip
from annotation.models import Project, Skip, User


class TooLarge(APIException):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "too_large"


class ShallowJSONParser(JSONParser):
    """Refuses a body that is nested deeper than Python reads."""

    def parse(
        self,
        stream: Any,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError as problem:
            raise ParseError(_("This is nested too deeply to be a judgement.")) from problem


class Choices(serializers.DictField):
    """Placements by the keys of cards: a rank from 1, or "garbage"."""

    def to_internal_value(self, data: Any) -> dict[str, int | str]:
        if not isinstance(data, dict) or not all(map(_is_place, data.values())):
            raise serializers.ValidationError(
                _("A placement is a rank, as a whole number from 1, or the word garbage.")
            )
        return data


def _is_place(place: object) -> bool:
    if isinstance(place, int) and not isinstance(place, bool):
        return 1 <= place <= 10_000
    return place == drafts.GARBAGE


class DraftFields(serializers.Serializer[Any]):
    base = serializers.IntegerField(min_value=0, max_value=2**31 - 1)
    choices = Choices()
    active_seconds = serializers.FloatField(min_value=0, max_value=1e9, default=0.0)


class SubmissionFields(serializers.Serializer[Any]):
    token = serializers.UUIDField()
    choices = Choices()
    active_seconds = serializers.FloatField(
        min_value=0, max_value=1e9, default=None, allow_null=True
    )


class SkipFields(serializers.Serializer[Any]):
    reason = serializers.ChoiceField(choices=Skip.Reason.choices)
    comment = serializers.CharField(max_length=2000, allow_blank=True, default="")


@method_decorator(never_cache, name="dispatch")
class AssignmentView(APIView):
    """One assignment of the signed-in annotator, by its project and id."""

    parser_classes = [ShallowJSONParser]

    def which(self, request: Request, project_pk: int, pk: int) -> dict[str, Any]:
        if max(project_pk, pk) > LARGEST_ID:
            raise Http404
        return {
            "annotator": cast(User, request.user),
            # Whether it is the assignment's project is asked with the assignment, in one query.
            "project": Project(pk=project_pk),
            "assignment_id": pk,
        }

    def fields(self, request: Request, kind: type[serializers.Serializer[Any]]) -> dict[str, Any]:
        try:
            fields = kind(data=request.data)
        except RequestDataTooBig as problem:
            raise TooLarge(_("This is too large to be a judgement.")) from problem
        if not fields.is_valid():
            name, problems = next(iter(fields.errors.items()))
            raise serializers.ValidationError({"detail": f"{name}: {problems[0]}"})
        return cast(dict[str, Any], fields.validated_data)


class DraftView(AssignmentView):
    """PUT saves placements that are not submitted yet, as the version after `base`."""

    def put(self, request: Request, project_pk: int, pk: int) -> Response:
        fields = self.fields(request, DraftFields)
        try:
            version = drafts.save_draft(**self.which(request, project_pk, pk), **fields)
        except drafts.Conflict as conflict:
            current = conflict.current
            answer = {"version": current.version, "choices": current.choices}
            return Response({"detail": str(conflict), **answer}, status.HTTP_409_CONFLICT)
        except judging.Refused as refusal:
            return refused(refusal)
        return Response({"version": version})


class SubmissionView(AssignmentView):
    """POST hands in; the same token again gets the same answer and changes nothing."""

    hand_in: Callable[..., judging.Handed] = staticmethod(judging.submit)

    def post(self, request: Request, project_pk: int, pk: int) -> Response:
        fields = self.fields(request, SubmissionFields)
        choices = {
            key: None if place == drafts.GARBAGE else place
            for key, place in fields["choices"].items()
        }
        try:
            handed = self.hand_in(
                **self.which(request, project_pk, pk),
                token=str(fields["token"]),
                choices=choices,
                active_seconds=fields["active_seconds"],
            )
        except judging.Refused as refusal:
            return refused(refusal)
        return Response({"submission": handed.submission.number}, status.HTTP_201_CREATED)


class RevisionView(SubmissionView):
    """POST stores a revision of what was submitted."""

    hand_in = staticmethod(judging.revise)


class SkipView(AssignmentView):
    """POST gives the sentence back for a reason."""

    def post(self, request: Request, project_pk: int, pk: int) -> Response:
        fields = self.fields(request, SkipFields)
        try:
            skip(**self.which(request, project_pk, pk), **fields)
        except NotYours:
            raise Http404 from None
        except NotOpen as problem:
            return Response({"detail": str(problem)}, status.HTTP_409_CONFLICT)
        return Response(status=status.HTTP_204_NO_CONTENT)


def refused(refusal: judging.Refused) -> Response:
    """Return the answer to what was refused: 404, 409 or 400."""
    codes = {
        judging.NotYours: status.HTTP_404_NOT_FOUND,
        judging.AlreadySubmitted: status.HTTP_409_CONFLICT,
        judging.Gone: status.HTTP_409_CONFLICT,
    }
    code = codes.get(type(refusal), status.HTTP_400_BAD_REQUEST)
    submitted = isinstance(refusal, judging.AlreadySubmitted)
    return Response({"detail": str(refusal), "submitted": submitted}, code)
