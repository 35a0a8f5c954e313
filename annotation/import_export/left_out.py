"""What imports of other programs' judgements leave out, and how it is said."""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

# By the names under which an import counts it.
LEFT_OUT: Final[dict[str, Any]] = {
    "controls": gettext_lazy("scores of control items"),
    "documents": gettext_lazy("scores of documents that the project does not have"),
    "systems": gettext_lazy("scores of systems that the project does not have"),
    "parts": gettext_lazy(
        "scores of parts of documents, since the file does not say which paragraphs they are"
    ),
    "wholes": gettext_lazy("scores of whole documents, which annotators here do not give"),
    "replaced": gettext_lazy("answers that the annotator replaced later"),
    "checks": gettext_lazy("outputs that check annotators"),
    "given": gettext_lazy("outputs with errors that annotators see first"),
    "tutorials": gettext_lazy(
        "documents before, after and among the tasks, without complete right answers"
    ),
    "ranges": gettext_lazy("scores and errors that a check demands"),
    "categories": gettext_lazy("marked errors without a category of the project"),
    "media": gettext_lazy(
        "images, audio and video that are elsewhere, to which links stay in the source"
    ),
    "questions": gettext_lazy("questions about annotators"),
    "instructions": gettext_lazy("instructions above items"),
    "texts": gettext_lazy("scores of texts that the project does not have"),
    "unscored": gettext_lazy("outputs without a score"),
    "equal": gettext_lazy("other answers about a text that several systems have"),
    "forms": gettext_lazy("forms that ask something else, or have no answer"),
    "single": gettext_lazy("rankings of a single text"),
    "beside": gettext_lazy("scores beside categories of errors, which annotators here do not give"),
    "marks": gettext_lazy("marked errors without a severity"),
}


def left_out_sentence(counts: Mapping[str, int]) -> str:
    """Return what was left out in the reader's language, "" if nothing was."""
    said = [f"{LEFT_OUT[name]} ({number})" for name, number in counts.items() if number]
    return _("Left out: %(what)s.") % {"what": "; ".join(said)} if said else ""
