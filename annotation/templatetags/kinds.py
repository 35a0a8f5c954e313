"""The choice of a kind of judgement."""

from typing import Any

from django import template
from django.forms import BoundField

from annotation.kinds import DEFAULT, GROUPS, KINDS

register = template.Library()


@register.inclusion_tag("annotation/new_project/_kinds.html")
def kind_choice(chosen: str, errors: Any = (), options: BoundField | None = None) -> dict[str, Any]:
    """Show the kinds by group as radio buttons; `chosen` is a name, "" for the default.

    `options` is the field for what the project chooses of its answer, if the page asks for it.
    """
    selected = KINDS.get(chosen, DEFAULT)
    return {
        "groups": [
            (group, [kind for kind in KINDS.values() if kind.group is group]) for group in GROUPS
        ],
        "usual": DEFAULT,
        "selected": selected,
        "errors": errors,
        "options": options,
        "new_line": "\n",
    }
