"""What distinguishes one kind of judgement from another: its unit, its answer, what is shown."""

from dataclasses import dataclass, replace
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from annotation.formats.shared_task_files import WmtForm
from annotation.kinds.answers import Answer
from annotation.kinds.experience import Experience
from annotation.kinds.shown import Shown
from annotation.kinds.units import Unit


@dataclass(frozen=True)
class Group:
    """Kinds that ask the same of annotators: `label` names it, `question` is what they answer."""

    label: Any
    question: Any


RANK: Final = Group(_("Rank translations"), _("Which translation is better?"))
SCORE: Final = Group(_("Score translations"), _("How good is each translation?"))
MARK: Final = Group(_("Mark errors"), _("What is wrong in each translation?"))
CORRECT: Final = Group(_("Correct translations"), _("What has to be changed in each translation?"))
# In the order in which they are offered.
GROUPS: Final = (RANK, SCORE, MARK, CORRECT)


@dataclass(frozen=True)
class Cost:
    """The mean seconds that an item of a kind took the annotators of `source`, for people."""

    seconds: float
    source: Any


@dataclass(frozen=True)
class Kind:
    """One kind of judgement. Its label and question are for people, and lazily translated."""

    # --- who chooses it, and why ---
    name: str
    label: Any
    # What annotators answer.
    question: Any
    # Under which it is offered.
    group: Group
    # The question about systems that it answers.
    answers: Any

    # --- its parts ---
    unit: Unit
    answer: Answer
    shown: Shown

    # --- more for those who choose it ---
    # The name that researchers use, where it is another one.
    known_as: str = ""
    # Of an item: a segment, a translation that is shown by itself, or a sentence with its
    # translations. None where no campaign has published it.
    cost: Cost | None = None
    # What a plan assumes without an earlier project; None where no judgements are public.
    experience: Experience | None = None
    # The folder of the default instructions; "" for the kind's own.
    texts: str = ""

    # --- its files and reports ---
    # Formats of other programs in which only such answers can be written.
    exports: tuple[str, ...] = ()
    # How answers are written in forms of WMT.
    wmt_form: WmtForm | None = None
    # The protocol of Pearmut that asks the same.
    pearmut_protocol: str = ""
    # Signatures of reports name the kind.
    in_signatures: bool = True

    def with_options(self, options: str) -> "Kind":
        """Return the kind with the options that a project has chosen of its answer, one a line."""
        return replace(self, answer=self.answer.with_options(tuple(options.splitlines())))

    @property
    def instructions_template(self) -> str:
        return f"annotation/kinds/{self.texts or self.name}/instructions.html"

    @property
    def lead_template(self) -> str:
        """The first sentence of the default instructions."""
        return f"annotation/kinds/{self.texts or self.name}/lead.html"
