"""The answer to a request without a valid CSRF token."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.csrf import csrf_failure


def too_old(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return a page that says what to do, or JSON to a script, which gets a new token itself."""
    if request.content_type == "application/json":
        return JsonResponse({"detail": f"CSRF failed: {reason}"}, status=403)
    return csrf_failure(request, reason)
