"""What every page has: the menu of languages, and the footer.

Error pages have the footer too, although they have no context.
"""

from typing import Any

from django import template
from django.conf import settings

register = template.Library()


@register.inclusion_tag("_footer.html")
def site_footer() -> dict[str, Any]:
    """Return the version and the address of the source, "" for none."""
    return {"version": settings.VERSION, "source": settings.SOURCE_URL}


@register.simple_tag
def interface_languages() -> list[tuple[str, str]]:
    """Return the codes of the languages of the interface, each with its own name for itself."""
    return settings.LANGUAGES
