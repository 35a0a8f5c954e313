"""What is answered to a form whose protection token is too old, or was never ours."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.csrf import csrf_failure


def too_old(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return a page that says what to do; to a script, which gets a new token itself, JSON."""
    if request.content_type == "application/json":
        return JsonResponse({"detail": f"CSRF failed: {reason}"}, status=403)
    return csrf_failure(request, reason)
