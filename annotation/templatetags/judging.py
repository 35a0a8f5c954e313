"""Parts of the judging form that there are many of."""

from django import template
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from annotation.forms import CardFields

register = template.Library()


@register.simple_tag
def rank_choices(card: CardFields) -> SafeString:
    """Return the radio buttons of the card's ranks.

    Made here, since a template takes ten times as long, and they are half of the page.
    """
    hidden = '<span class="visually-hidden">{}</span>'
    before = format_html(hidden, _("Rank") + " ")
    behind = {card.ranks[-1].value: _("worst"), card.ranks[0].value: _("best")}
    cues = {value: format_html(hidden, f" ({word})") for value, word in behind.items()}
    name = conditional_escape(card.name)
    return format_html_join(
        "\n",
        '<label class="choice"><input type="radio" name="{}" value="{}" required{}>{}'
        "<span>{}</span>{}</label>",
        (
            (
                name,
                option.value,
                SafeString(" checked" if option.checked else ""),
                before,
                option.value,
                cues.get(option.value, ""),
            )
            for option in card.ranks
        ),
    )
