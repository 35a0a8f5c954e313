"""The systems of a project, and adding one while people judge."""

from typing import Any

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.common.error_messages import (
    LocalizedMessage,
    localize,
    localize_error,
    with_location,
)
from annotation.formats.errors import InputError
from annotation.formats.problems import Refused
from annotation.formats.segment_files import LONGEST_SYSTEM_NAME
from annotation.models import Project
from annotation.pipeline import jobs
from annotation.selectors.systems import SystemRow, adding, system_rows
from annotation.uploads.add_system import add_system
from annotation.web.forms.systems import SystemForm
from api.base_views import Resource
from api.exceptions import Conflict, Problem, bad_body
from api.permissions import Right
from api.schema import describe
from api.serializers import Fields, Shown


class BroughtShown(Shown):
    known = serializers.IntegerField(help_text="Segments whose candidate was there already.")
    new = serializers.IntegerField(help_text="Segments that got a new candidate.")
    missing = serializers.IntegerField(help_text="Segments without a candidate of it.")
    again = serializers.IntegerField(help_text="Segments that are given out again.")


class SystemShown(Shown):
    """A system, and for how many of the segments it has a candidate."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    candidates = serializers.IntegerField()
    segments = serializers.IntegerField()
    brought = BroughtShown(
        allow_null=True, help_text="Of a system that came later, once it has all its candidates."
    )
    is_unfinished = serializers.BooleanField(
        help_text="Whether adding it stopped half way, and nobody works on it."
    )


class SystemsShown(Shown):
    results = SystemShown(many=True)


class NewSystem(Fields):
    """A system and what it made of the sentences of the source, the same line for each."""

    system_name = serializers.CharField(max_length=LONGEST_SYSTEM_NAME)
    text_file = serializers.FileField(help_text="A text in UTF-8, one sentence a line.")
    links_file = serializers.FileField(
        required=False, help_text="Links of its words, in Pharaoh format."
    )
    tokenized = serializers.BooleanField(default=False)


SYSTEM: dict[str, Any] = {
    "id": 31,
    "name": "delta",
    "candidates": 2712,
    "segments": 2765,
    "brought": {"known": 1900, "new": 812, "missing": 53, "again": 40},
    "is_unfinished": False,
}


class Systems(Resource):
    tag = "systems"
    rights = {"GET": Right.ADMINISTER, "POST": Right.ADMINISTER}
    uploads = frozenset({"POST"})

    @describe("listSystems", returns=SystemsShown, example={"results": [SYSTEM]})
    def get(self, request: Request, pk: int) -> Response:
        """List the systems

        In the order in which they came.
        """
        rows = system_rows(self.project, adding(self.project))
        return Response({"results": [_row(row) for row in rows]})

    @describe(
        "addSystem",
        says_where=True,
        takes={"multipart/form-data": NewSystem},
        code=202,
        returns=SystemShown,
        example=SYSTEM | {"candidates": 0, "brought": None},
        refusals=[409],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Add a system

        Its texts are stored, and a worker makes its candidates; the job says how far that is.
        People can go on judging.
        """
        sent = self.body(request, NewSystem)
        if self.project.state not in (Project.State.OPEN, Project.State.CLOSED):
            raise Conflict(_("The project is not prepared yet: add the system once it is."))
        form = SystemForm(sent, sent, project=self.project)
        if not form.is_valid():
            raise bad_body(form.errors)
        _add(self.project, form.cleaned_data)
        rows = system_rows(self.project, adding(self.project))
        row = next(row for row in rows if row.system.name == form.cleaned_data["system_name"])
        location = reverse("api-job", args=[pk])
        return Response(_row(row), 202, headers={"Location": location})


class GoingOn(Resource):
    tag = "systems"
    rights = {"POST": Right.ADMINISTER}

    @describe(
        "goOnWithSystem",
        says_where=True,
        code=202,
        returns=SystemShown,
        example=SYSTEM,
        refusals=[409],
    )
    def post(self, request: Request, pk: int, system_pk: int) -> Response:
        """Go on with a system

        Queues once more what is left to do for one that was not added to its end.
        """
        rows = system_rows(self.project, adding(self.project))
        row = next((row for row in rows if row.system.pk == system_pk), None)
        if row is None:
            raise Http404
        if not row.is_unfinished:
            raise Conflict(_("Nothing is left to do for this system."))
        jobs.queue_system(self.project, row.system.name)
        return Response(_row(row), 202, headers={"Location": reverse("api-job", args=[pk])})


def _add(project: Project, given: dict[str, Any]) -> None:
    try:
        add_system(
            project=project,
            name=given["system_name"],
            text=given["text_file"],
            links=given["links_file"],
            tokenized=given["tokenized"],
        )
    except Refused as refusal:
        raise _problem(localize(refusal.problem)) from None
    except InputError as error:
        raise _problem(localize_error(error)) from None


def _problem(said: LocalizedMessage) -> Problem:
    return Problem(with_location(said), [{"pointer": "#", "detail": with_location(said)}])


def _row(row: SystemRow) -> dict[str, Any]:
    brought = row.added.brought if row.added else {}
    return {
        "id": row.system.pk,
        "name": row.system.name,
        "candidates": row.candidates,
        "segments": row.segments,
        "brought": {name: brought.get(name, 0) for name in SYSTEM["brought"]} if brought else None,
        "is_unfinished": row.is_unfinished,
    }
