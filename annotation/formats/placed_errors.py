"""Marked errors of a file as those of a project, whose texts may differ in white space."""

from collections.abc import Iterator

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.marked_errors import MISSING as MISSING_TOKEN
from annotation.formats.marked_errors import MarkedError, Place
from annotation.formats.span_notation import MISSING, SOURCE, TARGET, WHOLE, Span


def letters(text: str) -> str:
    """Return the text without white space, which files and projects have differently."""
    return "".join(text.split())


def placed_spans(
    error: MarkedError, texts: tuple[str, str], sources: tuple[str, str], quoted: str = ""
) -> Iterator[Span]:
    """Yield a span for each place; `texts` and `sources` are those of the file and the project.

    A token other than "[missing]" is said of the whole translation, and is its category there.
    `quoted` is what must stand at the places. Raises InputError for places that are not there.
    """
    severity, category = error.severity, error.category
    for place in error.places:
        start, end = place
        if end > len(texts[0]) or start >= end:
            raise InputError(
                _("the error from %(start)d to %(end)d is not within the text “%(text)s”."),
                start=start,
                end=end,
                text=texts[0][:60],
            )
        if quoted and letters(quoted) != letters(texts[0][start:end]):
            raise InputError(
                _("“%(quoted)s” is not what stands from %(start)d to %(end)d: “%(text)s”."),
                quoted=quoted[:60],
                start=start,
                end=end,
                text=texts[0][start:end][:60],
            )
        if moved := _moved(place, *texts):
            yield Span(*moved, severity, TARGET, category)
    for place in () if error.places else error.source_places:
        if moved := _moved(place, *sources):
            yield Span(*moved, severity, SOURCE, category)
    if not error.places and not error.source_places:
        side = MISSING if error.token == MISSING_TOKEN else WHOLE
        said = error.token if error.token and side == WHOLE else category
        yield Span(None, None, severity, side, said)


def _moved(place: Place, before: str, after: str) -> Place | None:
    """Return the place in a text that differs in white space only; None for white space alone."""
    start, end = place
    first = len(letters(before[:start]))
    number = len(letters(before[start:end]))
    if not number:
        return None
    places = [at for at, character in enumerate(after) if not character.isspace()]
    return places[first], places[first + number - 1] + 1
