"""What annotators answer about each candidate: a rank, a step of a scale, or a score.

An answer is stored as a rank from 1, the best, or as None for the garbage bin. Where annotators
add a text to it, such as marked errors, the text is its *detail*: forms, drafts, exports and
archives have it in the notation of the answer, "" for none; the database has rows of a table of its
own, which refer to the placement.

A module above this one, such as imports or reports, that has to tell the answers apart has one
table by their classes (`functools.singledispatch`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, Self

from django.utils.translation import gettext as _

from annotation.formats.span_notation import Span
from annotation.kinds.answer_options import STEPS_ASKED, OptionsAsked
from annotation.kinds.answer_words import OF_RANKS, OF_SCORES, OF_STEPS, AnswerWords
from annotation.kinds.practice_words import PracticeWords, of_ranking, of_scores, of_steps
from annotation.kinds.scales import grades_of, joined_labels, step_numbers
from annotation.preparation.tokens import look

if TYPE_CHECKING:
    # The program of a preview reads kinds without Django's tables.
    from django.db.models import QuerySet

    from annotation.models import Placement

# The scripts of the board: a library for dragging, and what uses it.
BOARD: Final = ("vendor/sortablejs-1.15.7/Sortable.min.js", "annotation/judging/board.js")
PARTS_OF_BOARD: Final = "annotation/answers/_board.html"
# Characters.
LONGEST_DETAIL: Final = 20_000


class InvalidAnswer(Exception):
    """The answer cannot be stored; the message is one sentence for the annotator."""


class JudgedText(NamedTuple):
    """A candidate, and the sentence of the source to which it belongs."""

    candidate: str
    source: str


@dataclass(frozen=True)
class Answer:
    """What all answers have in common. Each class below is one way to answer.

    `folder` has the templates: `cards.html` shows the cards of a segment with their fields,
    `keys.html` the shortcuts, `feedback.html` a practised segment, and `verdict.html` how a
    practice sentence was judged. Where there is a board, `how_to.html` says how to place them.
    """

    folder: ClassVar[str]
    # Whether the script shows the cards on a board too, where they are moved.
    has_board: ClassVar[bool] = False
    words: ClassVar[AnswerWords]
    # ES modules, in this order, and stylesheets beside those of all answers.
    scripts: ClassVar[tuple[str, ...]] = ()
    styles: ClassVar[tuple[str, ...]] = ()
    # The template of what a script makes the cards of, which a page has once; "" without any.
    parts: ClassVar[str] = ""
    # How many candidates of a segment there must be to ask about it.
    fewest_cards: ClassVar[int] = 1
    has_garbage: ClassVar[bool] = False
    has_details: ClassVar[bool] = False
    # Whether annotators can be given errors that were marked before, as details to change.
    takes_given_errors: ClassVar[bool] = False
    # What each project chooses of it, such as the labels of its scale; None if that is nothing.
    options_asked: ClassVar[OptionsAsked | None] = None
    # Those of the formats of ranks, which are below 100, in which such answers can be written.
    formats_of_ranks: ClassVar[tuple[str, ...]] = ("json", "pickle")
    # The name of the kind in which people judge what annotators made of the texts; "" if they make
    # nothing.
    accepted_as: ClassVar[str] = ""

    # --- ranks ---

    def ranks(self, cards: int) -> int:
        """Return how many ranks a segment with so many candidates on a sheet has."""
        raise NotImplementedError

    @property
    def worst(self) -> int | None:
        """The rank that says that nothing is right; None where only the order counts."""
        return None

    @property
    def labels(self) -> tuple[Any, ...]:
        """The labels of the steps, the best first; () without a scale."""
        return ()

    @property
    def own_options(self) -> tuple[Any, ...]:
        """What the project chose of the answer, one a line; () if its kind has the same for all."""
        return ()

    def with_options(self, options: tuple[str, ...]) -> Self:
        """Return the answer with the options that a project stores, which most ignore."""
        return self

    def joined_options(self, options: Sequence[str]) -> str:
        """Return the options of a project as it stores them; "" if the answer has none.

        None at all are those that it suggests, if it has any to suggest. Raises InputError, with
        the line if it is known, for what are no options of this answer, such as one step of a
        scale.
        """
        return ""

    def has_answers_of(self, other: Self) -> bool:
        """Tell whether drafts and gold answers stay possible where the options were the other's."""
        return True

    @property
    def step_numbers(self) -> tuple[str, ...]:
        """The numbers of the labels, which are the keys of the steps; () to use their places."""
        return ()

    def meaning(self, rank: int) -> Any:
        """Return what a stored rank means: the label of a step, a score, or the rank itself."""
        return rank

    def score_of(self, rank: int | None) -> int | None:
        """Return the score that is stored as this rank; None where there are no scores."""
        return None

    def rank_of(self, score: int) -> int | None:
        """Return the rank as which the score is stored; None where there are no scores."""
        return None

    def read_score(self, written: str) -> int | None:
        """Return the rank of a score that an annotator typed; None for "" and without scores.

        Raises InvalidAnswer for anything but a whole number.
        """
        return None

    def check_rank(self, rank: int | None, ranks: int) -> None:
        """Raise InvalidAnswer unless it is one of so many ranks, or an existing garbage bin."""
        if rank is None:
            if not self.has_garbage:
                raise InvalidAnswer(_("There is no garbage bin here: choose one of the answers."))
        elif not 1 <= rank <= ranks:
            raise InvalidAnswer(self.no_such_rank(rank, ranks))

    def no_such_rank(self, rank: int, ranks: int) -> str:
        return _("Rank %(rank)d does not exist: choose one from 1 to %(ranks)d.") % {
            "rank": rank,
            "ranks": ranks,
        }

    def ranks_given(
        self, choices: Mapping[str, int | None], details: Mapping[str, str]
    ) -> Mapping[str, int | None]:
        """Return the ranks of the cards by key: those chosen, unless they follow from the details.

        Raises InvalidAnswer for a detail that cannot be read, or that contradicts the choice.
        """
        return choices

    def is_judged(self, detail: str, *, is_chosen: bool) -> bool:
        """Tell whether a card is judged, on which a rank is chosen or not and that has a detail."""
        return is_chosen

    # --- fields of forms that are parts of an answer ---

    def parts_of(self, detail: str) -> tuple[Any, ...]:
        """Return the parts in which a card asks for the answer; () where it is one field."""
        return ()

    def read_parts(self, parts: Mapping[int, str]) -> tuple[int | None, str]:
        """Return the rank and the detail of what was typed, by the number of the part, from 1.

        The rank is None while a part is missing. Raises InvalidAnswer for what cannot be read.
        """
        return None, ""

    # --- details ---

    def seen_as(self, text: str) -> str:
        """Return the same for texts that share a card: those that look alike."""
        return look(text)

    def check_sizes(self, details: Mapping[str, str], keys: Collection[str]) -> None:
        """Raise InvalidAnswer for a detail that is of no card with such a key, or too long."""
        if details:
            raise InvalidAnswer(
                _("Some of the placed candidates are not on this page: reload the page.")
            )

    def checked_details(
        self,
        details: Mapping[str, str],
        ranks: Mapping[str, int | None],
        texts: Callable[[], Mapping[str, JudgedText]],
    ) -> dict[str, str]:
        """Return the details that are not empty by card key.

        `ranks` are those of all cards of the sheet. `texts` returns the texts of the cards, which
        may cost a query. Raises InvalidAnswer for a detail that does not fit its card.
        """
        self.check_sizes(details, ranks.keys())
        return {}

    def check_detail(self, detail: str, *, of: JudgedText, rank: int | None) -> None:
        """Raise InvalidAnswer unless the detail fits the shown texts and the rank."""

    def kept_detail(self, detail: str, rank: int | None) -> str:
        """Return the checked detail as `read_details` returns it once it is stored."""
        return ""

    def given_detail(self, spans: Iterable[Span], *, candidate: str) -> str:
        """Return the detail of errors that others marked in the candidate; "" for none.

        Raises InputError for errors that are not within it, or that cannot be marked here.
        """
        return ""

    def check_given(self, detail: str, *, of: JudgedText) -> None:
        """Raise InvalidAnswer unless the detail can be given to annotators with this text."""
        raise InvalidAnswer(_("Errors are not marked in a project of this kind."))

    def columns_of(self, detail: str) -> dict[str, Any]:
        """Return what tables have of a detail in columns of their own, by their headings."""
        return {}

    def store_details(self, details: Mapping[int, str]) -> None:
        """Store checked details by the id of their placement. None is empty."""

    def read_details(self, placements: QuerySet[Placement]) -> dict[int, str]:
        """Return the details of these placements by their ids, without empty ones.

        One query, none where answers have no details.
        """
        return {}

    # --- practice ---

    @property
    def practice(self) -> PracticeWords:
        """What pages say about practice sentences, in the reader's language."""
        raise NotImplementedError


