"""The decision that annotators see the candidates of undecided systems only."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.common.error_messages import localize_error
from annotation.formats.errors import InputError
from annotation.formats.names import LONGEST_SYSTEM_NAME
from annotation.models import Project
from annotation.projects.provenance import Decision
from annotation.projects.undecided_systems import (
    decision_in_force,
    propose,
    set_undecided,
)
from api.base_views import ApiView
from api.exceptions import bad_body
from api.permissions import IsProjectAdministrator
from api.serializers import NameField, StrictSerializer

MOST_SYSTEMS = 1000


class ShownSerializer(serializers.Serializer[Any]):
    segments = serializers.IntegerField(help_text="Segments with candidates to compare.")
    candidates_per_segment = serializers.FloatField(allow_null=True)
    narrowed_segments = serializers.IntegerField(help_text="The same of the undecided systems.")
    narrowed_candidates_per_segment = serializers.FloatField(allow_null=True)
    time_saved = serializers.FloatField(
        allow_null=True, help_text="The expected share of the time of judging."
    )


class UndecidedSerializer(serializers.Serializer[Any]):
    undecided = serializers.ListField(
        child=serializers.CharField(), help_text="The systems whose candidates annotators see."
    )
    decided = serializers.ListField(child=serializers.CharField())
    when = serializers.DateTimeField(
        allow_null=True, help_text="Null while all systems are undecided, and of a preview."
    )
    by = serializers.CharField(help_text="Who decided.")
    shown = ShownSerializer(allow_null=True, help_text="Null while all systems are undecided.")


class NewUndecided(StrictSerializer):
    undecided = serializers.ListField(
        child=NameField(max_length=LONGEST_SYSTEM_NAME),
        max_length=MOST_SYSTEMS,
        help_text="At least two names of systems; all of them to show all again.",
    )
    preview = serializers.BooleanField(
        default=False, help_text="Whether only to answer what it would save."
    )


class Undecided(ApiView):
    tag = "systems"
    permission_classes = [IsProjectAdministrator]

    @extend_schema(operation_id="getUndecided", responses=UndecidedSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Get the undecided systems"""
        return Response(_json(self.project, decision_in_force(self.project)))

    @extend_schema(operation_id="setUndecided", request=NewUndecided, responses=UndecidedSerializer)
    def put(self, request: Request, pk: int) -> Response:
        """Show annotators the undecided systems only

        New assignments do not show candidates that only decided systems produced. Their judgements
        count in one ranking only, that of the undecided systems against each other: the report has
        it apart. Name all systems to show all again.
        """
        body = self.read_body(NewUndecided)
        names = body["undecided"]
        try:
            if body["preview"]:
                proposal = propose(project=self.project, names=names)
                return Response(_json(self.project, proposal, preview=True))
            set_undecided(project=self.project, names=names, by=str(self.user))
        except InputError as error:
            raise bad_body({"undecided": [localize_error(error).words]}) from None
        self.project.refresh_from_db()
        return Response(_json(self.project, decision_in_force(self.project)))


def _json(project: Project, decision: Decision | None, *, preview: bool = False) -> dict[str, Any]:
    if decision is None:
        names = list(project.systems.order_by("pk").values_list("name", flat=True))
        return {"undecided": names, "decided": [], "when": None, "by": "", "shown": None}
    shown = decision.shown
    return {
        "undecided": list(decision.undecided),
        "decided": list(decision.decided),
        "when": None if preview else decision.when,
        "by": decision.by,
        "shown": {
            "segments": shown.segments,
            "candidates_per_segment": shown.per_segment,
            "narrowed_segments": shown.narrowed_segments,
            "narrowed_candidates_per_segment": shown.narrowed_per_segment,
            "time_saved": shown.time_saved,
        },
    }
