"""Languages of texts on pages."""

from django import template

from annotation import languages

register = template.Library()
register.filter("language_tag", languages.language_tag)
register.filter("language_name", languages.language_name)