@dataclass(frozen=True)
class Detailed(Answer):
    """An answer with a detail, whose characters count: only equal texts share a card."""

    has_details: ClassVar[bool] = True

    def seen_as(self, text: str) -> str:
        return text

    def check_sizes(self, details: Mapping[str, str], keys: Collection[str]) -> None:
        super().check_sizes({key: details[key] for key in details.keys() - keys}, keys)
        if any(len(detail) > LONGEST_DETAIL for detail in details.values()):
            raise InvalidAnswer(
                _("A text is too long. The limit is %(limit)d characters.")
                % {"limit": LONGEST_DETAIL}
            )

    def checked_details(
        self,
        details: Mapping[str, str],
        ranks: Mapping[str, int | None],
        texts: Callable[[], Mapping[str, JudgedText]],
    ) -> dict[str, str]:
        self.check_sizes(details, ranks.keys())
        trimmed = {key: details.get(key, "").strip() for key in ranks}
        for key, text in texts().items():
            self.check_detail(trimmed[key], of=text, rank=ranks[key])
        return {key: detail for key, detail in trimmed.items() if detail}


@dataclass(frozen=True)
class Ranking(Answer):
    """Candidates are compared with each other, on as many ranks as there are, or are garbage."""

    folder: ClassVar[str] = "annotation/answers/ranking"
    has_board: ClassVar[bool] = True
    scripts: ClassVar[tuple[str, ...]] = BOARD
    parts: ClassVar[str] = PARTS_OF_BOARD
    words: ClassVar[AnswerWords] = OF_RANKS
    fewest_cards: ClassVar[int] = 2
    has_garbage: ClassVar[bool] = True

    def ranks(self, cards: int) -> int:
        return cards

    @property
    def practice(self) -> PracticeWords:
        return of_ranking()


