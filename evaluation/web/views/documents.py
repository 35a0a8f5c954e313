"""The texts of a project by document, for its members and for the readers of a link."""

from collections.abc import Callable, Sequence
from functools import wraps
from threading import Lock
from typing import Any, Final

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _

from annotation.common.one_at_a_time import one_at_a_time
from annotation.kinds import kind_of
from annotation.models import Project
from annotation.projects.annotator_names import account_names
from annotation.selectors import judgements
from annotation.selectors.judged_documents import (
    Words,
    document_page,
    documents_page,
    found_page,
)
from annotation.web.forms.search import SearchForm
from annotation.web.project_views import READ, project_view
from annotation.web.requests import ProjectRequest
from evaluation.models import SharedLink
from evaluation.services import shared_links
from evaluation.services.kinds import AnswerMeaning, answer_of, nothing
from evaluation.templatetags.findings import as_percent, figure
from evaluation.web.views.sharing import DOCUMENT_SECONDS, View, bearers_view

# Side by side.
MOST_SYSTEMS: Final = 5
DEFAULT_SYSTEMS: Final = 3
# A search reads all texts of the project.
SEARCHING: Final = Lock()


@project_view(observe=READ)
def documents(request: ProjectRequest, project: Project) -> HttpResponse:
    """List the documents, or the lines that have the words of the query."""
    return _list(request, project, {})


@project_view(observe=READ)
def document(request: ProjectRequest, project: Project, number: int) -> HttpResponse:
    """Show the page of a document that has this line, with the systems of the query."""
    words = Words(
        systems=dict(judgements.systems(project)),
        annotators=lambda _users: account_names(project),
        mean=mean_by(answer_of(project)),
    )
    return _show(request, project, number, words, {})


def for_readers(view: View) -> View:
    """Give the view the link, if its documents can be read now. Browsers keep the page."""

    @bearers_view(DOCUMENT_SECONDS)
    @wraps(view)
    def shown(request: HttpRequest, link: SharedLink, **names: Any) -> HttpResponse:
        if not link.has_documents:
            raise Http404
        if not shared_links.shows_documents(link):
            return render(request, "evaluation/documents_closed.html", status=404)
        return view(request, link, **names)

    return shown


@for_readers
def shared_documents(request: HttpRequest, link: SharedLink) -> HttpResponse:
    """Show readers the list of documents, or the lines that have the words of the query."""
    if not request.GET.get("q"):
        return _list(request, link.project, {"link": link})
    busy = _("Another reader is searching. Please try again in a few seconds.")
    with one_at_a_time(SEARCHING, busy):
        return _list(request, link.project, {"link": link})


@for_readers
def shared_document(request: HttpRequest, link: SharedLink, number: int) -> HttpResponse:
    """Show readers the page of a document that has this line, with the systems of the query."""
    mean = mean_by(answer_of(link.project))
    words = shared_links.words_of(link, _("Annotator"), _("System"), mean)
    return _show(request, link.project, number, words, {"link": link})


def _list(request: HttpRequest, project: Project, more: dict[str, Any]) -> HttpResponse:
    form = SearchForm(request.GET, auto_id="filter-%s")
    asked = request.GET.get("page")
    context: dict[str, Any] = {
        "project": project,
        "base": request.path,
        "form": form,
        "query": form.query,
        **more,
    }
    if form.words:
        context["page"], context["found"] = found_page(project, form.words, asked)
    else:
        context["page"], context["rows"] = documents_page(project, asked)
    page = context["page"]
    context["numbers"] = page.paginator.get_elided_page_range(
        page.number, on_each_side=1, on_ends=1
    )
    context["ellipsis"] = Paginator.ELLIPSIS
    return render(request, "evaluation/documents.html", context)


def _show(
    request: HttpRequest, project: Project, number: int, words: Words, more: dict[str, Any]
) -> HttpResponse:
    places = _chosen(request.GET, len(words.systems))
    in_order = list(words.systems)
    page = document_page(
        project, number, systems={in_order[place - 1] for place in places}, words=words
    )
    if page is None:
        raise Http404
    query = QueryDict(mutable=True)
    if places != _chosen(QueryDict(), len(words.systems)):
        query.setlist("system", [str(place) for place in places])
    context = {
        "project": project,
        "base": request.path.rstrip("/").rpartition("/")[0] + "/",
        "page": page,
        "systems": [
            (place, name, place in places)
            for place, name in enumerate(words.systems.values(), start=1)
        ],
        "columns": len(places),
        "most": MOST_SYSTEMS,
        "query": query.urlencode(),
        # Of segments, the whole outputs may be unknown.
        "has_outputs": not kind_of(project).unit.is_segmented
        or any(column.outputs for line in page.lines for column in line.columns),
        **more,
    }
    return render(request, "evaluation/document.html", context)


def _chosen(query: QueryDict, count: int) -> list[int]:
    """Return the places of the chosen systems, from 1; the first ones if none is chosen."""
    asked = {value for value in query.getlist("system")[:100] if value.isdecimal()}
    places = [place for place in range(1, count + 1) if str(place) in asked]
    return places[:MOST_SYSTEMS] or list(range(1, min(count, DEFAULT_SYSTEMS) + 1))


def mean_by(meaning: AnswerMeaning) -> Callable[[Sequence[int | None]], str]:
    """Return what writes the mean of stored ranks as the report counts them.

    It writes "" for fewer than two, where one of them is garbage, and where a mean says nothing: of
    edits.
    """
    if meaning.load_edits is not nothing:
        return lambda _ranks: ""

    def mean(ranks: Sequence[int | None]) -> str:
        values = meaning.values
        counts = [
            None if rank is None else values.values[rank - 1] if values else rank for rank in ranks
        ]
        numbers = [count for count in counts if count is not None]
        if len(numbers) < 2 or (values is None and len(numbers) < len(ranks)):
            return ""
        found = sum(numbers) / len(numbers)
        if values and values.bounds == (0, 1):
            return as_percent(found)
        return figure(found, 1)

    return mean
