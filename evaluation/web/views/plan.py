"""The page of a plan: what a campaign costs and may conclude, from the numbers of its query."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.common.error_messages import localize_error
from annotation.formats.errors import InputError
from annotation.web.project_views import for_project_creators
from annotation.web.requests import SignedInRequest
from evaluation.findings.plan import tables
from evaluation.services.plans import plan_campaign
from evaluation.web.plan_forms import PlanForm


@for_project_creators
@require_safe
def plan(request: SignedInRequest) -> HttpResponse:
    """Show the form, and below it the plan of what was asked. Nothing is stored."""
    asked = bool(request.GET)
    form = PlanForm(request.GET if asked else None, user=request.user)
    context: dict[str, Any] = {"form": form}
    if asked and form.is_valid():
        try:
            found = plan_campaign(
                form.options, kind=form.cleaned_data["kind"], project=form.cleaned_data["project"]
            )
        except InputError as problem:
            form.add_error(None, localize_error(problem).words)
        else:
            context |= {
                "plan": found,
                "places": found.places,
                "tables": {table.name: table for table in tables(found)},
            }
    status = 400 if form.errors else 200
    return render(request, "evaluation/plan.html", context, status=status)
