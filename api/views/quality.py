"""Quality of annotators: rules, flags and figures."""

from dataclasses import asdict
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.common.exceptions import NotPossible
from annotation.projects.permissions import LARGEST_ID
from api.base_views import ApiView
from api.exceptions import Conflict, bad_body
from api.idempotency import idempotent
from api.pagination import OldestFirstPagination, PageQuery
from api.permissions import IsProjectAdministrator
from api.serializers import StrictSerializer
from evaluation.models import QualityFlag, QualityRule, RuleKind
from evaluation.services.quality import (
    PersonQuality,
    broken_limits,
    dismiss_flag,
    measured_quality,
    rules_of,
    set_rules,
)
from evaluation.web.quality_forms import LARGEST_AFTER

LIMIT_HELP = "Seconds for seconds, from -1 to 1 for kappa, from 0 to 1 for the others."


class QualityRuleSerializer(serializers.ModelSerializer[QualityRule]):
    class Meta:
        model = QualityRule
        fields = ("kind", "limit", "after", "action")
        read_only_fields = fields
        extra_kwargs = {
            "limit": {"help_text": LIMIT_HELP},
            "after": {"help_text": "The fewest sentences behind the figure."},
        }


class QualityRules(serializers.Serializer[Any]):
    results = QualityRuleSerializer(many=True)


class NewQualityRule(StrictSerializer):
    kind = serializers.ChoiceField(RuleKind.choices)
    limit = serializers.FloatField(min_value=-1, max_value=600, help_text=LIMIT_HELP)
    after = serializers.IntegerField(min_value=1, max_value=LARGEST_AFTER)
    action = serializers.ChoiceField(QualityRule.Action.choices)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        kind = attrs["kind"]
        smallest = -1 if kind == RuleKind.KAPPA else 0
        largest = 600 if kind == RuleKind.SECONDS else 1
        if not smallest <= attrs["limit"] <= largest:
            raise serializers.ValidationError(
                {"limit": f"For {kind}, a number from {smallest} to {largest}."}
            )
        return attrs


class NewQualityRules(StrictSerializer):
    rules = NewQualityRule(many=True)


class QualityFlagSerializer(serializers.ModelSerializer[QualityFlag]):
    """A rule that an annotator broke, with the figure at that time."""

    user = serializers.IntegerField(source="user_id", read_only=True)

    class Meta:
        model = QualityFlag
        fields = (
            *("id", "user", "kind", "value", "limit", "sentences"),
            *("paused", "raised", "dismissed"),
        )
        read_only_fields = fields
        extra_kwargs = {
            "sentences": {"help_text": "The sentences behind the value."},
            "paused": {"help_text": "Whether the rule also paused the annotator."},
            "dismissed": {"help_text": "Null if it is open."},
        }


class FigureSerializer(serializers.Serializer[Any]):
    value = serializers.FloatField(allow_null=True)
    sentences = serializers.IntegerField(help_text="The sentences behind the value.")
    undefined = serializers.CharField(help_text="Why the value is null, else empty.")


class AnnotatorQualitySerializer(serializers.Serializer[Any]):
    """The figures of one annotator; docs/quality.md defines them."""

    user = serializers.IntegerField()
    annotator = serializers.CharField(help_text="The name, as in exports.")
    sentences = serializers.IntegerField()
    seconds = FigureSerializer(help_text="Median seconds for a segment.")
    controls = FigureSerializer(help_text="The share of control sentences failed.")
    one_rank = FigureSerializer(help_text="The largest share of candidates on one rank.")
    ties = FigureSerializer(help_text="The share of tied pairs of candidates.")
    kappa = FigureSerializer(help_text="κ with other annotators.")
    kappa_pairs = serializers.IntegerField(help_text="The pairs of candidates behind κ.")
    shown_order = FigureSerializer(help_text="The share of rankings in the order shown.")
    practice = FigureSerializer(help_text="The share of right answers in practice.")
    broken = serializers.ListField(
        child=serializers.ChoiceField(RuleKind.choices), help_text="The rules that it breaks now."
    )


class Quality(serializers.Serializer[Any]):
    made = serializers.DateTimeField(
        allow_null=True, help_text="Null while a large project was never checked."
    )
    results = AnnotatorQualitySerializer(many=True)


class QualityView(ApiView):
    """Base of the views of quality."""

    tag = "checks"
    permission_classes = [IsProjectAdministrator]


class QualityAnnotators(QualityView):
    @extend_schema(operation_id="getQuality", responses=Quality)
    def get(self, request: Request, pk: int) -> Response:
        """Get the figures of annotators

        In projects with more than 20 000 judgements they are those of the last check.
        """
        measured = measured_quality(self.project)
        rules = rules_of(self.project)
        people = measured.people if measured else []
        results = [_person_json(person, rules) for person in people]
        return Response({"made": measured and measured.made, "results": results})


class QualityRuleList(QualityView):
    @extend_schema(operation_id="listQualityRules", responses=QualityRules)
    def get(self, request: Request, pk: int) -> Response:
        """List the rules of quality"""
        return self._rules()

    @extend_schema(operation_id="setQualityRules", request=NewQualityRules, responses=QualityRules)
    def put(self, request: Request, pk: int) -> Response:
        """Set rules of quality

        Rules that are left out stay as they are. Annotators are checked again.
        """
        rules = self.read_body(NewQualityRules)["rules"]
        given = {rule["kind"]: rule for rule in rules}
        if len(given) < len(rules):
            raise bad_body({"rules": ["Give each rule only once."]})
        values = {
            kind: {name: rule[name] for name in ("limit", "after", "action")}
            for kind, rule in given.items()
        }
        set_rules(project=self.project, rules=values)
        return self._rules()

    def _rules(self) -> Response:
        rows = QualityRuleSerializer(rules_of(self.project), many=True)
        return Response({"results": rows.data})


class QualityFlagList(QualityView):
    pagination_class = OldestFirstPagination
    query_serializers = {"GET": PageQuery}

    @extend_schema(operation_id="listQualityFlags", responses=QualityFlagSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """List the flags of annotators"""
        return self.page_response(self._flags(), QualityFlagSerializer)

    def _flags(self) -> QuerySet[QualityFlag]:
        return QualityFlag.objects.filter(project=self.project)


class QualityFlagDismissal(QualityView):
    @extend_schema(operation_id="dismissQualityFlag", request=None, responses=QualityFlagSerializer)
    @idempotent()
    def post(self, request: Request, pk: int, flag_pk: int) -> Response:
        """Dismiss a flag

        The rule does not flag the annotator again. Someone who is paused stays paused.
        """
        flags = QualityFlag.objects.filter(project=self.project)
        flag = get_object_or_404(flags, pk=min(flag_pk, LARGEST_ID))
        try:
            dismissed = dismiss_flag(project=self.project, by=self.user, flag_id=flag.pk)
        except NotPossible as problem:
            raise Conflict(str(problem)) from None
        return Response(QualityFlagSerializer(dismissed).data)


def _person_json(person: PersonQuality, rules: list[QualityRule]) -> dict[str, Any]:
    return {
        "user": person.user,
        **asdict(person.quality),
        "broken": list(broken_limits(person.quality, rules)),
    }
