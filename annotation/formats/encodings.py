"""Encodings of texts: their names, and which one a text that is not UTF-8 probably has."""

import codecs
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.language_detection import language_probabilities

UTF_8: Final = "UTF-8"

# Lower-case letters beyond ASCII, by language.
_CYRILLIC = "абвгдежзийклмнопрстуфхцчшщьюя"
_ARABIC = "ءآأؤإئابةتثجحخدذرزسشصضطظعغـفقكلمنهوىيًٌٍَُِّْ"
_LETTERS: Final = {
    "ar": _ARABIC,
    "be": _CYRILLIC + "ёіўыэ",
    "bg": _CYRILLIC + "ъ",
    "ca": "àçèéíïòóúü·",
    "cs": "áčďéěíňóřšťúůýž",
    "da": "æøåé",
    "de": "äöüß",
    "el": "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ",
    # Of names and loans.
    "en": "àáâäåæçèéêëíîïñóôöøúüû£",
    "es": "áéíñóúü¿¡",
    "et": "äõöüšž",
    "fa": _ARABIC + "پچژگکی\u200c",
    "fi": "äöåšž",
    "fr": "àâæçèéêëîïôœùûüÿ",
    "he": "אבגדהוזחטיךכלםמןנסעףפץצקרשת",
    "hr": "čćđšž",
    "hu": "áéíóöőúüű",
    "is": "áðéíóúýþæö",
    "it": "àèéìíîòóùú",
    "lt": "ąčęėįšųūž",
    "lv": "āčēģīķļņšūž",
    "nb": "æøåéòô",
    "nl": "áèéëïóöü",
    "pl": "ąćęłńóśźż",
    "pt": "àáâãçéêíóôõú",
    "ro": "ăâîşţșț",
    "ru": _CYRILLIC + "ёъыэ",
    "sk": "áäčďéíĺľňóôŕšťúýž",
    "sl": "čšž",
    "sr": "абвгдђежзијклљмнњопрстћуфхцчџш",
    "sv": "åäöé",
    "th": "กขคฆงจฉชซญฎฏฐณดตถทธนบปผพภมยรลวศษสหฬอฮะัาำิีึืุูเแโใไ็่้์",
    "tr": "âçğıîöşûüİ",
    "uk": _CYRILLIC + "ґєії",
    # Marks of tones are characters of their own.
    "vi": "àâèéêìíòóôùúýăđơưạ\u0300\u0301\u0303\u0309\u0323",
}
_MARKS: Final = frozenset("\xa0\xad–—„“”‚‘’«»‹›…•§°€×№")
_WEST = ("en", "de", "fr", "es", "pt", "it", "nl", "sv", "da", "nb", "fi", "is", "ca")
_CENTRE = ("cs", "sk", "pl", "hu", "ro", "hr", "sl")
_EAST = ("ru", "uk", "bg", "sr", "be")


@dataclass(frozen=True, slots=True)
class _Alphabetic:
    """An encoding of one byte a letter, and its languages; of several, the likelier first."""

    codec: str
    languages: tuple[str, ...]
    is_latin: bool = True

    def plausibility(self, text: str) -> float:
        """Return the share of plausible characters in the most probable language, and a bonus."""
        probable = language_probabilities(text)
        return max(
            self._share(text, language) + _BONUS * probable.get(language, 0)
            for language in self.languages
        )

    def _share(self, text: str, language: str) -> float:
        letters = _LETTERS[language]
        plausible = count = 0
        for before, letter in pairwise(" " + text):
            if letter.isascii():
                continue
            count += 1
            if letter.lower() in letters:
                # A capital inside a word, or another script, is a sign of the wrong encoding.
                in_word = before.isalpha()
                mixed = in_word and before.isascii() and not self.is_latin
                plausible += not mixed and not (in_word and letter.isupper())
            else:
                plausible += letter in _MARKS
        return plausible / count


@dataclass(frozen=True, slots=True)
class _Ideographic:
    """An encoding of Chinese, Japanese or Korean.

    The frequent characters of its language come first in `charset`: those whose first byte is one
    of `first`.
    """

    codec: str
    language: str
    charset: str
    first: range

    def plausibility(self, text: str) -> float:
        """Return the share of frequent characters, and a bonus if it is the probable language."""
        beyond = [letter for letter in text if not letter.isascii()]
        share = sum(map(self._is_frequent, beyond)) / len(beyond)
        return share + _BONUS * language_probabilities(text).get(self.language, 0)

    def _is_frequent(self, letter: str) -> bool:
        # Punctuation, full-width letters and, in Japanese, kana.
        if "\u3000" <= letter <= "\u303f" or "\uff00" <= letter <= "\uff65":
            return True
        if self.language == "ja" and "\u3040" <= letter <= "\u30ff":
            return True
        encoded = letter.encode(self.charset, "ignore")
        return letter in _MARKS or (len(encoded) == 2 and encoded[0] in self.first)


# The bonus of a probable language decides where encodings fit equally well.
_BONUS: Final = 0.1
_LEAST: Final = 0.6
# Enough to tell encodings apart.
_SAMPLE_BYTES: Final = 6000

