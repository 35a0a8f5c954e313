"""What does not count: excluded texts, discarded judgements; and to whom sentences are assigned."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.common.transactions import writing
from annotation.judging import discarding
from annotation.judging.reservations import (
    MOST_AT_ONCE,
    CannotBeJudged,
    assign_sentences,
    withdraw_sentences,
)
from annotation.models import Project, Sentence
from annotation.projects import administration
from annotation.projects.exclusion import NotOfProject, set_excluded
from annotation.selectors.exclusion import excluded_of
from annotation.selectors.members import reserved_numbers
from api.base_views import ApiView
from api.exceptions import bad_body
from api.permissions import IsProjectAdministrator, IsProjectObserver
from api.project_serializers import LARGEST_NUMBER
from api.serializers import IdField, StrictSerializer
from api.views.members import MemberSerializer, member_json, membership, person_of


class ExcludedSerializer(serializers.Serializer[Any]):
    sentences = serializers.IntegerField()
    segments = serializers.IntegerField(help_text="Without those of excluded sentences.")
    candidates = serializers.IntegerField(help_text="Without those of excluded segments.")
    discarded = serializers.IntegerField(help_text="Discarded judgements of segments.")


class ExcludedTexts(ApiView):
    tag = "texts"
    permission_classes = [IsProjectObserver]

    @extend_schema(operation_id="getExcluded", responses=ExcludedSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Get how much is excluded

        It is stored, and counts nowhere.
        """
        return Response(ExcludedSerializer(excluded_of(self.project)).data)


class Exclusion(StrictSerializer):
    excluded = serializers.BooleanField(help_text="False to include it again.")
    segment = IdField(required=False, help_text="The id of a segment of the sentence.")
    candidate = IdField(required=False, help_text="The id of a candidate of that segment.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "candidate" in attrs and "segment" not in attrs:
            raise serializers.ValidationError({"segment": [_("Give the segment, too.")]})
        return attrs


class ExclusionSerializer(serializers.Serializer[Any]):
    sentence = serializers.IntegerField(help_text="Its number.")
    segment = serializers.IntegerField(allow_null=True)
    candidate = serializers.IntegerField(allow_null=True)
    excluded = serializers.BooleanField()


class SentenceExclusion(ApiView):
    tag = "texts"
    permission_classes = [IsProjectAdministrator]

    @extend_schema(operation_id="setExcluded", request=Exclusion, responses=ExclusionSerializer)
    def put(self, request: Request, pk: int, number: int) -> Response:
        """Exclude a sentence, segment or candidate

        Without `segment` the sentence, with all other paragraphs of its sheet where documents are
        judged; without `candidate` the segment. `getJudgedSentence` has their ids. New assignments
        do not show it, and no figure counts it. Open assignments stay as they are, and what is
        submitted is stored whole. The last candidate of a segment cannot be excluded. Reports must
        be computed again.
        """
        sentence = sentence_of(self.project, number)
        body = self.read_body(Exclusion)
        segment, candidate = body.get("segment"), body.get("candidate")
        try:
            set_excluded(
                project=self.project,
                by=self.user,
                sentence=sentence.pk,
                segment=segment,
                candidate=candidate,
                excluded=body["excluded"],
            )
        except NotOfProject:
            raise Http404 from None
        return Response(
            {
                "sentence": sentence.number,
                "segment": segment,
                "candidate": candidate,
                "excluded": body["excluded"],
            }
        )


class NewReturned(StrictSerializer):
    returned = serializers.BooleanField(help_text="False to restore the judgements.")


class ReturnedSerializer(serializers.Serializer[Any]):
    sentence = serializers.IntegerField(help_text="Its number.")
    returned = serializers.BooleanField()
    assignments = serializers.IntegerField(help_text="How many were discarded or restored.")


class SentenceReturn(ApiView):
    tag = "assignments"
    permission_classes = [IsProjectAdministrator]

    @extend_schema(
        operation_id="returnToJudging", request=NewReturned, responses=ReturnedSerializer
    )
    def put(self, request: Request, pk: int, number: int) -> Response:
        """Return a sentence to judging

        Its judgements are discarded: they are stored, and count nowhere. The sentence is judged
        again, perhaps by the same annotators. With `false`, judgements that were discarded so
        count again, unless their annotators have judged the sentence again.
        """
        sentence = sentence_of(self.project, number)
        returned = self.read_body(NewReturned)["returned"]
        change = discarding.return_to_judging if returned else discarding.restore_sentence
        count = change(project=self.project, by=self.user, sentence=sentence.pk)
        return Response({"sentence": sentence.number, "returned": returned, "assignments": count})


class NewPaused(StrictSerializer):
    paused = serializers.BooleanField()


class MemberPause(ApiView):
    tag = "people"
    permission_classes = [IsProjectAdministrator]

    @extend_schema(operation_id="pauseMember", request=NewPaused, responses=MemberSerializer)
    def put(self, request: Request, pk: int, user_pk: int) -> Response:
        """Pause a member, or let them go on

        A paused member gets no new sentences, and can finish an open one.
        """
        user_id = membership(self.project, user_pk).user_id
        paused = self.read_body(NewPaused)["paused"]
        change = administration.pause_member if paused else administration.resume_member
        change(project=self.project, by=self.user, user_id=user_id)
        return Response(member_json(self.project, user_pk))


class NewDiscarded(StrictSerializer):
    discarded = serializers.BooleanField(help_text="False to restore them.")


class DiscardedSerializer(serializers.Serializer[Any]):
    user = serializers.IntegerField()
    discarded = serializers.BooleanField()
    assignments = serializers.IntegerField(help_text="How many were discarded or restored.")


class MemberJudgements(ApiView):
    tag = "people"
    permission_classes = [IsProjectAdministrator]

    @extend_schema(
        operation_id="discardJudgements", request=NewDiscarded, responses=DiscardedSerializer
    )
    def put(self, request: Request, pk: int, user_pk: int) -> Response:
        """Discard the judgements of a person, or restore them

        Of present and former members. They are stored and count nowhere, and their sentences are
        judged again. Practice stays, and control sentences still say how careful the person was.
        Restored judgements count again, unless the person has judged the sentence again. Batches
        become free, and are the person's again if they are still free.
        """
        person = person_of(self.project, user_pk)
        discarded = self.read_body(NewDiscarded)["discarded"]
        change = discarding.discard_judgements if discarded else discarding.restore_judgements
        count = change(project=self.project, by=self.user, annotator=person)
        return Response({"user": person.pk, "discarded": discarded, "assignments": count})


class AssignedSentences(StrictSerializer):
    sentences = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LARGEST_NUMBER),
        max_length=MOST_AT_ONCE,
        help_text="Their numbers.",
    )


