"""The footer of every page; error pages have it too, although they have no context."""

from typing import Any

from django import template
from django.conf import settings

register = template.Library()


@register.inclusion_tag("_footer.html")
def site_footer() -> dict[str, Any]:
    """Return the version and the address of the source, "" for none."""
    return {"version": settings.VERSION, "source": settings.SOURCE_URL}
