"""Post-editing of whole translations without a reference (Callison-Burch et al. 2009).

Annotators make each output as fluent as possible, or say that it needs no corrections, or that they
cannot understand it well enough. They see neither the source nor the reference, so that an edit
shows what the output alone tells; whether its meaning is right is asked by `edit_acceptance`.
"""

from typing import Final

from django.utils.translation import gettext_lazy as _

from annotation.kinds.kind import CORRECT, Kind
from annotation.kinds.post_editing.edits import Edits
from annotation.kinds.sentence_ranking import AT_ONCE

KIND: Final = Kind(
    name="post_editing",
    label=_("Post-editing"),
    question=_(
        "Annotators correct each whole translation, without a reference, as far as they understand "
        "it."
    ),
    group=CORRECT,
    answers=_(
        "How much work is it to correct a system’s sentences, and how many cannot be corrected?"
    ),
    known_as="HTER",
    whole_sentences=True,
    most_candidates=AT_ONCE,
    scale=(_("No corrections needed"), _("Edited"), _("Unable to correct")),
    detail=Edits(),
    edits_texts=True,
    exports=("wmt-forms",),
    shows_source=False,
    shows_reference=False,
    own_card=True,
    script="annotation/kinds/post_editing.js",
)
