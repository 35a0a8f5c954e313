"""What is wrong with files, in words for people."""

import re
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from annotation.common.languages import language_name
from annotation.formats.errors import InputError
from annotation.formats.problems import Problem, Values

# For sentences that are marked for translation where they are written.
_in_this_language = gettext
_PLACE = re.compile(r"(?P<file>.*?)(?:, line (?P<line>\d+))?", re.S)

SENTENCES: dict[str, Any] = {
    # Files that cannot be taken.
    "no-text": _("This is not a plain text, so it was not taken: save it as plain text in UTF-8."),
    "utf16": _("This is saved as UTF-16, so it was not taken: save it as UTF-8."),
    "too-large": _("This would be more than an upload may have, so it was not taken."),
    "too-large-unpacked": _(
        "Unpacked, this would be more than an upload may have, so it was not taken."
    ),
    "zip-entries": _("This zip holds more than %(most)d files, so it was not taken."),
    "zip-empty": _("This zip is empty."),
    "zip-encrypted": _("This zip has a password: pack it again without one."),
    "zip-link": _("This zip holds a link (%(entry)s) in place of a file: pack the file itself."),
    "zip-damaged": _("This zip is damaged or of a kind that we cannot read: pack it again."),
    "zip-in-zip": _("A zip inside a zip is not unpacked: pack all files into one."),
    "one-file": _("This zip holds more than one file: choose the one that is meant."),
    "gzip-damaged": _("This gzip file is damaged: pack it again."),
    "too-many-files": _("An upload takes at most %(most)d files: this one was left out."),
    # The set of files.
    "no-files": _("There are no files yet: add the source and the systems’ translations."),
    "no-source": _("No file is the source: choose “source” for one of them."),
    "no-system": _("No file is a system’s translation: at least one is needed."),
    "two-source": _("There can be one source, and %(first)s is one already."),
    "two-reference": _("There can be one reference, and %(first)s is one already."),
    "two-trees": _("There can be one file of trees, and %(first)s is one already."),
    "two-given": _("There can be one file of segments, and %(first)s is one already."),
    "trees-beside-given": _(
        "The segments come as a file, so trees are of no use: leave out one of the two."
    ),
    "two-segments": _("There can be one file of segments, and %(first)s is one already."),
    "two-systems": _("There can be one such file, and %(first)s is one already."),
    "beside-segments": _(
        "Segments and candidates come ready-made here, so this file has no place: leave it out."
    ),
    "systems-without-segments": _(
        "This says which system made which candidate, but there is no file of segments."
    ),
    "system-name": _("Give the system a name of 1 to %(most)d printable characters."),
    "system-called-reference": _(
        "No system can be called “reference”: choose the role “reference”, or another name."
    ),
    "system-twice": _("The system %(name)s is there twice: %(first)s is the other file."),
    "links-of-nobody": _("There is no system “%(name)s” that these links could belong to."),
    "links-twice": _("%(name)s has links already: %(first)s."),
    "no-links": _(
        "The system %(name)s has no links, while others have: add them for every system."
    ),
    # Lines.
    "empty-file": _("This file is empty."),
    "empty-source": _("Every line of the source is empty: there is nothing to judge."),
    "not-utf8": _("Byte %(byte)d of the line (%(value)s) is not UTF-8: save the file as UTF-8."),
    "nul": _("There is a NUL character: remove it."),
    "line-too-long": _("The line is longer than a million bytes: put one sentence on each line."),
    "columns": _("%(found)d columns, separated by tabs, where %(wanted)d are needed."),
    "given-words": _(
        "“%(words)s” is not what stands at these positions of the sentence: “%(found)s”. If the "
        "source is tokenised already, say so under “More settings”."
    ),
    "given-beyond": _("There is no sentence %(sentence)d: the source ends with line %(last)d."),
    "different-lengths": ngettext_lazy(
        "This file has %(lines)d line, but %(source)s has %(source_lines)d: the same line must be "
        "the same sentence.",
        "This file has %(lines)d lines, but %(source)s has %(source_lines)d: the same line must "
        "be the same sentence.",
        "lines",
    ),
    "tree-leaves": ngettext_lazy(
        "The tree has %(leaves)d leaf, but the sentence has %(tokens)d tokens: give trees of the "
        "same tokens.",
        "The tree has %(leaves)d leaves, but the sentence has %(tokens)d tokens: give trees of "
        "the same tokens.",
        "leaves",
    ),
    "link-outside": ngettext_lazy(
        "The link %(link)s points beyond the sentence, which has %(source)d source and %(target)d "
        "target token (positions count from 0).",
        "The link %(link)s points beyond the sentence, which has %(source)d source and %(target)d "
        "target tokens (positions count from 0).",
        "target",
    ),
    "conllu-count": ngettext_lazy(
        "There is %(count)d tree for %(sentences)d lines of the source with words: give one for "
        "each, in the same order.",
        "There are %(count)d trees for %(sentences)d lines of the source with words: give one for "
        "each, in the same order.",
        "count",
    ),
    # Worth knowing.
    "empty-lines": ngettext_lazy(
        "%(count)d line of the source is empty: it will have nothing to judge.",
        "%(count)d lines of the source are empty: they will have nothing to judge.",
        "count",
    ),
    "missing-translations": ngettext_lazy(
        "%(count)d sentence has no translation here.",
        "%(count)d sentences have no translation here.",
        "count",
    ),
    "language": _("This looks like %(found)s, not like %(wanted)s. Is it the right file?"),
}


@dataclass(frozen=True)
class Said:
    """A problem as it is shown; `in_english` where it is said in English in any language."""

    file: str
    line: int
    words: str
    in_english: bool = False


def say(problem: Problem) -> Said:
    """Return the problem in the language of the page."""
    values = dict(problem.values)
    if problem.code == "language":
        values = {name: language_name(str(code)) for name, code in values.items()}
    if sentence := SENTENCES.get(problem.code):
        return Said(problem.file, problem.line, str(sentence % values))
    words, in_english = _translated(problem.code, values)
    return Said(problem.file, problem.line, words, in_english)


def say_error(error: InputError) -> Said:
    """Return what a reader found wrong in the language of the page; "" and 0 for no place."""
    place = _PLACE.fullmatch(error.where)
    if place is None:
        return Said("", 0, str(error), in_english=True)
    words, in_english = _translated(error.said, error.values)
    return Said(place["file"], int(place["line"] or 0), words, in_english)


def in_one_line(said: Said) -> str:
    """Return it with its place before it."""
    if not said.file:
        return said.words
    if not said.line:
        return f"{said.file}: {said.words}"
    place = gettext("%(file)s, line %(line)d") % {"file": said.file, "line": said.line}
    return f"{place}: {said.words}"


def _translated(sentence: str, values: Values) -> tuple[str, bool]:
    """Return a reader's sentence, filled in, and whether it is in English whatever the page is."""
    translated = _in_this_language(sentence)
    filled = translated % values if values else translated
    return filled[:1].upper() + filled[1:], translated == sentence
