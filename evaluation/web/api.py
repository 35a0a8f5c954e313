"""The results of a project as JSON, for programs of those who administer it."""

from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.projects.permissions import project_to_observe
from evaluation.services.findings import Findings, ranking_report, statistics_report


@method_decorator(never_cache, name="dispatch")
class StatisticsAPI(APIView):
    """GET: what `manage.py statistics PROJECT --json` prints."""

    def get(self, request: Request, pk: int) -> Response:
        return Response(statistics_report(Findings(project_to_observe(request.user, pk))))


@method_decorator(never_cache, name="dispatch")
class RankingAPI(APIView):
    """GET: what `manage.py rank_systems PROJECT --json` prints."""

    def get(self, request: Request, pk: int) -> Response:
        return Response(ranking_report(Findings(project_to_observe(request.user, pk))))
