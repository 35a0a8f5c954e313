"""Links by which people without an account read the report or the documents of a project."""

from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Project
from annotation.models.secret_links import UnknownLink
from api.base_views import ApiView
from api.exceptions import Busy, Problem
from api.idempotency import idempotent
from api.pagination import NewestFirstPagination, PageQuery
from api.permissions import IsProjectAdministrator
from api.views.findings import report_options
from api.views.reports import NewReport
from evaluation.findings.options import BadOption
from evaluation.models import SharedLink
from evaluation.services import reports, shared_links


class NewSharedLink(NewReport):
    pages = serializers.ChoiceField(
        choices=SharedLink.Pages.choices,
        default=SharedLink.Pages.REPORT,
        help_text="What readers open; `unnamed` is the documents without the names of systems. "
        "Documents can be shared while judging is paused or archived.",
    )
    days = serializers.IntegerField(
        min_value=1,
        max_value=shared_links.MOST_DAYS,
        allow_null=True,
        default=30,
        help_text="How long it is valid; null until it is revoked.",
    )


class SharedLinkSerializer(serializers.ModelSerializer[SharedLink]):
    """A link that works now."""

    created_by = serializers.CharField(source="created_by.username", read_only=True)
    options = serializers.DictField(read_only=True, help_text="Of the report, as in `reports/`.")

    class Meta:
        model = SharedLink
        fields: tuple[str, ...] = ("id", "pages", "options", "created_by", "created", "expires")
        read_only_fields = fields


class NewSharedLinkSerializer(SharedLinkSerializer):
    """A link with its address."""

    address = serializers.CharField(
        read_only=True,
        allow_null=True,
        default=None,
        help_text="Shown only once: null if this answer is repeated.",
    )

    class Meta(SharedLinkSerializer.Meta):
        fields = (*SharedLinkSerializer.Meta.fields, "address")
        read_only_fields = fields


class SharedLinkList(ApiView):
    tag = "reports"
    permission_classes = [IsProjectAdministrator]
    pagination_class = NewestFirstPagination
    query_serializers = {"GET": PageQuery}

    @extend_schema(operation_id="listSharedLinks", responses=SharedLinkSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """List the links to the report and the documents

        The newest first. Addresses are not listed, because only their hashes are stored.
        """
        return self.page_response(_links(self.project), SharedLinkSerializer)

    @extend_schema(
        operation_id="share", request=NewSharedLink, responses={201: NewSharedLinkSerializer}
    )
    @idempotent(secret_fields={"address"})
    def post(self, request: Request, pk: int) -> Response:
        """Share the report, the documents, or both

        By a link for people without an account, which is shown only once. Annotators are numbered.
        The options are those of the report.
        """
        body = self.read_body(NewSharedLink)
        try:
            link, token = shared_links.share(
                project=self.project,
                by=self.user,
                options=report_options(self.project, body),
                days=body["days"],
                pages=body["pages"],
            )
        except reports.TooManyWaiting as problem:
            raise Busy(str(problem)) from None
        except BadOption as problem:
            raise Problem(str(problem)) from None
        address = request.build_absolute_uri(reverse("shared-report", args=[token]))
        return Response(
            {**SharedLinkSerializer(link).data, "address": address},
            status=201,
            headers={"Location": reverse("api-shared-link", args=[pk, link.pk])},
        )


class SharedLinkDetail(ApiView):
    tag = "reports"
    permission_classes = [IsProjectAdministrator]

    @extend_schema(operation_id="getSharedLink", responses=SharedLinkSerializer)
    def get(self, request: Request, pk: int, shared_pk: int) -> Response:
        """Get a link

        Those that are revoked or have expired are not found.
        """
        return Response(
            SharedLinkSerializer(get_object_or_404(_links(self.project), pk=shared_pk)).data
        )

    @extend_schema(operation_id="revokeSharedLink", responses={204: None})
    def delete(self, request: Request, pk: int, shared_pk: int) -> Response:
        """Revoke a link"""
        try:
            shared_links.revoke(project=self.project, pk=shared_pk)
        except UnknownLink:
            raise Http404 from None
        return Response(status=204)


def _links(project: Project) -> QuerySet[SharedLink]:
    return reports.open_links(project).order_by("-pk")
