"""Names of languages, and their tags in HTML."""

import unicodedata

from django.utils.translation import gettext_lazy as _

# Not Django's names: its Czech for "English" means "in English".
NAMES = {
    "af": _("Afrikaans"),
    "am": _("Amharic"),
    "ar": _("Arabic"),
    "az": _("Azerbaijani"),
    "be": _("Belarusian"),
    "bg": _("Bulgarian"),
    "bn": _("Bengali"),
    "bs": _("Bosnian"),
    "ca": _("Catalan"),
    "cs": _("Czech"),
    "cy": _("Welsh"),
    "da": _("Danish"),
    "de": _("German"),
    "el": _("Greek"),
    "en": _("English"),
    "eo": _("Esperanto"),
    "es": _("Spanish"),
    "et": _("Estonian"),
    "eu": _("Basque"),
    "fa": _("Persian"),
    "fi": _("Finnish"),
    "fil": _("Filipino"),
    "fr": _("French"),
    "ga": _("Irish"),
    "gl": _("Galician"),
    "gu": _("Gujarati"),
    "ha": _("Hausa"),
    "he": _("Hebrew"),
    "hi": _("Hindi"),
    "hr": _("Croatian"),
    "hsb": _("Upper Sorbian"),
    "hu": _("Hungarian"),
    "hy": _("Armenian"),
    "id": _("Indonesian"),
    "is": _("Icelandic"),
    "it": _("Italian"),
    "ja": _("Japanese"),
    "ka": _("Georgian"),
    "kk": _("Kazakh"),
    "km": _("Khmer"),
    "kn": _("Kannada"),
    "ko": _("Korean"),
    "ku": _("Kurdish"),
    "ky": _("Kyrgyz"),
    "la": _("Latin"),
    "lb": _("Luxembourgish"),
    "lo": _("Lao"),
    "lt": _("Lithuanian"),
    "lv": _("Latvian"),
    "mk": _("Macedonian"),
    "ml": _("Malayalam"),
    "mn": _("Mongolian"),
    "mr": _("Marathi"),
    "ms": _("Malay"),
    "mt": _("Maltese"),
    "my": _("Burmese"),
    "ne": _("Nepali"),
    "nl": _("Dutch"),
    "no": _("Norwegian"),
    "pa": _("Punjabi"),
    "pl": _("Polish"),
    "ps": _("Pashto"),
    "pt": _("Portuguese"),
    "ro": _("Romanian"),
    "rom": _("Romani"),
    "ru": _("Russian"),
    "si": _("Sinhala"),
    "sk": _("Slovak"),
    "sl": _("Slovenian"),
    "so": _("Somali"),
    "sq": _("Albanian"),
    "sr": _("Serbian"),
    "sv": _("Swedish"),
    "sw": _("Swahili"),
    "ta": _("Tamil"),
    "te": _("Telugu"),
    "tg": _("Tajik"),
    "th": _("Thai"),
    "tr": _("Turkish"),
    "uk": _("Ukrainian"),
    "ur": _("Urdu"),
    "uz": _("Uzbek"),
    "vi": _("Vietnamese"),
    "xh": _("Xhosa"),
    "yo": _("Yoruba"),
    "zh": _("Chinese"),
    "zu": _("Zulu"),
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


def languages_by_name() -> list[tuple[str, str]]:
    """Return codes and names, in the alphabetical order of the page's language."""

    def without_accents(row: tuple[str, str]) -> str:
        decomposed = unicodedata.normalize("NFKD", row[1])
        return "".join(c for c in decomposed if not unicodedata.combining(c)).casefold()

    return sorted(((code, str(name)) for code, name in NAMES.items()), key=without_accents)
