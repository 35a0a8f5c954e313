"""What distinguishes one kind of judgement from another."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from annotation.formats.shared_task_files import WmtForm
from annotation.kinds.detail import Detail
from annotation.kinds.units import SEGMENTS, SENTENCES, TRANSLATIONS, Unit

# A label that begins with a whole number, such as "10" or "5 – excellent", but not "1.5".
NUMBERED: Final = re.compile(r"([0-9]{1,3})(?![0-9]|[.,][0-9])")

NUMBER: Final = re.compile(r"[+-]?[0-9]+([.][0-9]+)?")


def step_numbers(labels: Iterable[object]) -> tuple[str, ...]:
    """Return the numbers with which the labels begin; () unless each has a number of its own."""
    found = [NUMBERED.match(str(label)) for label in labels]
    numbers = [str(int(match[1])) for match in found if match]
    return tuple(numbers) if len(set(numbers)) == len(found) else ()


def grades_of(labels: Sequence[object]) -> tuple[float, ...]:
    """Return the grades of steps with these labels, the best first: what means are taken of.

    They are the labels where all are numbers that fall in equal steps, such as 10, 9, … 0. Else the
    worst step counts 1, and the best one as many as there are.
    """
    texts = [str(label).replace("−", "-").replace(",", ".") for label in labels]
    if len(texts) > 1 and all(map(NUMBER.fullmatch, texts)):
        numbers = [Decimal(text) for text in texts]
        falls = {better - worse for better, worse in pairwise(numbers)}
        if len(falls) == 1 and falls.pop() > 0:
            return tuple(map(float, numbers))
    return tuple(map(float, range(len(texts), 0, -1)))


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
    # The name that researchers use, where it is another one.
    known_as: str = ""
    # Of an item: a segment, a translation that is shown by itself, or a sentence with its
    # translations. None where no campaign has published it.
    cost: Cost | None = None

    # --- what is shown ---
    # A segment is a whole sentence, and its candidates are whole translations, so that neither a
    # parser nor an aligner is needed.
    whole_sentences: bool = False
    # Each candidate is shown inside the translations that it is part of.
    in_context: bool = False
    # How many different texts one sheet shows of a segment; where there are more, a random choice.
    most_candidates: int | None = None
    # Each different translation of a sentence is a sheet of its own.
    single_translations: bool = False
    # False where the text must not influence the answer.
    shows_source: bool = True
    shows_reference: bool = True

    # --- what is answered ---
    # A ranking compares candidates with each other, on as many ranks as there are candidates, or in
    # the garbage bin. Otherwise each candidate is placed on a step by itself, and there is no bin:
    # the steps have the labels of the scale, the best first, or they are the scores from
    # `highest_score` down to 0. The number of the step, from 1, is stored as the rank.
    scale: tuple[Any, ...] = ()
    # Each project has labels of its own, and `kind_of` returns the kind with them.
    own_scale: bool = False
    highest_score: int | None = None
    # Labels along the scores, from 0 up.
    ticks: tuple[Any, ...] = ()
    # The step of the scale, from 1, that says neither yes nor no.
    undecided: int | None = None
    # The text that the annotator adds to the place.
    detail: Detail | None = None
    # The detail is marked errors (`annotation.formats.span_notation`).
    marks_errors: bool = False
    # The detail is what the annotator made of the candidate. The best step says that nothing is
    # wrong with it, and the worst one that it could not be edited.
    edits_texts: bool = False

    # --- its page ---
    # The page has no boards: the kind's template `card.html` is shown for each candidate.
    own_card: bool = False
    # The kind's template `keys.html` has the shortcuts that only its script understands.
    own_keys: bool = False
    # The ES module and the stylesheet beside those of all kinds.
    script: str = ""
    style: str = ""

    # --- its files and reports ---
    # Formats of other programs in which only such answers can be written.
    exports: tuple[str, ...] = ()
    # How answers are written in forms of WMT.
    wmt_form: WmtForm | None = None
    # The protocol of Pearmut that asks the same.
    pearmut_protocol: str = ""
    # Signatures of reports name the kind.
    in_signatures: bool = True

    @property
    def own_labels(self) -> tuple[Any, ...]:
        """The labels of the project's own scale; () if its kind has the same for all."""
        return self.scale if self.own_scale else ()

    @property
    def unit(self) -> Unit:
        """What annotators judge at a time."""
        if self.single_translations:
            return TRANSLATIONS
        return SENTENCES if self.whole_sentences else SEGMENTS

    @property
    def steps(self) -> int:
        """How many steps a candidate can be placed on by itself; 0 for a ranking."""
        return len(self.scale) if self.highest_score is None else self.highest_score + 1

    @property
    def step_numbers(self) -> tuple[str, ...]:
        """The numbers of the labels, which are the keys of the steps; () to use their places."""
        return step_numbers(self.scale)

    @property
    def grades(self) -> tuple[float, ...]:
        """The grades of the labelled steps, from the best: see `grades_of`."""
        return grades_of(self.scale)

    @property
    def needs_reference(self) -> bool:
        """Whether nothing but the reference says what a translation is to mean."""
        return self.shows_reference and not self.shows_source

    @property
    def fewest_candidates(self) -> int:
        """How many candidates of a segment there must be to ask about it."""
        return 1 if self.steps else 2

    @property
    def has_garbage(self) -> bool:
        return not self.steps

    def ranks(self, candidates: int) -> int:
        """Return how many ranks or steps a segment with so many candidates on a sheet has."""
        return self.steps or candidates

    @property
    def tolerance(self) -> int | None:
        """How far a score or a step in practice may be from the gold one, at most a tenth of all.

        None where only the order counts, and where annotators edit texts.
        """
        if self.highest_score is None:
            return len(self.scale) // 10 if self.scale and not self.edits_texts else None
        return self.highest_score // 10 if self.single_translations else None

    def score_of(self, rank: int | None) -> int | None:
        """Return the score that is stored as this rank; None where the kind has no scores."""
        if rank is None or self.highest_score is None:
            return None
        return self.highest_score + 1 - rank

    def rank_of(self, score: int) -> int:
        """Return the rank as which the score is stored. Raise TypeError without scores."""
        if self.highest_score is None:
            raise TypeError(f"{self.name} has no scores")
        return self.highest_score + 1 - score

    @property
    def card_template(self) -> str:
        return f"annotation/kinds/{self.name}/card.html" if self.own_card else ""

    @property
    def keys_template(self) -> str:
        return f"annotation/kinds/{self.name}/keys.html" if self.own_keys else ""

    @property
    def offers_whole_translations(self) -> bool:
        """Whether a project may let annotators open the whole translations of candidates."""
        return not (self.whole_sentences or self.in_context)
