"""What distinguishes one kind of judgement from another: its unit, its answer, what is shown."""

from dataclasses import dataclass, replace
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from annotation.formats.shared_task_files import WmtForm
from annotation.kinds.answers import Answer, OwnSteps, Score
from annotation.kinds.shown import Shown
from annotation.kinds.units import OneTranslation, SegmentsOfSentence, Unit


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

    def with_labels(self, labels: str) -> "Kind":
        """Return the kind with the labels of a project's own scale, one a line."""
        return replace(self, answer=self.answer.with_labels(tuple(labels.splitlines())))

    @property
    def instructions_template(self) -> str:
        return f"annotation/kinds/{self.texts or self.name}/instructions.html"

    @property
    def lead_template(self) -> str:
        """The first sentence of the default instructions."""
        return f"annotation/kinds/{self.texts or self.name}/lead.html"

    # --- to be deleted with the last module that asks ---

    @property
    def whole_sentences(self) -> bool:
        return not isinstance(self.unit, SegmentsOfSentence)

    @property
    def single_translations(self) -> bool:
        return isinstance(self.unit, OneTranslation)

    @property
    def in_context(self) -> bool:
        return self.shown.context

    @property
    def most_candidates(self) -> int | None:
        return self.unit.most_cards

    @property
    def shows_source(self) -> bool:
        return self.shown.source

    @property
    def shows_reference(self) -> bool:
        return self.shown.reference

    @property
    def needs_reference(self) -> bool:
        return self.shown.needs_reference

    @property
    def scale(self) -> tuple[Any, ...]:
        return self.answer.labels

    @property
    def own_scale(self) -> bool:
        return isinstance(self.answer, OwnSteps)

    @property
    def own_labels(self) -> tuple[Any, ...]:
        return self.answer.own_labels

    @property
    def highest_score(self) -> int | None:
        return getattr(self.answer, "highest", None)

    @property
    def ticks(self) -> tuple[Any, ...]:
        return getattr(self.answer, "ticks", ())

    @property
    def undecided(self) -> int | None:
        return getattr(self.answer, "undecided", None)

    @property
    def detail(self) -> "OldDetail | None":
        return OldDetail(self.answer) if self.answer.has_details else None

    @property
    def marks_errors(self) -> bool:
        return self.answer.has_details and self.highest_score is not None

    @property
    def edits_texts(self) -> bool:
        return self.answer.has_details and self.highest_score is None

    @property
    def steps(self) -> int:
        return self.answer.worst or 0

    @property
    def step_numbers(self) -> tuple[str, ...]:
        return self.answer.step_numbers

    @property
    def grades(self) -> tuple[float, ...]:
        return getattr(self.answer, "grades", ())

    @property
    def fewest_candidates(self) -> int:
        return self.answer.fewest_cards

    @property
    def has_garbage(self) -> bool:
        return self.answer.has_garbage

    def ranks(self, candidates: int) -> int:
        return self.answer.ranks(candidates)

    @property
    def tolerance(self) -> int | None:
        return self.answer.tolerance

    def score_of(self, rank: int | None) -> int | None:
        return self.answer.score_of(rank)

    def rank_of(self, score: int) -> int:
        if not isinstance(self.answer, Score):
            raise TypeError(f"{self.name} has no scores")
        return self.answer.rank_of(score)

    @property
    def own_card(self) -> bool:
        return self.highest_score is not None or self.answer.has_details

    @property
    def own_keys(self) -> bool:
        return self.marks_errors

    @property
    def card_template(self) -> str:
        return f"annotation/kinds/{self.name}/card.html" if self.own_card else ""

    @property
    def keys_template(self) -> str:
        return f"annotation/kinds/{self.name}/keys.html" if self.own_keys else ""

    @property
    def script(self) -> str:
        return "".join(self.answer.scripts)

    @property
    def style(self) -> str:
        return "".join(self.answer.styles)

    @property
    def offers_whole_translations(self) -> bool:
        return not (self.whole_sentences or self.in_context)


@dataclass(frozen=True)
class OldDetail:
    answer: Answer

    def check(self, detail: str, *, candidate: str, rank: int) -> None:
        self.answer.check_detail(detail, candidate=candidate, rank=rank)

    def normalised(self, detail: str, rank: int) -> str:
        return self.answer.kept_detail(detail, rank)

    def store(self, details: Any) -> None:
        self.answer.store_details(details)

    def read(self, placements: Any) -> dict[int, str]:
        return self.answer.read_details(placements)
