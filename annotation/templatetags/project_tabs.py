"""The tabs of a project, and the pages of each tab."""

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from django import template
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.kinds import kind_of
from annotation.kinds.unit_words import Words
from annotation.models import Project
from annotation.projects.permissions import Rights

register = template.Library()
# Of a tab or a page, as it is or as the words of the unit have it.
Label = str | Promise | Callable[[Words], Any]


@dataclass(frozen=True)
class Page:
    """A page of a project; its name is that of its URL."""

    name: str
    label: Label
    # Whether only administrators see it.
    restricted: bool = False
    # Whether it is about segments, and not shown where a sentence is its only segment.
    of_segments: bool = False
    # Whether it is about errors marked before, and shown where annotators mark errors.
    of_given_errors: bool = False
    # Whether it is about sheets of documents.
    of_documents: bool = False


@dataclass(frozen=True)
class Tab:
    """A tab; it opens its first page."""

    label: Label
    pages: tuple[Page, ...]


TABS = (
    Tab(_("Overview"), (Page("overview", _("Overview")),)),
    Tab(
        attrgetter("rows"),
        (
            Page("sentences", attrgetter("all_rows")),
            Page("documents", _("Documents")),
            Page("open-assignments", _("Open assignments"), restricted=True),
            Page("skipped-sentences", attrgetter("skipped_sheets"), restricted=True),
        ),
    ),
    Tab(
        _("People"),
        (
            Page("people", _("Annotators"), restricted=True),
            Page("project-invitations", _("Invitations"), restricted=True),
            Page("crowd", _("Crowd and pay"), restricted=True),
            Page("questionnaire", _("Questionnaire"), restricted=True),
            Page("reminders", _("Reminders"), restricted=True),
        ),
    ),
    Tab(
        _("Quality"),
        (
            Page("quality", _("Rules and flags"), restricted=True),
            Page("practice-sentences", _("Practice"), restricted=True),
            Page("control-sentences", attrgetter("controls"), restricted=True),
            Page("disputed", _("Disputed"), restricted=True, of_documents=True),
        ),
    ),
    Tab(
        _("Report"),
        (
            Page("report", _("Report")),
            Page("metrics", _("Metrics")),
            Page("sentence-level", _("Whole sentences"), of_segments=True),
            Page("report-sharing", _("Sharing"), restricted=True),
        ),
    ),
    Tab(
        _("Export"),
        (
            Page("exports", _("Export")),
            Page("import-judgements", _("Import"), restricted=True),
        ),
    ),
    Tab(
        _("Settings"),
        (
            Page("project-settings", _("General"), restricted=True),
            Page("project-instructions", _("Instructions"), restricted=True),
            Page("project-systems", _("Systems"), restricted=True),
            Page("given-errors", _("Errors marked before"), restricted=True, of_given_errors=True),
            Page("project-media", _("Media"), restricted=True),
            Page("webhooks", _("Webhooks"), restricted=True),
        ),
    ),
)

# What annotators without other rights see.
ANNOTATOR_TABS = (
    Tab(_("Judge"), (Page("judge", _("Judge")),)),
    Tab(_("My judgements"), (Page("my-judgements", _("My judgements")),)),
    Tab(_("Instructions"), (Page("instructions", _("Instructions")),)),
)


@register.inclusion_tag("_tabs.html", takes_context=True)
def project_tabs(context: dict[str, Any], here: str) -> dict[str, Any]:
    """Show the tabs of `project` that the user may open; `here` is the name of the current page.

    Only on pages of a `project_view` or an `annotator_view`. One query where judging is closed.
    """
    project: Project = context["project"]
    mine: Rights = context["request"].rights
    kind = kind_of(project)
    words = kind.unit.words
    has_segments, marks = kind.unit.is_segmented, kind.answer.takes_given_errors
    observes = mine.may_observe
    tabs = []
    current_tab: list[dict[str, bool | str | Promise]] = []
    for tab in TABS if observes else ANNOTATOR_TABS:
        pages = [
            {
                "label": _said(page.label, words),
                "url": reverse(page.name, args=[project.pk]),
                "current": page.name == here,
            }
            for page in tab.pages
            if (mine.may_administer or not page.restricted)
            and (has_segments or not page.of_segments)
            and (marks or not page.of_given_errors)
            and (kind.unit.is_document or not page.of_documents)
        ]
        if not pages:
            continue
        current = any(page["current"] for page in pages)
        tabs.append({"label": _said(tab.label, words), "url": pages[0]["url"], "current": current})
        if current and len(pages) > 1:
            current_tab = pages
    return {
        "project": project,
        "tabs": tabs,
        "pages": current_tab,
        "observes": observes,
        "judges": mine.may_judge and observes,
        "here": here,
    }


def _said(label: Label, words: Words) -> str | Promise:
    return label(words) if callable(label) else label
