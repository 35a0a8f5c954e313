"""The page of a project's quality: rules, flags, and the figures of annotators."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.common.exceptions import NotPossible
from annotation.models import Membership, Project, User
from annotation.projects.administration import pause_member, resume_member
from annotation.projects.annotator_names import account_names
from annotation.projects.permissions import LARGEST_ID, project_to_administer
from evaluation.models import QualityFlag, QualityRule, RuleKind
from evaluation.services.quality import (
    broken_limits,
    dismiss_flag,
    flags_of,
    measured_quality,
    rules_of,
    set_rules,
)
from evaluation.stats.annotators.quality import AnnotatorQuality
from evaluation.web.quality_forms import RuleForm

# Dismissed flags that the page lists.
MOST_DISMISSED: Final = 50
TITLES: Final = {
    RuleKind.SECONDS: gettext_lazy("Too fast"),
    RuleKind.CONTROLS: gettext_lazy("Fails control sentences"),
    RuleKind.ONE_RANK: gettext_lazy("Same rank for everything"),
    RuleKind.KAPPA: gettext_lazy("Disagrees with others"),
    RuleKind.SHOWN_ORDER: gettext_lazy("Keeps the order shown"),
}
EXPLAINED: Final = {
    RuleKind.SECONDS: gettext_lazy("Median seconds per segment below the limit."),
    RuleKind.CONTROLS: gettext_lazy(
        "Share of control sentences failed above the limit. Only control sentences count as "
        "sentences here."
    ),
    RuleKind.ONE_RANK: gettext_lazy("Share of candidates on one rank above the limit."),
    RuleKind.KAPPA: gettext_lazy(
        "κ with other annotators below the limit. Only sentences that others judged too count here."
    ),
    RuleKind.SHOWN_ORDER: gettext_lazy(
        "Share of rankings in exactly the order on the page above the limit. Segments with three "
        "or more candidates count."
    ),
}


@dataclass(frozen=True)
class FlagRow:
    """A flag with the name of the annotator, and whether they are members and paused now."""

    flag: QualityFlag
    name: str
    title: str
    is_share: bool
    is_member: bool
    is_paused: bool


@dataclass(frozen=True)
class PersonRow:
    """The figures of an annotator with the rules that they break now."""

    user: int
    quality: AnnotatorQuality
    broken: tuple[str, ...]
    is_paused: bool


@never_cache
@login_required
@require_safe
def quality(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the rules, who was flagged, and the figures of all annotators."""
    return _show(request, project_to_administer(request.user, pk))


@never_cache
@login_required
@require_POST
def change_rules(request: HttpRequest, pk: int) -> HttpResponse:
    """Store all rules; the annotators are checked again in the background."""
    project = project_to_administer(request.user, pk)
    forms = [RuleForm(request.POST, rule=rule) for rule in rules_of(project)]
    if not all(form.is_valid() for form in forms):
        return _show(request, project, forms=forms)
    set_rules(project=project, rules={form.kind: form.values() for form in forms})
    messages.success(request, _("Rules saved. Annotators are being checked."))
    return redirect("quality", pk)


@never_cache
@login_required
@require_POST
def dismiss(request: HttpRequest, pk: int, flag_pk: int) -> HttpResponse:
    """Dismiss a flag; the rule does not flag the annotator again."""
    project = project_to_administer(request.user, pk)
    user = cast(User, request.user)
    get_object_or_404(flags_of(project), pk=min(flag_pk, LARGEST_ID))
    return _act(request, project, lambda: dismiss_flag(project=project, by=user, flag_id=flag_pk))


@never_cache
@login_required
@require_POST
def pause(request: HttpRequest, pk: int, user_pk: int) -> HttpResponse:
    """Pause a member."""
    project = project_to_administer(request.user, pk)
    user = cast(User, request.user)
    get_object_or_404(project.memberships, user=min(user_pk, LARGEST_ID))
    return _act(request, project, lambda: pause_member(project=project, by=user, user_id=user_pk))


@never_cache
@login_required
@require_POST
def resume(request: HttpRequest, pk: int, user_pk: int) -> HttpResponse:
    """Let a paused member judge again."""
    project = project_to_administer(request.user, pk)
    user = cast(User, request.user)
    get_object_or_404(project.memberships, user=min(user_pk, LARGEST_ID))
    return _act(request, project, lambda: resume_member(project=project, by=user, user_id=user_pk))


def _act(request: HttpRequest, project: Project, act: Callable[[], object]) -> HttpResponse:
    try:
        act()
    except NotPossible as problem:
        messages.error(request, str(problem))
    return redirect("quality", project.pk)


def _show(
    request: HttpRequest, project: Project, *, forms: list[RuleForm] | None = None
) -> HttpResponse:
    rules = rules_of(project)
    context = {
        "project": project,
        "rules": [
            {"form": form, "title": TITLES[form.kind], "explained": EXPLAINED[form.kind]}
            for form in forms or [RuleForm(rule=rule) for rule in rules]
        ],
        "not_saved": forms is not None,
        **_found(project, rules),
    }
    return render(request, "evaluation/quality.html", context, status=400 if forms else 200)


def _found(project: Project, rules: list[QualityRule]) -> dict[str, Any]:
    """Return the part of the context about people."""
    measured = measured_quality(project)
    paused = dict(Membership.objects.filter(project=project).values_list("user", "paused"))
    flags = flags_of(project)
    flagged = list(flags.filter(dismissed=None)) + list(
        flags.filter(dismissed__isnull=False)[:MOST_DISMISSED]
    )
    names = account_names(project) if flagged else {}
    rows = [
        FlagRow(
            flag=flag,
            name=names.get(flag.user_id, flag.user.shown_name),
            title=str(TITLES[RuleKind(flag.kind)]),
            is_share=flag.kind in ("controls", "one_rank", "shown_order"),
            is_member=flag.user_id in paused,
            is_paused=paused.get(flag.user_id, False),
        )
        for flag in flagged
    ]
    people = [
        PersonRow(
            user=person.user,
            quality=person.quality,
            broken=broken_limits(person.quality, rules),
            is_paused=paused.get(person.user, False),
        )
        for person in (measured.people if measured else ())
    ]
    return {
        "measured": measured,
        # Who breaks a rule first.
        "people": sorted(people, key=lambda person: not person.broken),
        "unusual": sum(bool(person.broken) for person in people),
        "open_flags": [row for row in rows if row.flag.dismissed is None],
        "dismissed_flags": [row for row in rows if row.flag.dismissed is not None],
    }
