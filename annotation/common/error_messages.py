"""Problems of files and errors of readers in the language of the page."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from annotation.common.languages import language_name
from annotation.formats.errors import InputError
from annotation.formats.problems import InputErrors, Problem, Values

# Another name, so that makemessages does not look for a literal in its calls.
_in_this_language = gettext

SENTENCES: dict[str, Any] = {
    # Refused files.
    "no-text": _(
        "This is neither a plain text nor XLSX, nor an image, audio or video that can be used, so "
        "it was not added: save it as one of them."
    ),
    "campaign": _(
        "This file is a campaign of Pearmut, so it was not added: create its project on the page "
        "“A campaign of Pearmut”, to which “Restore from an archive” leads."
    ),
    "markup": _(
        "This file has markup (SGML, XML, TMX or JSON) around its texts, so it was not added: save "
        "each text as a plain text with one sentence a line."
    ),
    "too-large": _("With this file, the upload would be too large, so it was not added."),
    "too-large-unpacked": _(
        "With this file unpacked, the upload would be too large, so it was not added."
    ),
    "judgements-too-large": _(
        "This file has more than %(limit)d MB, so it was not imported: divide it, or import it "
        "with the command import_judgements."
    ),
    "zip-entries": _("This zip contains more than %(most)d files, so it was not added."),
    "zip-empty": _("This zip is empty."),
    "zip-encrypted": _("This zip has a password: pack it again without one."),
    "zip-link": _("This zip contains a link (%(entry)s) instead of a file: pack the file itself."),
    "zip-damaged": _("This zip is damaged or uses an unsupported method: pack it again."),
    "zip-in-zip": _("A zip inside a zip is not unpacked: pack all files into one zip."),
    "one-file": _("This zip contains more than one file: upload only the one that you need."),
    "no-column": _(
        "This table has no column “%(name)s”, only %(headings)s: rename one, or upload the column "
        "alone."
    ),
    "gzip-damaged": _("This gzip file is damaged: pack it again."),
    "too-many-files": _("An upload can have at most %(most)d files: this one was not added."),
    # Roles.
    "no-files": _("There are no files yet: add the source and the systems’ translations."),
    "no-source": _("No file has the role “source”: choose it for one of them."),
    "no-system": _("No file is a system’s translation: add at least one."),
    "no-reference": _(
        "Annotators compare translations with the reference, so choose the role “reference” for "
        "at least one of the files."
    ),
    "missing-reference": _("The reference is missing, with which annotators compare translations."),
    "two-source": _("Only one file can be the source: %(first)s already is."),
    "two-documents": _("Only one file can have the documents: %(first)s already does."),
    "two-trees": _("Only one file can have the trees: %(first)s already does."),
    "two-given": _("Only one file can have the segments: %(first)s already does."),
    "two-medialines": _("Only one file can have the lines of the media: %(first)s already does."),
    "media-unseen": _(
        "Annotators of this kind of judgement do not see the source, so nothing can be shown "
        "beside it: leave this file out."
    ),
    "trees-beside-given": _(
        "A file already has the segments, so trees are not needed: leave out one of the two."
    ),
    "two-segments": _("Only one file can have the segments: %(first)s already does."),
    "two-systems": _("Only one file can have this role: %(first)s already has it."),
    "beside-segments": _(
        "Another file already has segments and candidates, so this file is not needed: leave it "
        "out."
    ),
    "media-beside-segments": _(
        "Media cannot be uploaded with ready-made segments: leave this file out, and add it on the "
        "page “Media” of the project’s settings once the project is there."
    ),
    "not-with-whole-sentences": _(
        "Whole sentences are neither parsed nor aligned, so this file is not needed: leave it out, "
        "or choose a kind of judgement of segments."
    ),
    "ready-made-whole-sentences": _(
        "This file has segments and candidates, but whole sentences are to be judged: upload the "
        "source and the systems’ translations instead, or choose a kind of judgement of segments."
    ),
    "systems-without-segments": _(
        "This file says which system produced which candidate, but there is no file of segments."
    ),
    "system-name": _("Give the system a name of 1 to %(most)d printable characters."),
    "system-called-reference": _(
        "A system cannot be called “%(name)s”: choose the role “reference”, or another name."
    ),
    "system-twice": _("The system %(name)s has two files; the other one is %(first)s."),
    "links-without-system": _("There is no system “%(name)s” for these links."),
    "links-twice": _("%(name)s already has links: %(first)s."),
    "no-links": _(
        "The system %(name)s has no links, while others have: add them for every system."
    ),
    # Lines; readers have more messages.
    "empty-source": _("All lines of the source are empty: there is nothing to judge."),
    "different-lengths": ngettext_lazy(
        "This file has %(lines)d line, but %(source)s has %(source_lines)d: the same line must be "
        "the same sentence.",
        "This file has %(lines)d lines, but %(source)s has %(source_lines)d: the same line must "
        "be the same sentence.",
        "lines",
    ),
    # Notes.
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
    "read-as": _("Read as %(form)s: %(files)s."),
    "read-as-table": _(
        "Read as a table (%(form)s): line 1 of its texts is the row below the headings."
    ),
    "columns": _(
        "All lines have %(columns)d columns, separated by tabs: if this is a table, rename it to "
        ".tsv."
    ),
    "doubtful-quotation": _(
        "These quotation marks are shown. If a spreadsheet has added them, save the file without "
        "them, or as XLSX."
    ),
    "language": _("This looks like %(found)s, not like %(wanted)s. Is it the right file?"),
}


@dataclass(frozen=True)
class LocalizedMessage:
    """A problem in the language of the page; `in_english` if there is no translation."""

    file: str
    line: int
    words: str
    in_english: bool = False

    def __str__(self) -> str:
        return with_location(self)


def localize(problem: Problem) -> LocalizedMessage:
    values = dict(problem.values)
    if problem.code == "language":
        values = {name: language_name(str(code)) for name, code in values.items()}
    if sentence := SENTENCES.get(problem.code):
        return LocalizedMessage(problem.file, problem.line, str(sentence % values))
    words, in_english = _translated(problem.code, values)
    return LocalizedMessage(problem.file, problem.line, words, in_english)


def localize_error(error: InputError) -> LocalizedMessage:
    words, in_english = _translated(error.template, error.values)
    return LocalizedMessage(*error.place, words, in_english)


def localized_errors(error: InputError) -> list[LocalizedMessage]:
    """Return the error, or each of those that it consists of."""
    errors = error.errors if isinstance(error, InputErrors) else (error,)
    return [localize_error(one) for one in errors]


def with_location(message: LocalizedMessage) -> str:
    """Return the message in one line, with file and line before it if they are known."""
    if not message.file:
        if not message.line:
            return message.words
        place = gettext("line %(line)d") % {"line": message.line}
    elif not message.line:
        place = message.file
    else:
        place = gettext("%(file)s, line %(line)d") % {"file": message.file, "line": message.line}
    return place + gettext(": ") + message.words


def _translated(template: str, values: Values) -> tuple[str, bool]:
    """Return the translated and filled-in template, and whether it has no translation."""
    translated = _in_this_language(template)
    # Before it is filled in: a file name that it begins with keeps its case.
    sentence = translated[:1].upper() + translated[1:]
    return sentence % values if values else sentence, translated == template
