"""The page of a project's quality: flags, agreement, and the rules that flag annotators."""

from dataclasses import dataclass
from typing import Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.common.exceptions import NotPossible
from annotation.models import Membership, Project
from annotation.process import clock
from annotation.projects.annotator_names import account_names
from annotation.projects.permissions import LARGEST_ID
from annotation.web.project_views import POST, READ, project_view
from annotation.web.requests import ProjectRequest
from evaluation.models import QualityFlag, RuleKind
from evaluation.services.agreement import agreement_so_far
from evaluation.services.quality import dismiss_flag, flags_of, rules_of, set_rules
from evaluation.web.quality_forms import RuleForm
from evaluation.web.report_texts import age

# Dismissed flags that the page lists.
MOST_DISMISSED: Final = 50
EXPLAINED: Final = {
    RuleKind.SECONDS: gettext_lazy("Median seconds per judgement below the limit."),
    RuleKind.CONTROLS: gettext_lazy(
        "Share of controls failed above the limit. Only assignments with a control count here."
    ),
    RuleKind.ONE_RANK: gettext_lazy(
        "Share of candidates on one rank, or with one answer, above the limit."
    ),
    RuleKind.KAPPA: gettext_lazy(
        "κ with other annotators below the limit. Only what others judged too counts here."
    ),
    RuleKind.SHOWN_ORDER: gettext_lazy(
        "Share of judgements in exactly the order on the page above the limit. Those of three or "
        "more candidates count."
    ),
    RuleKind.PRACTICE: gettext_lazy(
        "Share of right answers in practice below the limit. Only practice counts here. With “flag "
        "and pause”, people who fail practice get nothing to judge until you resume them."
    ),
}


@dataclass(frozen=True)
class FlagRow:
    """A flag with the name of the annotator, and whether they are members and paused now."""

    flag: QualityFlag
    name: str
    title: str
    is_member: bool
    is_paused: bool


@project_view(administer=READ)
def quality(request: ProjectRequest, project: Project) -> HttpResponse:
    """Show the flagged annotators, the agreement of all, and the rules."""
    return _show(request, project)


@project_view(administer=POST)
def change_rules(request: ProjectRequest, project: Project) -> HttpResponse:
    """Store all rules; the annotators are checked again in the background."""
    forms = [RuleForm(request.POST, rule=rule) for rule in rules_of(project)]
    if not all(form.is_valid() for form in forms):
        return _show(request, project, forms=forms)
    set_rules(project=project, rules={form.kind: form.values() for form in forms})
    messages.success(request, _("Rules saved. Annotators are being checked."))
    return redirect("quality", project.pk)


@project_view(administer=POST)
def dismiss(request: ProjectRequest, project: Project, flag_pk: int) -> HttpResponse:
    """Dismiss a flag; the rule does not flag the annotator again."""
    get_object_or_404(flags_of(project), pk=min(flag_pk, LARGEST_ID))
    try:
        dismiss_flag(project=project, by=request.user, flag_id=flag_pk)
    except NotPossible as problem:
        messages.error(request, str(problem))
    return redirect("quality", project.pk)


def _show(
    request: HttpRequest, project: Project, *, forms: list[RuleForm] | None = None
) -> HttpResponse:
    agreement = agreement_so_far(project)
    flags = _flag_rows(project)
    context = {
        "project": project,
        "open_flags": [row for row in flags if row.flag.dismissed is None],
        "dismissed_flags": [row for row in flags if row.flag.dismissed is not None],
        "agreement": agreement,
        "measured": age(clock.now() - agreement.made) if agreement else "",
        "rules": [
            {"form": form, "title": _title_of(form.kind), "explained": EXPLAINED[form.kind]}
            for form in forms or [RuleForm(rule=rule) for rule in rules_of(project)]
        ],
        "not_saved": forms is not None,
    }
    return render(request, "evaluation/quality.html", context, status=400 if forms else 200)


def _title_of(kind: str) -> str:
    """Return the name of the rule as a title."""
    return str(capfirst(RuleKind(kind).label))


def _flag_rows(project: Project) -> list[FlagRow]:
    """Return the open flags, then the latest of those that were dismissed."""
    paused = dict(Membership.objects.filter(project=project).values_list("user", "paused"))
    flags = flags_of(project)
    flagged = list(flags.filter(dismissed=None)) + list(
        flags.filter(dismissed__isnull=False)[:MOST_DISMISSED]
    )
    names = account_names(project) if flagged else {}
    return [
        FlagRow(
            flag=flag,
            name=names.get(flag.user_id, flag.user.shown_name),
            title=_title_of(flag.kind),
            is_member=flag.user_id in paused,
            is_paused=paused.get(flag.user_id, False),
        )
        for flag in flagged
    ]
