"""The results of a project as JSON, for programs of those who administer it."""

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from evaluation.access import project_to_evaluate
from evaluation.reports import Findings, ranking_report, statistics_report


class StatisticsAPI(APIView):
    """GET: what `manage.py statistics PROJECT --json` prints."""

    def get(self, request: Request, pk: int) -> Response:
        return Response(statistics_report(Findings(project_to_evaluate(request.user, pk))))


class RankingAPI(APIView):
    """GET: what `manage.py rank_systems PROJECT --json` prints."""

    def get(self, request: Request, pk: int) -> Response:
        return Response(ranking_report(Findings(project_to_evaluate(request.user, pk))))