class MemberSentences(ApiView):
    tag = "assignments"
    permission_classes = [IsProjectAdministrator]

    @extend_schema(operation_id="getAssignedSentences", responses=AssignedSentences)
    def get(self, request: Request, pk: int, user_pk: int) -> Response:
        """Get the sentences that are assigned to a member

        Those that you assigned to them, judged or not.
        """
        user_id = membership(self.project, user_pk).user_id
        return Response({"sentences": reserved_numbers(self.project, user_id)})

    @extend_schema(
        operation_id="assignSentences", request=AssignedSentences, responses=AssignedSentences
    )
    def put(self, request: Request, pk: int, user_pk: int) -> Response:
        """Assign sentences to a member

        They get these sentences before all others, also those with enough judges. The list
        replaces the former one; what they have open or have judged stays.
        """
        member = membership(self.project, user_pk).user
        wanted = set(self.read_body(AssignedSentences)["sentences"])
        with writing():
            before = set(reserved_numbers(self.project, member.pk))
            who: Any = {"project": self.project, "by": self.user, "annotator": member}
            try:
                assign_sentences(**who, numbers=sorted(wanted - before))
            except CannotBeJudged as problem:
                raise bad_body({"sentences": [str(problem)]}) from None
            withdraw_sentences(**who, numbers=sorted(before - wanted))
        return Response({"sentences": reserved_numbers(self.project, member.pk)})


def sentence_of(project: Project, number: int) -> Sentence:
    """Return the sentence to judge with this number. Raises Http404."""
    to_judge = project.sentences.filter(purpose=Sentence.Purpose.JUDGE)
    return get_object_or_404(to_judge, number=min(number, LARGEST_NUMBER))
