"""Languages of texts on pages."""

from django import template

from annotation.common import languages

register = template.Library()
register.filter("language_name", languages.language_name)
