"""What the pages of the report and of the metrics share: their refusals, state and files.

In `urls`, the views get the page that they belong to.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import wraps
from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Project
from annotation.process import clock
from annotation.web.downloads import attachment
from annotation.web.project_views import READ, project_view
from annotation.web.requests import ProjectRequest
from evaluation.findings.options import BadOption
from evaluation.findings.serialisation import to_json
from evaluation.models import StoredReport
from evaluation.rendering.figures.rendering import IMAGE_TYPES, draw
from evaluation.rendering.figures.style import PAPER, SCREEN, Look, Specification, Words
from evaluation.rendering.formats import CONTENT_TYPES, TABLE_FORMATS
from evaluation.rendering.tables import Table
from evaluation.report.files import zipped
from evaluation.services import reports
from evaluation.services.drawn_files import cached_drawing
from evaluation.services.report_kinds import Options, data_of
from evaluation.web.report_texts import figure_words

BINARY_TYPES: Final = {**IMAGE_TYPES, "zip": "application/zip"}

Files = Callable[[Any], Iterable[tuple[str, bytes]]]
View = Callable[[ProjectRequest, Project], HttpResponse]


@dataclass(frozen=True)
class ReportPage:
    """A page that shows a stored report: its name, how it reads options, and what files it has."""

    name: str
    options_of: Callable[[HttpRequest, Project], Options]
    figure: Callable[[Any, str, Look, Words], Specification | None]
    table: Callable[[Any, str], Table | None]
    files: Files

    def find(self, project: Project, request: HttpRequest) -> StoredReport | None:
        """Return the report with the options of the request, without its data until they are read.

        None if it was never requested.
        """
        try:
            key = self.options_of(request, project).key
        except BadOption:
            return None
        return StoredReport.objects.filter(project=project, key=key).defer("data").first()

    def contents(self, request: HttpRequest, project: Project) -> Any:
        """Return the data of the project's report. Raises Http404 if there are none."""
        stored = self.find(project, request)
        found = stored and data_of(stored)
        if found is None:
            raise Http404
        return found

    def send_figure(self, request: HttpRequest, data: Any, name: str) -> JsonResponse:
        """Answer with a Vega-Lite specification for paper, or for the page with `?look=screen`.

        Raises Http404, as the other methods do, if there is no such file.
        """
        look = SCREEN if request.GET.get("look") == "screen" else PAPER
        specification = self.figure(data, name, look, figure_words())
        if specification is None:
            raise Http404
        return JsonResponse(specification)

    def send_image(self, project: Project, data: Any, name: str, extension: str) -> HttpResponse:
        """Send a figure as a .svg, .pdf or .png file."""
        words = figure_words()
        specification = self.figure(data, name, PAPER, words)
        if specification is None or extension not in IMAGE_TYPES:
            raise Http404
        image = cached_drawing(
            [specification, extension, words.decimal],
            lambda: draw([specification], [extension], words.decimal)[0][extension],
        )
        return _download(project, image, f"{name}.{extension}")

    def send_table(self, project: Project, data: Any, name: str, extension: str) -> HttpResponse:
        """Send a table as a .tex, .csv, .md or .json file."""
        made = self.table(data, name)
        if made is None or extension not in TABLE_FORMATS:
            raise Http404
        return _download(project, TABLE_FORMATS[extension](made).encode(), f"{name}.{extension}")

    def send_whole(self, project: Project, data: Any) -> HttpResponse:
        """Send the report as JSON."""
        text = json.dumps(to_json(data), ensure_ascii=False, indent=1)
        return _download(project, f"{text}\n".encode(), f"{self.name}.json")

    def send_everything(self, project: Project, data: Any) -> HttpResponse:
        """Send all tables and figures, and the report as JSON, as a zip file."""
        return self.send_packed(project, data, self.name, self.files)

    def send_packed(self, project: Project, data: Any, name: str, files: Files) -> HttpResponse:
        """Send files that are made of the data as a zip file of this name."""
        plain = to_json(data)
        packed = cached_drawing([name, plain], lambda: zipped(files(data), plain["made"]))
        return _download(project, packed, f"{name}.zip")


def explaining_refusals(page: str) -> Callable[[View], View]:
    """Redirect to the page with default options, and a message, if its report is refused."""

    def explained(view: View) -> View:
        @wraps(view)
        def inner(request: ProjectRequest, project: Project) -> HttpResponse:
            try:
                return view(request, project)
            except BadOption as problem:
                messages.error(request, str(problem))
            except reports.TooManyWaiting as problem:
                messages.warning(request, str(problem))
            return redirect(page, project.pk)

        return inner

    return explained


@project_view(observe=READ)
def state(request: ProjectRequest, project: Project, page: ReportPage) -> JsonResponse:
    """Answer whether a report is pending, and when the last one was generated."""
    stored = page.find(project, request)
    if stored is None:
        return JsonResponse({"waiting": False, "made": None})
    made = stored.made.isoformat() if stored.made else None
    words = asdict(status_of(stored)) if stored.is_unfinished else {}
    return JsonResponse({"waiting": stored.is_unfinished, "made": made, **words})


@dataclass(frozen=True)
class Status:
    """What a report that is not finished waits for, in words that change only with its state.

    `progress` changes while it is computed.
    """

    status: str
    progress: str


def status_of(stored: StoredReport) -> Status:
    """Return the status of a report that is queued or running."""
    if stored.state == StoredReport.State.WAITING or stored.started is None:
        before = reports.count_before(stored)
        if not before:
            return Status(_("Report queued …"), _("A worker takes it next."))
        progress = ngettext(
            "%(count)s other job is running or comes first.",
            "%(count)s other jobs are running or come first.",
            before,
        )
        return Status(_("Report queued …"), progress % {"count": before})
    seconds = round((clock.now() - stored.started).total_seconds())
    progress = ngettext("%(count)d second so far.", "%(count)d seconds so far.", seconds)
    progress %= {"count": seconds}
    if stored.seconds is not None:
        took = max(1, round(stored.seconds))
        last = ngettext(
            "The last one took %(count)d second.", "The last one took %(count)d seconds.", took
        )
        progress = f"{progress} {last % {'count': took}}"
    return Status(_("Computing a new report …"), progress)


@project_view(observe=READ)
def figure(request: ProjectRequest, project: Project, name: str, page: ReportPage) -> HttpResponse:
    return page.send_figure(request, page.contents(request, project), name)


@project_view(observe=READ)
def image(
    request: ProjectRequest, project: Project, name: str, extension: str, page: ReportPage
) -> HttpResponse:
    return page.send_image(project, page.contents(request, project), name, extension)


@project_view(observe=READ)
def table(
    request: ProjectRequest, project: Project, name: str, extension: str, page: ReportPage
) -> HttpResponse:
    return page.send_table(project, page.contents(request, project), name, extension)


@project_view(observe=READ)
def whole(request: ProjectRequest, project: Project, page: ReportPage) -> HttpResponse:
    return page.send_whole(project, page.contents(request, project))


@project_view(observe=READ)
def everything(request: ProjectRequest, project: Project, page: ReportPage) -> HttpResponse:
    return page.send_everything(project, page.contents(request, project))


def _download(project: Project, content: bytes, name: str) -> HttpResponse:
    """Return the content as a file to save, named after the project."""
    extension = name.rpartition(".")[2]
    binary = BINARY_TYPES.get(extension)
    content_type = binary or f"{CONTENT_TYPES[extension]}; charset=utf-8"
    response = HttpResponse(content, content_type=content_type)
    response["Content-Disposition"] = attachment(project, f"-{name}")
    return response
