"""The choice of a kind of judgement."""

from typing import Any

from django import template

from annotation.kinds import DEFAULT, KINDS

register = template.Library()


@register.inclusion_tag("annotation/new_project/_kinds.html")
def kind_choice(chosen: str, errors: Any = ()) -> dict[str, Any]:
    """Show the kinds as radio buttons; `chosen` is the name of one, "" for the default."""
    return {
        "kinds": KINDS.values(),
        "chosen": chosen if chosen in KINDS else DEFAULT.name,
        "errors": errors,
    }
