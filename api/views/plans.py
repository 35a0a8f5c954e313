"""Plans of campaigns."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.common.error_messages import localize_error
from annotation.formats.errors import InputError
from annotation.kinds import KINDS
from annotation.models import Project
from annotation.projects.permissions import find_project
from api.base_views import ApiView
from api.exceptions import bad_query
from api.permissions import MayCreateProjects
from api.result_schemas import schema_of
from api.serializers import StrictSerializer
from api.throttling import COMPUTATION
from evaluation.findings.plan import ASKED, Asked, Plan, PlanOptions
from evaluation.findings.serialisation import to_json
from evaluation.services.plans import plan_campaign


def _field(asked: Asked) -> serializers.Field[Any, Any, Any, Any]:
    words = [str(text).rstrip(".") for text in (asked.label, asked.help) if text]
    said: dict[str, Any] = {"required": asked.required, "help_text": f"{'. '.join(words)}."}
    if asked.is_whole:
        return serializers.IntegerField(
            min_value=int(asked.least), max_value=int(asked.most), **said
        )
    return serializers.FloatField(min_value=asked.least, max_value=asked.most, **said)


class PlanQuery(StrictSerializer):
    """A kind or an earlier project, and the numbers of a campaign."""

    kind = serializers.ChoiceField(choices=tuple(KINDS), required=False)
    project = serializers.IntegerField(
        required=False, min_value=1, help_text="The id of an earlier project."
    )

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {**super().get_fields(), **{asked.name: _field(asked) for asked in ASKED}}


@extend_schema_field(schema_of(Plan))
class PlanField(serializers.DictField):
    """The plan as the command writes it."""


class PlanSerializer(StrictSerializer):
    plan = PlanField()


class PlanDetail(ApiView):
    tag = "projects"
    permission_classes = [MayCreateProjects]
    throttle_scope = COMPUTATION
    query_serializers = {"GET": PlanQuery}

    @extend_schema(operation_id="getPlan", responses=PlanSerializer)
    def get(self, request: Request) -> Response:
        """Plan a campaign

        What it costs and may conclude, by an earlier project or published figures; see
        docs/evaluation.md. Nothing is stored.
        """
        given = dict(self.query)
        kind, project_pk = given.pop("kind", ""), given.pop("project", None)
        project: Project | None = None
        if project_pk is not None:
            project, _rights = find_project(self.user, project_pk, "observe")
        if not kind and project is None:
            raise bad_query({"kind": [_("Choose a kind, or an earlier project.")]})
        try:
            found = plan_campaign(PlanOptions(**given), kind=kind, project=project)
        except InputError as problem:
            raise bad_query({"": [localize_error(problem).words]}) from problem
        return Response({"plan": to_json(found)})
