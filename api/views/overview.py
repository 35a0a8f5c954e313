"""How a project is going at this moment."""

from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Project
from api.base_views import Resource
from api.exceptions import Conflict
from api.permissions import Right
from api.schema import describe
from api.serializers import Fields, Shown
from evaluation.services.overview import Overview, overview_of
from evaluation.stats.annotators.forecast import NoEnd


class Zone(Fields):
    zone = serializers.CharField(
        required=False,
        max_length=100,
        help_text="Where today is today, as Europe/Prague; the site's where it is left out.",
    )

    def validate_zone(self, name: str) -> ZoneInfo:
        try:
            return ZoneInfo(name)
        except (KeyError, ValueError, OSError):
            told = _("There is no such time zone: write it as in Europe/Prague.")
            raise serializers.ValidationError(told) from None


class WorkerShown(Shown):
    """An annotator; practice and control sentences do not count."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    judged = serializers.IntegerField(help_text="Sentences handed in, repeats too.")
    repeats = serializers.IntegerField()
    today = serializers.IntegerField()
    active = serializers.DateTimeField(allow_null=True, help_text="When last known to do anything.")
    works_now = serializers.BooleanField(help_text="Within the last five minutes.")
    seconds_per_segment = serializers.FloatField(allow_null=True)


class EndShown(Shown):
    """When everything is judged, if it goes on as it does."""

    when = serializers.DateTimeField(allow_null=True)
    sentences_a_day = serializers.FloatField(allow_null=True, help_text="The pace.")
    hours = serializers.FloatField(
        allow_null=True, help_text="Of judging that are left, where it went on for less than a day."
    )
    far = serializers.BooleanField(help_text="In more than two years.")
    unknown = serializers.ChoiceField(
        [why.value for why in NoEnd], allow_null=True, help_text="Why nobody can tell."
    )


class KappaShown(Shown):
    kappa = serializers.FloatField(allow_null=True)
    agree = serializers.IntegerField(help_text="Pairs that two judgements order alike.")
    compared = serializers.IntegerField(help_text="All that were compared.")
    undefined = serializers.CharField(help_text="Why there is no κ; empty where there is one.")


class AgreementShown(Shown):
    intra = KappaShown(help_text="With oneself.")
    inter = KappaShown(help_text="With others.")
    made = serializers.DateTimeField(help_text="When it was measured.")
    missing = serializers.IntegerField(help_text="Judgements since then.")


class OverviewShown(Shown):
    """A sentence counts as often as it is to be judged, repeats apart."""

    sentences = serializers.IntegerField()
    wanted = serializers.IntegerField(help_text="Sentences times the judges of each.")
    judged = serializers.IntegerField(help_text="Of those.")
    percent = serializers.IntegerField(help_text="100 only where all is judged.")
    repeats = serializers.IntegerField()
    today = serializers.IntegerField(help_text="Handed in since midnight, repeats too.")
    zone = serializers.CharField(help_text="Whose midnight that was.")
    works_now = serializers.IntegerField(help_text="How many annotators.")
    seconds_per_segment = serializers.FloatField(allow_null=True)
    end = EndShown()
    agreement = AgreementShown(
        allow_null=True, help_text="Null where there is too much to measure it: make a report."
    )
    annotators = WorkerShown(many=True)


KAPPA: dict[str, Any] = {"kappa": 0.61, "agree": 310, "compared": 400, "undefined": ""}
OVERVIEW: dict[str, Any] = {
    "sentences": 300,
    "wanted": 300,
    "judged": 120,
    "percent": 40,
    "repeats": 6,
    "today": 31,
    "zone": "Europe/Prague",
    "works_now": 1,
    "seconds_per_segment": 8.4,
    "end": {
        "when": "2026-11-26T15:00:00Z",
        "sentences_a_day": 30.0,
        "hours": None,
        "far": False,
        "unknown": None,
    },
    "agreement": {
        "intra": KAPPA,
        "inter": KAPPA | {"kappa": None, "compared": 0, "agree": 0, "undefined": "no pairs"},
        "made": "2026-11-20T09:30:00Z",
        "missing": 0,
    },
    "annotators": [
        {
            "id": 12,
            "name": "jana",
            "judged": 126,
            "repeats": 6,
            "today": 31,
            "active": "2026-11-20T09:29:00Z",
            "works_now": True,
            "seconds_per_segment": 8.4,
        }
    ],
}


class NowOverview(Resource):
    tag = "findings"
    rights = {"GET": Right.OBSERVE}
    queries = {"GET": Zone}

    @describe("getOverview", returns=OverviewShown, example=OVERVIEW, refusals=[409])
    def get(self, request: Request, pk: int) -> Response:
        """See how a project is going

        How far it is, who works now, at what pace, when it ends, and how well people agree so far.
        Of very many judgements, figures are as of some seconds ago.
        """
        if self.project.state in (Project.State.PREPARING, Project.State.FAILED):
            raise Conflict(_("The project is not prepared: there is nothing to report."))
        zone = self.query.get("zone") or ZoneInfo(timezone.get_default_timezone_name())
        found = overview_of(self.project, now=timezone.now(), zone=zone)
        return Response(OverviewShown(_shown(found, zone)).data)


def _shown(found: Overview, zone: ZoneInfo) -> dict[str, Any]:
    work, end = found.work, found.end
    counted = ("sentences", "wanted", "judged", "repeats", "today")
    return {
        **{name: getattr(work, name) for name in counted},
        "percent": found.percent,
        "zone": zone.key,
        "works_now": len(found.at_work),
        "seconds_per_segment": found.together.per_segment,
        "end": {
            "when": end.when,
            "sentences_a_day": end.a_day,
            "hours": end.hours,
            "far": end.far,
            "unknown": end.unknown.value if end.unknown else None,
        },
        "agreement": found.agreement,
        "annotators": [
            vars(row.worker) | {"seconds_per_segment": row.seconds} for row in found.rows
        ],
    }
