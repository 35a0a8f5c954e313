"""Names of languages, and their tags in HTML."""

from django.utils.translation import gettext_lazy as _

# Not Django's names: its Czech for "English" means "in English".
NAMES = {
    "ar": _("Arabic"),
    "bg": _("Bulgarian"),
    "cs": _("Czech"),
    "da": _("Danish"),
    "de": _("German"),
    "el": _("Greek"),
    "en": _("English"),
    "es": _("Spanish"),
    "et": _("Estonian"),
    "fi": _("Finnish"),
    "fr": _("French"),
    "he": _("Hebrew"),
    "hi": _("Hindi"),
    "hr": _("Croatian"),
    "hu": _("Hungarian"),
    "it": _("Italian"),
    "ja": _("Japanese"),
    "ko": _("Korean"),
    "lt": _("Lithuanian"),
    "lv": _("Latvian"),
    "nl": _("Dutch"),
    "no": _("Norwegian"),
    "pl": _("Polish"),
    "pt": _("Portuguese"),
    "ro": _("Romanian"),
    "ru": _("Russian"),
    "sk": _("Slovak"),
    "sl": _("Slovenian"),
    "sr": _("Serbian"),
    "sv": _("Swedish"),
    "tr": _("Turkish"),
    "uk": _("Ukrainian"),
    "vi": _("Vietnamese"),
    "zh": _("Chinese"),
}


def language_tag(code: str) -> str:
    """Return the BCP 47 tag for `lang` in HTML: "pt-BR" for "pt_BR"."""
    return code.replace("_", "-")


def language_name(code: str) -> str:
    """Return the language's name in the language of the page: "Portuguese (BR)" for "pt_BR".

    Return the code of a language without a name.
    """
    language, *rest = language_tag(code).split("-")
    name = NAMES.get(language.lower())
    if name is None:
        return code
    return f"{name} ({'-'.join(rest)})" if rest else str(name)
