"""Languages of texts on pages, and what pages need to show a text of any language."""

import regex
from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from annotation.common import languages
from annotation.models import Project

register = template.Library()
register.filter("language_name", languages.language_name)
# What people see as one character: a letter with its marks, an emoji of several parts.
CHARACTER = regex.compile(r"\X")


@register.filter
def text_attributes(language: str) -> SafeString:
    """Return the attributes of the element that has a text in this language.

    All texts under judgement have them, and nothing else does: scripts.css chooses fonts and line
    breaks by them. Browsers are not to translate these texts.
    """
    direction = languages.direction(language)
    return format_html(' lang="{}" dir="{}" translate="no"', language, direction)


@register.filter
def needs_fonts(project: object) -> bool:
    """Return whether a page with texts of the project needs scripts.css; so do all other pages."""
    sides = ("source_language", "target_language")
    return any(languages.needs_fonts(getattr(project, side, "")) for side in sides)


@register.filter
def language_of(project: Project, side: str) -> str:
    """Return the language of the text in which an error is marked: the source, or a translation."""
    return project.source_language if side == "source" else project.target_language


@register.filter
def beginning(text: str, length: int) -> str:
    """Return the first so many characters that people see, and dots, of a text that is longer."""
    seen = CHARACTER.findall(text)
    return text if len(seen) <= length else "".join(seen[:length]).rstrip() + "…"