@dataclass(frozen=True)
class Steps(Answer):
    """Each candidate is put on a step of the same scale; the step, from 1, is its rank."""

    folder: ClassVar[str] = "annotation/answers/steps"
    has_board: ClassVar[bool] = True
    scripts: ClassVar[tuple[str, ...]] = BOARD
    parts: ClassVar[str] = PARTS_OF_BOARD
    words: ClassVar[AnswerWords] = OF_STEPS

    # The best first.
    steps: tuple[Any, ...]
    # The step that says neither yes nor no.
    undecided: int | None = None

    def ranks(self, cards: int) -> int:
        return len(self.steps)

    @property
    def worst(self) -> int:
        return len(self.steps)

    @property
    def labels(self) -> tuple[Any, ...]:
        return self.steps

    @property
    def step_numbers(self) -> tuple[str, ...]:
        return step_numbers(self.steps)

    @property
    def grades(self) -> tuple[float, ...]:
        """The grades of the steps: see `grades_of`."""
        return grades_of(self.steps)

    @property
    def tolerance(self) -> int:
        """How far a step in practice may be from the gold one."""
        return len(self.steps) // 10

    def meaning(self, rank: int) -> Any:
        return self.steps[rank - 1]

    @property
    def practice(self) -> PracticeWords:
        return of_steps(self.tolerance)


@dataclass(frozen=True)
class OwnSteps(Steps):
    """Steps whose labels each project chooses; `kind_of` returns the kind with them."""

    options_asked: ClassVar[OptionsAsked | None] = STEPS_ASKED

    steps: tuple[Any, ...] = ()

    @property
    def own_options(self) -> tuple[Any, ...]:
        return self.steps

    def with_options(self, options: tuple[str, ...]) -> Self:
        return replace(self, steps=options)

    def joined_options(self, options: Sequence[str]) -> str:
        return joined_labels(options)

    def has_answers_of(self, other: Self) -> bool:
        return len(self.steps) == len(other.steps)


@dataclass(frozen=True)
class Score(Answer):
    """Each candidate gets a score from `highest`, which is stored as rank 1, down to `lowest`."""

    folder: ClassVar[str] = "annotation/answers/score"
    words: ClassVar[AnswerWords] = OF_SCORES
    formats_of_ranks: ClassVar[tuple[str, ...]] = ()

    highest: int = 100
    # Labels along the scores, from 0 up.
    ticks: tuple[Any, ...] = ()
    # To which the score says how much the annotator agrees; it names %(language)s, the target.
    statement: Any = ""
    lowest: int = 0
    # Between two scores.
    step: int = 1

    @property
    def scores(self) -> range:
        """All scores, the best first."""
        return range(self.highest, self.lowest - 1, -self.step)

    def ranks(self, cards: int) -> int:
        return len(self.scores)

    @property
    def worst(self) -> int:
        return len(self.scores)

    @property
    def tolerance(self) -> int:
        """How far a score in practice may be from the gold one."""
        return (self.worst - 1) // 10 * self.step

    def meaning(self, rank: int) -> Any:
        return self.score_of(rank)

    def score_of(self, rank: int | None) -> int | None:
        return None if rank is None else self.highest - (rank - 1) * self.step

    def rank_of(self, score: int) -> int:
        return (self.highest - score) // self.step + 1

    def read_score(self, written: str) -> int | None:
        if not written:
            return None
        if not (written.isascii() and written.isdecimal() and len(written) <= 4):
            raise InvalidAnswer(_("“%(score)s” is not a whole number.") % {"score": written[:40]})
        return self.rank_of(int(written))

    def no_such_rank(self, rank: int, ranks: int) -> str:
        return _("The score %(score)d does not exist: give one from %(lowest)d to %(highest)d.") % {
            "score": self.score_of(rank),
            "lowest": self.lowest,
            "highest": self.highest,
        }

    @property
    def practice(self) -> PracticeWords:
        return of_scores(self.tolerance)
