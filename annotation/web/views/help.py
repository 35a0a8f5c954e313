"""Pages for everyone: what SegRanks is and how it is used, and what it stores about people."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.web.views.new_project import limit_in_megabytes


@never_cache
@require_safe
def help_page(request: HttpRequest) -> HttpResponse:
    context = {"limit": limit_in_megabytes(), "contact": settings.CONTACT}
    return render(request, "site/help.html", context)


@never_cache
@require_safe
def no_documentation(request: HttpRequest) -> HttpResponse:
    """Say how the documentation is built, in a clone where it is not. Raises Http404 if it is."""
    if settings.DOCS_ROOT.is_dir():
        raise Http404
    return render(request, "site/no_documentation.html", status=404)


@never_cache
@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    return render(request, "site/privacy.html", {"contact": settings.CONTACT})
