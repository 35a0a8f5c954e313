"""The question before something is removed: a page that posts the same form again, confirmed."""

from collections.abc import Iterable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

CONFIRMED = "confirmed"


def is_confirmed(request: HttpRequest) -> bool:
    """Return whether the form was posted by the page that asks."""
    return CONFIRMED in request.POST


def ask(
    request: HttpRequest, *, question: str, consequences: Iterable[str], button: str, back: str
) -> HttpResponse:
    """Show the question with what will happen, and the button that confirms it.

    `back` is the address of the page to which the other button leads.
    """
    repeated = [
        (name, value)
        for name, values in request.POST.lists()
        for value in values
        if name not in (CONFIRMED, "csrfmiddlewaretoken")
    ]
    context = {
        "question": question,
        "consequences": list(consequences),
        "button": button,
        "back": back,
        "repeated": repeated,
        "confirmed": CONFIRMED,
    }
    return render(request, "annotation/confirm.html", context)
