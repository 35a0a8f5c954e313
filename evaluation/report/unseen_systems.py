"""What the methods of the thesis say of unseen systems, as plain JSON and as text."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from evaluation.findings.serialisation import rounded
from evaluation.rendering.formats import decimal, text_table
from evaluation.rendering.text import UNDEFINED
from evaluation.reuse.matching import (
    GARBAGE_RANK,
    OUTCOMES,
    Errors,
    Example,
    Matches,
    score_and_place,
    total_outcomes,
)
from evaluation.reuse.segranks_bleu import BleuScores
from evaluation.stats.estimates import Signature
from evaluation.stats.ranking.systems import Ranking

# Distances that the figures of the thesis show one by one.
DRAWN: Final = 17
# With two systems, every correlation is 1 or -1.
FEWEST_SYSTEMS: Final = 3
SCORES: Final = {
    "bleu": "BLEU",
    "segranks_bleu": "SegRanksBLEU",
    "without_own": "without own",
    "bleu_lower": "lower: BLEU",
    "segranks_bleu_lower": "SegRanksBLEU",
    "without_own_lower": "without own",
}


@dataclass(frozen=True)
class UnseenReport:
    """Matched systems and how far the method missed the project's own systems.

    `left_out` means that the matched systems are those of the project, one after another.
    `examples` are some of their misses, drawn with `seed`. `origin` says in the signature where new
    candidates come from; `provenance` ends it.
    """

    method: str
    matches: Sequence[Matches]
    errors: Errors
    left_out: bool
    examples: Sequence[Example] = ()
    seed: int = 0
    origin: Sequence[str] = ()
    provenance: Sequence[str] = ()

    @property
    def signature(self) -> str:
        judgements = self.matches[0].judgements
        what = "leave one out" if self.left_out else f"new {len(self.matches)}"
        closest = ("edit distance", "mean rank of systems", f"garbage {GARBAGE_RANK}")
        options = closest if self.method == "closest" else ("hits only",)
        drawn = [f"examples {len(self.examples)}", f"seed {self.seed}"] if self.examples else []
        signature = Signature(
            "unseen systems",
            (self.method, what, *self.origin, *options, "ratio of wins", "ties ignored", *drawn),
            len(judgements),
            judgements.sentences_judged,
        )
        return "|".join((str(signature), *self.provenance))


def unseen_json(report: UnseenReport) -> dict[str, Any]:
    """Return the report with 6 decimals; undefined figures are None."""
    return {
        "method": report.method,
        "systems": [_system(one, report.method) for one in report.matches],
        "outcomes": _outcomes(total_outcomes(report.matches)) if report.left_out else None,
        "errors": {
            name: value if isinstance(value, int) else rounded(value)
            for name, value in asdict(report.errors).items()
        },
        "examples": [asdict(example) for example in report.examples],
        "signature": report.signature,
    }


def _system(one: Matches, method: str) -> dict[str, Any]:
    truth, ranking = one.true_ranking(), one.rank(method)
    ratio, place = score_and_place(ranking, one.system)
    true, true_place = score_and_place(truth, one.system) if truth else (None, None)
    return {
        "system": one.system,
        "judgements": len(one),
        "hits": one.hits,
        "missing": one.missing,
        "hit_rate": rounded(one.hit_rate),
        "average_distance": rounded(one.average_distance),
        "average_distance_of_misses": rounded(one.average_distance_of_misses),
        "equidistant": one.equidistant,
        "distances": list(one.distance_counts),
        "outcomes": _outcomes(one.outcomes) if truth else None,
        "ratio_of_wins": rounded(ratio),
        "undefined": _why_undefined(one, method) if ratio is None else None,
        "place": None if ratio is None else place,
        "true_ratio_of_wins": rounded(true),
        "true_place": None if true is None else true_place,
        "ranking": [
            {
                "system": result.system,
                "wins": result.wins,
                "losses": result.losses,
                "ties": result.ties,
                "ratio_of_wins": rounded(result.ratio_of_wins),
            }
            for result in ranking.systems
        ],
    }


def _why_undefined(one: Matches, method: str) -> str:
    """Return why the unseen system has no ratio of wins."""
    if one.missing == len(one):
        return "no judgement ranks candidates where it has one"
    if method == "exact" and not one.hits:
        return "no other system has one of its candidates"
    return "it never won or lost"


def _outcomes(counts: np.ndarray) -> dict[str, Any]:
    together = dict(zip(OUTCOMES, counts.sum(axis=0).tolist(), strict=True))
    return {**together, "by_distance": counts.tolist()}


def unseen_text(report: UnseenReport) -> str:
    """Return tables for a terminal."""
    parts = [
        _overview(report),
        _errors(report),
        "Ratio of wins of each system (columns) with the unseen one (rows):\n" + _scores(report),
    ]
    if report.method == "closest":
        parts.append("Judgements by the smallest edit distance:\n" + _distances(report.matches))
        if report.left_out:
            parts += [
                "How the closest candidate of a miss was ranked, against the true rank:\n"
                + _outcome_table(report.matches),
                "The same by edit distance, all systems together:\n"
                + _outcomes_by_distance(report.matches),
            ]
    if report.examples:
        parts.append("Some misses:\n" + _examples(report.examples))
    return "\n\n".join([*parts, report.signature])


def _overview(report: UnseenReport) -> str:
    header = ["left out" if report.left_out else "new system", "hits", "hit rate", "none"]
    if report.method == "closest":
        header += ["distance", "of misses", "equidistant"]
    header += ["predicted", "place"] + (["true", "true place"] if report.left_out else [])
    rows = []
    for one in report.matches:
        ranking, truth = one.rank(report.method), one.true_ranking()
        cells = [one.system, str(one.hits), decimal(one.hit_rate, 4), str(one.missing)]
        if report.method == "closest":
            cells += [decimal(one.average_distance, 2)]
            cells += [decimal(one.average_distance_of_misses, 2), str(one.equidistant)]
        rows.append(cells + [cell for r in (ranking, truth) if r for cell in _placed(r, one)])
    left_out = [one.system for one in report.matches if one.system in one.judgements.system_names]
    lines = [text_table(header, rows)]
    lines += [
        f"No ratio of wins of {one.system}: {_why_undefined(one, report.method)}."
        for one in report.matches
        if score_and_place(one.rank(report.method), one.system)[0] is None
    ]
    if left_out and not report.left_out:
        lines.append(
            "Systems of the project too, whose own candidates and ranks are left out: "
            f"{', '.join(left_out)}."
        )
    return "\n".join(lines)


def _placed(ranking: Ranking, one: Matches) -> list[str]:
    ratio, place = score_and_place(ranking, one.system)
    return [decimal(ratio, 4), UNDEFINED if ratio is None else f"{place} of {len(ranking.systems)}"]


def _errors(report: UnseenReport) -> str:
    errors = report.errors
    if errors.score is None or errors.bias is None:
        return "How far the method misses is unknown: no system of the project has both ratios."
    whose = "these systems" if report.left_out else "the project's own systems, each left out,"
    direction = "too high" if errors.bias > 0 else "too low"
    return (
        f"The ratio of wins of {whose} is off by {decimal(errors.score, 4)} on average, and by "
        f"{decimal(errors.places, 1)} places ({decimal(abs(errors.bias), 4)} {direction}; r with "
        f"the true ratios {decimal(errors.r)})."
    )


def _scores(report: UnseenReport) -> str:
    columns = list(report.matches[0].judgements.system_names)
    rows = []
    for one in report.matches:
        ratios = {row.system: row.ratio_of_wins for row in one.rank(report.method).systems}
        if report.left_out:
            cells = [ratios[name] for name in columns]
        else:
            others = [None if name == one.system else ratios[name] for name in columns]
            cells = [ratios[one.system], *others]
        rows.append([one.system, *(decimal(cell, 4) for cell in cells)])
    return text_table(["", *([] if report.left_out else ["itself"]), *columns], rows)


def _distances(matches: Sequence[Matches]) -> str:
    rows = []
    for one in matches:
        counts = [*one.distance_counts, *[0] * (DRAWN + 1)]
        shown = [one.hits, *counts[1 : DRAWN + 1], sum(counts[DRAWN + 1 :])]
        rows.append([one.system, *map(str, shown)])
    header = ["", "0", *map(str, range(1, DRAWN + 1)), f"over {DRAWN}"]
    return text_table(header, rows)


def _outcome_table(matches: Sequence[Matches]) -> str:
    rows = [(one.system, one.outcomes.sum(axis=0)) for one in matches]
    rows.append(("all", total_outcomes(matches).sum(axis=0)))
    header = ["", *OUTCOMES, *(f"{name} %" for name in OUTCOMES)]
    return text_table(header, [[name, *_with_shares(counts)] for name, counts in rows])


def _outcomes_by_distance(matches: Sequence[Matches]) -> str:
    total = total_outcomes(matches)
    rows = [
        [str(distance), *_with_shares(counts)]
        for distance, counts in enumerate(total[: DRAWN + 1])
        if distance
    ]
    rows.append([f"over {DRAWN}", *_with_shares(total[DRAWN + 1 :].sum(axis=0))])
    header = ["distance", *OUTCOMES, *(f"{name} %" for name in OUTCOMES)]
    return text_table(header, rows)


def _with_shares(counts: np.ndarray) -> list[str]:
    total = int(counts.sum())
    shares = [decimal(100 * count / total if total else None, 1) for count in counts.tolist()]
    return [*map(str, counts.tolist()), *shares]


def _examples(examples: Sequence[Example]) -> str:
    rows = [
        [
            str(one.sentence),
            one.system,
            one.candidate,
            " / ".join(one.closest),
            str(one.distance),
            one.outcome,
        ]
        for one in examples
    ]
    header = ["sentence", "system", "unseen candidate", "closest", "distance", "closest is"]
    return text_table(header, rows, words=(1, 2, 3, 5))


@dataclass(frozen=True)
class BleuReport:
    """Scores of outputs, and the ratios of wins by people of those that people judged, by name."""

    scores: Sequence[BleuScores]
    people: Mapping[str, float | None]
    provenance: Sequence[str] = ()

    @property
    def r(self) -> dict[str, float | None]:
        """Pearson's correlation of each score with people's ratios; None with under three systems.

        It is None too if the score or the ratio is the same for all systems.
        """
        return {name: self._correlation(name) for name in SCORES}

    def _correlation(self, name: str) -> float | None:
        scores, ratios = [], []
        for one in self.scores:
            score, ratio = getattr(one, name), self.people.get(one.system)
            if score is not None and ratio is not None:
                scores.append(score)
                ratios.append(ratio)
        if len(scores) < FEWEST_SYSTEMS or len(set(scores)) == 1 or len(set(ratios)) == 1:
            return None
        return float(np.corrcoef(scores, ratios)[0, 1])

    @property
    def signature(self) -> str:
        return "|".join((str(self.scores[0].signature), *self.provenance))


def bleu_json(report: BleuReport) -> dict[str, Any]:
    """Return the scores with 6 decimals; undefined ones are None."""
    return {
        "method": "segranks-bleu",
        "systems": [
            {"system": one.system}
            | {name: rounded(getattr(one, name)) for name in SCORES}
            | {"ratio_of_wins": rounded(report.people.get(one.system))}
            for one in report.scores
        ],
        "r": {name: rounded(value) for name, value in report.r.items()},
        "signature": report.signature,
    }


def bleu_text(report: BleuReport) -> str:
    """Return a table for a terminal, best SegRanksBLEU first."""
    rows = [
        [
            one.system,
            *(decimal(getattr(one, name), 4) for name in SCORES),
            decimal(report.people.get(one.system), 4),
        ]
        for one in sorted(report.scores, key=lambda one: -(one.segranks_bleu or 0))
    ]
    rows.append(["r with people", *(decimal(value, 4) for value in report.r.values()), ""])
    header = ["system", *SCORES.values(), "people"]
    notes = (
        "SegRanksBLEU takes the candidates that ranked best as references too; without own: those "
        "that only this system produced are left out.\n"
        "people: ratio of wins in the judgements; r: Pearson's correlation with it."
    )
    return "\n\n".join([text_table(header, rows), notes, report.signature])
