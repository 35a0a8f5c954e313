"""What is found by now: statistics and rankings, computed when they are asked for."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.base_views import Resource
from api.permissions import Right
from api.schema import describe
from api.serializers import Fields, Shown
from api.views.reports import Leaving, options_of
from evaluation.services.findings import Findings, ranking_now, statistics_report
from evaluation.stats.ranking.systems import METHODS

# Requests that one counts as, since it takes as long.
COMPUTED = 10
KAPPA = "Cohen's κ over pairs of candidates; null where it is undefined."


class AnnotatorStatisticsShown(Shown):
    annotator = serializers.CharField()
    sentences = serializers.IntegerField()
    segments = serializers.IntegerField()
    seconds = serializers.FloatField(allow_null=True)
    seconds_per_segment = serializers.FloatField(allow_null=True)
    kappa_intra = serializers.FloatField(allow_null=True, help_text=KAPPA)
    kappa_inter = serializers.FloatField(allow_null=True, help_text=KAPPA)
    controls = serializers.IntegerField(help_text="Control segments judged.")
    controls_passed = serializers.IntegerField()


class StatisticsShown(Shown):
    sentences = serializers.IntegerField()
    sentences_judged = serializers.IntegerField()
    segments = serializers.IntegerField()
    candidates = serializers.IntegerField()
    judgements = serializers.IntegerField()
    expected_agreement = serializers.FloatField(allow_null=True)
    kappa_intra = serializers.FloatField(allow_null=True, help_text=KAPPA)
    kappa_inter = serializers.FloatField(allow_null=True, help_text=KAPPA)
    controls = serializers.IntegerField(help_text="Control segments judged.")
    controls_passed = serializers.IntegerField()
    annotators = AnnotatorStatisticsShown(many=True)


class RankedSystemShown(Shown):
    system = serializers.CharField()
    rank = serializers.IntegerField(allow_null=True)
    score = serializers.FloatField(allow_null=True)
    undefined = serializers.CharField(help_text="Why there is no score; empty where there is one.")
    wins = serializers.IntegerField()
    losses = serializers.IntegerField()
    ties = serializers.IntegerField()


class RankingShown(Shown):
    method = serializers.ChoiceField(choices=METHODS)
    systems = RankedSystemShown(many=True, help_text="Best first; those without a score last.")
    signature = serializers.CharField(help_text="What it was computed with, and from what.")


class RankingOptions(Leaving, Fields):
    method = serializers.ChoiceField(choices=METHODS, default=METHODS[0])


STATISTICS = {
    "sentences": 40,
    "sentences_judged": 12,
    "segments": 118,
    "candidates": 403,
    "judgements": 36,
    "expected_agreement": 0.42,
    "kappa_intra": 0.71,
    "kappa_inter": None,
    "controls": 4,
    "controls_passed": 3,
    "annotators": [
        {
            "annotator": "jana",
            "sentences": 12,
            "segments": 36,
            "seconds": 302.4,
            "seconds_per_segment": 8.4,
            "kappa_intra": 0.71,
            "kappa_inter": None,
            "controls": 4,
            "controls_passed": 3,
        }
    ],
}
RANKING = {
    "method": "ratio_of_wins",
    "systems": [
        {
            "system": "alfa",
            "rank": 1,
            "score": 0.62,
            "undefined": "",
            "wins": 62,
            "losses": 38,
            "ties": 20,
        }
    ],
    "signature": "ratio of wins|ties ignored|judgements 36|sentences 12",
}


class Statistics(Resource):
    tag = "findings"
    cost = COMPUTED
    rights = {"GET": Right.OBSERVE}

    @describe("getStatistics", returns=StatisticsShown, example=STATISTICS)
    def get(self, request: Request, pk: int) -> Response:
        """Get statistics

        How much was judged, by whom, how fast, and how well annotators agree.
        """
        return Response(StatisticsShown(statistics_report(Findings(self.project))).data)


class Ranking(Resource):
    tag = "findings"
    cost = COMPUTED
    rights = {"GET": Right.OBSERVE}
    queries = {"GET": RankingOptions}

    @describe("getRanking", returns=RankingShown, example=RANKING)
    def get(self, request: Request, pk: int) -> Response:
        """Rank the systems

        From the judgements as they are now. Intervals, ranges of ranks and clusters take long, and
        are in reports.
        """
        method = self.query["method"]
        part = ranking_now(self.project, method, options_of(self.query))
        return Response(RankingShown({"method": method, **part}).data)
