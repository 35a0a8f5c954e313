"""What is the same on a page for everybody who reads the same language."""

from django import template
from django.template.base import Node, NodeList, Parser, Token
from django.template.context import Context
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = template.Library()


@register.tag
def language_only(parser: Parser, _token: Token) -> Node:
    """Render what is inside once for each language; nothing of the page's context is in there."""
    inside = parser.parse(("end_language_only",))
    parser.delete_first_token()
    return LanguageOnly(inside)


class LanguageOnly(Node):
    def __init__(self, inside: NodeList) -> None:
        self.inside = inside
        self.rendered: dict[str | None, SafeString] = {}

    def render(self, context: Context) -> SafeString:
        language = get_language()
        if language not in self.rendered:
            nothing = context.new()
            nothing.template = context.template
            self.rendered[language] = self.inside.render(nothing)
        return self.rendered[language]