# By the names that people know; None cannot be guessed. Of equally plausible ones, the first.
_ENCODINGS: Final[Mapping[str, _Alphabetic | _Ideographic | str]] = {
    "Windows-1252": _Alphabetic("cp1252", _WEST),
    "Windows-1250": _Alphabetic("cp1250", _CENTRE),
    "Windows-1251": _Alphabetic("cp1251", _EAST, is_latin=False),
    "Windows-1253": _Alphabetic("cp1253", ("el",), is_latin=False),
    "Windows-1254": _Alphabetic("cp1254", ("tr",)),
    "Windows-1255": _Alphabetic("cp1255", ("he",), is_latin=False),
    "Windows-1256": _Alphabetic("cp1256", ("ar", "fa"), is_latin=False),
    "Windows-1257": _Alphabetic("cp1257", ("lt", "lv", "et")),
    "Windows-1258": _Alphabetic("cp1258", ("vi",)),
    "Windows-874": _Alphabetic("cp874", ("th",), is_latin=False),
    "ISO-8859-2": _Alphabetic("iso8859-2", _CENTRE),
    "ISO-8859-5": _Alphabetic("iso8859-5", _EAST, is_latin=False),
    "ISO-8859-7": _Alphabetic("iso8859-7", ("el",), is_latin=False),
    "KOI8-U": _Alphabetic("koi8-u", ("ru", "uk", "bg", "be"), is_latin=False),
    "IBM852": _Alphabetic("cp852", _CENTRE),
    "IBM866": _Alphabetic("cp866", ("ru",), is_latin=False),
    "Macintosh": _Alphabetic("mac-roman", _WEST[1:]),
    "GB18030": _Ideographic("gb18030", "zh", "gb2312", range(0xB0, 0xD8)),
    "Big5": _Ideographic("big5", "zh", "big5", range(0xA4, 0xC7)),
    "Shift_JIS": _Ideographic("cp932", "ja", "euc-jp", range(0xB0, 0xD0)),
    "EUC-JP": _Ideographic("euc-jp", "ja", "euc-jp", range(0xB0, 0xD0)),
    "EUC-KR": _Ideographic("cp949", "ko", "euc-kr", range(0xB0, 0xC9)),
    # These are not guessed: others have their letters, or have a byte order mark.
    **{f"ISO-8859-{n}": f"iso8859-{n}" for n in (1, 3, 4, 6, 8, 9, 10, 13, 14, 15, 16)},
    "KOI8-R": "koi8-r",
    "UTF-16": "utf-16",
    "UTF-16LE": "utf-16-le",
    "UTF-16BE": "utf-16-be",
    "UTF-32": "utf-32",
}
_CODECS: Final = {
    name: found if isinstance(found, str) else found.codec for name, found in _ENCODINGS.items()
}
# Names by what Python calls them; Chinese texts in GBK are read as GB18030, which contains it.
_NAMES: Final = {codecs.lookup(codec).name: name for name, codec in _CODECS.items()} | {
    "utf-8": UTF_8,
    "gb2312": "GB18030",
    "gbk": "GB18030",
    "shift_jis": "Shift_JIS",
    "euc_kr": "EUC-KR",
}
ENCODINGS: Final = (UTF_8, *_ENCODINGS)
_BYTE_ORDER_MARKS: Final = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}


def find_encoding(name: str) -> str:
    """Return the usual name of an encoding, as "Windows-1250" for "cp1250". Raise InputError."""
    shown = next((known for known in ENCODINGS if known.lower() == name.strip().lower()), "")
    try:
        return shown or _NAMES[codecs.lookup(name.strip()).name]
    except (LookupError, ValueError):
        raise InputError(
            _("there is no encoding %(name)r: give one such as %(known)s."),
            name=name[:40],
            known=", ".join(ENCODINGS[:4]),
        ) from None


def codec_of(encoding: str) -> str:
    """Return Python's name of an encoding of ENCODINGS."""
    return "utf-8-sig" if encoding == UTF_8 else _CODECS[encoding]


def marked_encoding(head: bytes) -> str:
    """Return the encoding that a byte order mark of UTF-16 or UTF-32 tells; "" without one."""
    return next((name for mark, name in _BYTE_ORDER_MARKS.items() if head.startswith(mark)), "")


def has_nul_bytes(encoding: str) -> bool:
    """Return whether texts in this encoding have bytes that are zero."""
    return encoding.startswith(("UTF-16", "UTF-32"))


def guess_encoding(lines: Iterable[bytes]) -> str:
    """Return the probable encoding of lines, one of ENCODINGS; "" if none is probable.

    It is UTF-8 for a text that has as many characters of UTF-8 as damaged ones. Reads as many lines
    as it needs.
    """
    sample = b""
    for number, line in enumerate(lines):
        if not number and (marked := marked_encoding(line)):
            return marked
        if not line.isascii():
            sample += line
        if len(sample) >= _SAMPLE_BYTES:
            break
    if not sample:
        return UTF_8
    decoded = [letter for letter in sample.decode("utf-8", "replace") if not letter.isascii()]
    if decoded.count("\ufffd") * 2 <= len(decoded):
        return UTF_8
    best, found = _LEAST, ""
    for name, encoding in _ENCODINGS.items():
        if isinstance(encoding, str):
            continue
        try:
            text = sample.decode(encoding.codec)
        except UnicodeDecodeError:
            continue
        if any(map(_is_no_text, text)):
            continue
        if (plausibility := encoding.plausibility(text)) > best:
            best, found = plausibility, name
    return found


def _is_no_text(letter: str) -> bool:
    """Return whether it is a control character, or none that Unicode knows."""
    return letter not in "\t\r\n\f" and unicodedata.category(letter) in ("Cc", "Cn", "Co")
