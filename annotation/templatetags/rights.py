"""What the user may do, for templates."""

from typing import Any

from django import template

from annotation.models import Project
from annotation.projects import permissions

register = template.Library()


@register.simple_tag(takes_context=True)
def rights_in(context: dict[str, Any], project: Project) -> permissions.Rights:
    """Return the user's rights in the project. One query."""
    return permissions.rights(context["request"].user, project)
