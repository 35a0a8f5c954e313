"""What the methods of the thesis say of systems that people did not rank, and how far they miss."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from evaluation.rendering.formats import decimal
from evaluation.rendering.tables import Column, Count, CountedShare, Name, Number, OutOf, Table
from evaluation.reuse.matching import (
    GARBAGE_RANK,
    OUTCOMES,
    Errors,
    Example,
    Matches,
    score_and_place,
    total_outcomes,
)
from evaluation.stats.estimates import sign

# Distances that the figures of the thesis show one by one.
DRAWN: Final = 17
# Numbers of misses by outcome, as OUTCOMES.
Counts = tuple[int, ...]


@dataclass(frozen=True)
class Outcomes:
    """Misses whose closest candidate was ranked worse than, equal to or better than the miss.

    `by_distance` has these three numbers for each edit distance, from 0.
    """

    worse: int
    equal: int
    better: int
    by_distance: tuple[Counts, ...]

    @classmethod
    def of(cls, by_distance: Iterable[Iterable[int]]) -> "Outcomes":
        rows = tuple(map(tuple, by_distance))
        worse, equal, better = _summed(rows)
        return cls(worse, equal, better, by_distance=rows)

    @property
    def counts(self) -> Counts:
        return self.worse, self.equal, self.better


@dataclass(frozen=True)
class RankedSystem:
    """A system in a ranking that the unseen system is in."""

    system: str
    wins: int
    losses: int
    ties: int
    ratio_of_wins: float | None


@dataclass(frozen=True)
class UnseenSystem:
    """What the judgements of others say of a system.

    `judgements` to `distances` are the figures of `Matches`; `distances` counts judgements by the
    smallest edit distance, from 0. `undefined` says why there is no ratio of wins, and no place in
    the `ranking`, which is best first. The true figures and the outcomes are None unless people
    judged the system and it was left out.
    """

    system: str
    judgements: int
    hits: int
    missing: int
    hit_rate: float | None
    average_distance: float | None
    average_distance_of_misses: float | None
    equidistant: int
    distances: tuple[int, ...]
    outcomes: Outcomes | None
    ratio_of_wins: float | None
    place: int | None
    undefined: str
    true_ratio_of_wins: float | None
    true_place: int | None
    ranking: tuple[RankedSystem, ...]


@dataclass(frozen=True)
class UnseenReport:
    """Unseen systems, and how far the method misses the project's own systems.

    `left_out` means that the systems are those of the project, one after another; then `outcomes`
    are of all together, else None. `examples` are some of their misses, sampled.
    """

    method: str
    left_out: bool
    project_systems: tuple[str, ...]
    systems: tuple[UnseenSystem, ...]
    outcomes: Outcomes | None
    errors: Errors
    examples: tuple[Example, ...]
    signature: str


def compute(
    method: str,
    matches: Sequence[Matches],
    errors: Errors,
    *,
    left_out: bool,
    examples: Sequence[Example] = (),
    seed: int = 0,
    origin: Sequence[str] = (),
    provenance: Sequence[str] = (),
) -> UnseenReport:
    """Return the report of matched systems; `examples` are sampled with `seed`.

    `origin` says in the signature where new candidates come from; `provenance` ends it.
    """
    judgements = matches[0].judgements
    what = "leave one out" if left_out else f"new {len(matches)}"
    closest = ("edit distance", "mean rank of systems", f"garbage {GARBAGE_RANK}")
    options = closest if method == "closest" else ("hits only",)
    sampled = [f"examples {len(examples)}", f"seed {seed}"] if examples else []
    return UnseenReport(
        method=method,
        left_out=left_out,
        project_systems=judgements.system_names,
        systems=tuple(_system(one, method) for one in matches),
        outcomes=Outcomes.of(total_outcomes(matches).tolist()) if left_out else None,
        errors=errors,
        examples=tuple(examples),
        signature=sign(
            "unseen systems",
            (method, what, *origin, *options, "ratio of wins", "ties ignored", *sampled),
            len(judgements),
            judgements.sentences_judged,
            provenance,
        ),
    )


def _system(one: Matches, method: str) -> UnseenSystem:
    truth, ranking = one.true_ranking(), one.rank(method)
    ratio, place = score_and_place(ranking, one.system)
    true, true_place = score_and_place(truth, one.system) if truth else (None, None)
    return UnseenSystem(
        system=one.system,
        judgements=len(one),
        hits=one.hits,
        missing=one.missing,
        hit_rate=one.hit_rate,
        average_distance=one.average_distance,
        average_distance_of_misses=one.average_distance_of_misses,
        equidistant=one.equidistant,
        distances=one.distance_counts,
        outcomes=Outcomes.of(one.outcomes.tolist()) if truth else None,
        ratio_of_wins=ratio,
        place=None if ratio is None else place,
        undefined=_why_undefined(one, method) if ratio is None else "",
        true_ratio_of_wins=true,
        true_place=None if true is None else true_place,
        ranking=tuple(
            RankedSystem(row.system, row.wins, row.losses, row.ties, row.ratio_of_wins)
            for row in ranking.systems
        ),
    )


def _why_undefined(one: Matches, method: str) -> str:
    """Return why the unseen system has no ratio of wins."""
    if one.missing == len(one):
        return "no judgement ranks candidates where it has one"
    if method == "exact" and not one.hits:
        return "no other system has one of its candidates"
    return "it never won or lost"


def tables(found: UnseenReport) -> list[Table]:
    made = [_overview(found), _ratios(found)]
    if found.method == "closest":
        made.append(_distances(found))
        if found.outcomes:
            made += [_outcomes(found, found.outcomes), _outcomes_by_distance(found.outcomes)]
    return [*made, *([_examples(found)] if found.examples else [])]


def _overview(found: UnseenReport) -> Table:
    known = [one.system for one in found.systems if one.system in found.project_systems]
    distances = (
        Column("average_distance", "distance", Number(2)),
        Column("average_distance_of_misses", "of misses", Number(2)),
        Column("equidistant", "equidistant", Count()),
    )
    true = (
        Column("true_ratio_of_wins", "true", Number(4)),
        Column(
            "true_place systems", "true place", OutOf(), lambda row: (row.true_place, _ranked(row))
        ),
    )
    return Table.of(
        "unseen-systems",
        "Systems of the project, each left out" if found.left_out else "New systems",
        (
            Column("system", "system", Name()),
            Column("hits", "hits", Count()),
            Column("hit_rate", "hit rate", Number(4)),
            Column("missing", "none", Count()),
            *(distances if found.method == "closest" else ()),
            Column("ratio_of_wins", "predicted", Number(4)),
            Column("place systems", "place", OutOf(), lambda row: (row.place, _ranked(row))),
            *(true if found.left_out else ()),
        ),
        found.systems,
        notes=[
            *(
                f"No ratio of wins of {one.system}: {one.undefined}."
                for one in found.systems
                if one.undefined
            ),
            *(
                [
                    "Systems of the project too, whose own candidates and ranks are left out: "
                    f"{', '.join(known)}."
                ]
                if known and not found.left_out
                else []
            ),
            _of_errors(found),
        ],
        details=[found.signature],
    )


def _ranked(one: UnseenSystem) -> int:
    return len(one.ranking)


def _of_errors(found: UnseenReport) -> str:
    errors = found.errors
    if errors.score is None or errors.bias is None:
        return "How far the method misses is unknown: no system of the project has both ratios."
    whose = "these systems" if found.left_out else "the project's own systems, each left out,"
    size = decimal(abs(errors.bias), 4)
    bias = f"{size} too {'high' if errors.bias > 0 else 'low'}" if errors.bias else "without bias"
    return (
        f"The ratio of wins of {whose} is off by {decimal(errors.score, 4)} on average, and by "
        f"{decimal(errors.places, 1)} places ({bias}; r with "
        f"the true ratios {decimal(errors.r)})."
    )


def _ratios(found: UnseenReport) -> Table:
    def ratio(system: str, row: UnseenSystem) -> float | None:
        if system == row.system and not found.left_out:
            # The new system has taken the place of the project's own.
            return None
        return next(one.ratio_of_wins for one in row.ranking if one.system == system)

    itself = Column("itself", "itself", Number(4), lambda row: row.ratio_of_wins)
    return Table.of(
        "ratios-of-wins",
        "Ratio of wins of each system (columns) with the unseen one (rows)",
        (
            Column("system", "system", Name()),
            *(() if found.left_out else (itself,)),
            *(
                Column(f"ratio_{name}", name, Number(4), partial(ratio, name))
                for name in found.project_systems
            ),
        ),
        found.systems,
    )


def _distances(found: UnseenReport) -> Table:
    def at(distance: int) -> Callable[[UnseenSystem], int]:
        return lambda row: sum(row.distances[distance : distance + 1])

    return Table.of(
        "distances",
        "Judgements by the smallest edit distance",
        (
            Column("system", "system", Name()),
            # Judgements with nothing to compare are counted at 0 too, and are no hits.
            Column("distance_0", "0", Count(), lambda row: row.hits),
            *(
                Column(f"distance_{distance}", str(distance), Count(), at(distance))
                for distance in range(1, DRAWN + 1)
            ),
            Column(
                "farther", f"over {DRAWN}", Count(), lambda row: sum(row.distances[DRAWN + 1 :])
            ),
        ),
        found.systems,
    )


def _outcomes(found: UnseenReport, together: Outcomes) -> Table:
    return Table.of(
        "outcomes",
        "How the closest candidate of a miss was ranked, against the true rank",
        (Column("system", "system", Name(), lambda row: row[0]), *_OUTCOME_COLUMNS),
        [(one.system, one.outcomes.counts) for one in found.systems if one.outcomes],
        total=("all", together.counts),
    )


def _outcomes_by_distance(together: Outcomes) -> Table:
    near = together.by_distance[: DRAWN + 1]
    return Table.of(
        "outcomes-by-distance",
        "How the closest candidate of a miss was ranked, by edit distance, all systems together",
        (Column("distance", "distance", Name(), lambda row: row[0]), *_OUTCOME_COLUMNS),
        [
            *((str(distance), counts) for distance, counts in enumerate(near) if distance),
            (f"over {DRAWN}", _summed(together.by_distance[DRAWN + 1 :])),
        ],
    )


def _summed(rows: Sequence[Counts]) -> Counts:
    return tuple(sum(row[place] for row in rows) for place in range(len(OUTCOMES)))


def _share(place: int, row: tuple[str, Counts]) -> tuple[float | None, int]:
    counts = row[1]
    return (counts[place] / sum(counts) if sum(counts) else None), counts[place]


_OUTCOME_COLUMNS: Final = tuple(
    Column(f"{name}_share {name}", name, CountedShare(1), partial(_share, place))
    for place, name in enumerate(OUTCOMES)
)


def _examples(found: UnseenReport) -> Table:
    return Table.of(
        "examples",
        "Some misses",
        (
            Column("sentence", "sentence", Count()),
            Column("system", "system", Name()),
            Column("candidate", "unseen candidate", Name()),
            Column("closest", "closest", Name(), lambda row: " / ".join(row.closest)),
            Column("distance", "distance", Count()),
            Column("outcome", "closest is", Name()),
        ),
        found.examples,
    )
