"""Kinds of judgement: their names on pages, and the choice of one."""

from typing import Any

from django import template

from annotation.kinds import DEFAULT, KINDS, kind_of

register = template.Library()
# "{{ project|kind_of }}"
register.filter("kind_of", kind_of)


@register.inclusion_tag("annotation/new_project/_kinds.html")
def kind_choice(chosen: str, errors: Any = ()) -> dict[str, Any]:
    """Show the kinds as radio buttons; `chosen` is the name of one, "" for the default."""
    return {
        "kinds": KINDS.values(),
        "chosen": chosen if chosen in KINDS else DEFAULT.name,
        "errors": errors,
    }
