"""Print how many careless and careful annotators the default rules of quality flag.

    python -m tests.load.quality [--replications N] [--seed N] [--candidates N] [--limits …] FOLDER

FOLDER is `first-half` of the thesis' data. Careful annotators are those of the thesis with 30
sentences or more: their own judgements and times of random sentences. Careless ones are simulated
on sentences of the thesis, in two speeds: `unhurried` with times of the thesis, and `hurried` with
a median of 1.5 s a segment. They rank at random (`random`), put every candidate on rank 1 (`always
first`), put all candidates of a segment on one random rank (`always tie`), or keep the order shown
(`copying`), which is random.

κ is with the real annotators who judged the same sentences, as in a project in which all sentences
have two judges; careful annotators are then those who share ten sentences or more with others,
sampled with replacement. Every tenth sentence is a control sentence; careful annotators are assumed
to fail one in ten, since the thesis had none. Rules are checked after every five sentences, and the
printed shares are of annotators flagged by then. `--candidates` keeps so many random candidates of
each segment, as in a project with fewer systems; `--limits KIND=LIMIT:AFTER` replaces defaults. Not
a test: it takes minutes.
"""

import argparse
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.annotators.controls import Controls, ControlTable
from evaluation.stats.annotators.quality import (
    DEFAULT_LIMITS,
    AnnotatorQuality,
    Limit,
    annotator_quality,
)
from evaluation.stats.judgements import GARBAGE, MISSING, UNIDENTIFIED, Judgements
from tests.evaluation.thesis_texts import read_thesis

STEPS: Final = tuple(range(5, 41, 5))
SHOWN: Final = (10, 20, 40)
FEWEST_SENTENCES, FEWEST_SHARED = 30, 10
HURRIED_SECONDS, HURRIED_SPREAD = 1.5, 0.5
CONTROL_EVERY, CAREFUL_FAIL = 10, 0.1
# Judgements of the thesis from which, with those of the sentences, P(E) comes.
BACKGROUND = 500
BEHAVIOURS: Final = ("random", "always first", "always tie", "copying")
# The code of the annotator who is looked at.
SUBJECT: Final = 0

Rows = NDArray[np.intp]


@dataclass(frozen=True)
class Task:
    """A sentence: the rows that the subject judges, and those of others who judged it."""

    own: Rows
    others: Rows


class Thesis:
    """The judgements of the thesis, by annotator and sentence."""

    def __init__(self, judgements: Judgements) -> None:
        self.judgements = judgements
        # The first judgement of a segment by an annotator: repeats would be compared twice.
        keys = judgements.annotators.astype(np.int64) * len(judgements.segment_ids)
        _, firsts = np.unique(keys + judgements.segments, return_index=True)
        self.by_cell: dict[tuple[int, int], list[int]] = defaultdict(list)
        self.judges: dict[int, list[int]] = defaultdict(list)
        for row in firsts.tolist():
            who, sentence = int(judgements.annotators[row]), int(judgements.sentences[row])
            if (who, sentence) not in self.by_cell:
                self.judges[sentence].append(who)
            self.by_cell[who, sentence].append(row)
        self.sentences: dict[int, list[int]] = defaultdict(list)
        for who, sentence in self.by_cell:
            self.sentences[who].append(sentence)
        self.shared = {
            who: [one for one in judged if len(self.judges[one]) > 1]
            for who, judged in self.sentences.items()
        }

    def task(self, who: int, sentence: int, *, as_own: bool) -> Task:
        """Return the sentence as `who` judged it, beside others; or as a stranger judges it."""
        own = np.array(self.by_cell[who, sentence], dtype=np.intp)
        names = [name for name in self.judges[sentence] if not as_own or name != who]
        rows = [row for name in names for row in self.by_cell[name, sentence]]
        return Task(own, np.array(rows, dtype=np.intp))


def simulated_ranks(
    random: np.random.Generator, behaviour: str, present: NDArray[np.bool_], shown: NDArray[np.int8]
) -> NDArray[np.int8]:
    """Return the ranks of the candidates that are present (rows × candidates)."""
    ranks = np.zeros(present.shape, dtype=np.int8)
    for row, there in enumerate(present):
        n = int(there.sum())
        if behaviour == "random":
            chosen = random.integers(1, n + 2, n)
        elif behaviour == "always first":
            chosen = np.ones(n, dtype=np.int64)
        elif behaviour == "always tie":
            chosen = np.full(n, random.integers(1, n + 2))
        else:
            chosen = shown[row][there]
        ranks[row][there] = np.where(chosen > n, GARBAGE, chosen)
    return ranks


def random_order(random: np.random.Generator, present: NDArray[np.bool_]) -> NDArray[np.int8]:
    shown = np.zeros(present.shape, dtype=np.int8)
    for row, there in enumerate(present):
        shown[row][there] = random.permutation(int(there.sum())) + 1
    return shown


def laid_out(
    thesis: Thesis,
    random: np.random.Generator,
    tasks: list[Task],
    *,
    behaviour: str | None,
    hurried: bool,
    most: int,
) -> tuple[Judgements, NDArray[np.intp]]:
    """Return judgements of the tasks, each as a sentence of its own, and the task of each row.

    Rows of the background belong to no task (-1) and to unidentified annotators.
    """
    everything = thesis.judgements
    background = random.choice(len(everything), BACKGROUND, replace=False)
    rows, subject, places = [background], [np.zeros(BACKGROUND, dtype=np.bool_)], []
    places.append(np.full(BACKGROUND, -1))
    for place, task in enumerate(tasks):
        for part, is_own in ((task.own, True), (task.others, False)):
            rows.append(part)
            subject.append(np.full(len(part), is_own))
            places.append(np.full(len(part), place))
    chosen, own, of_task = np.concatenate(rows), np.concatenate(subject), np.concatenate(places)
    ranks = np.array(everything.candidate_ranks[chosen])
    # The same sentence twice is two sentences, with segments of their own.
    wide = len(everything.segment_ids)
    segments = np.where(of_task < 0, 0, of_task + 1) * wide + everything.segments[chosen]
    for row in np.flatnonzero(own):
        columns = random.permutation(np.flatnonzero(ranks[row] != MISSING))
        ranks[np.ix_(segments == segments[row], columns[most:])] = MISSING
    seconds = np.array(everything.seconds[chosen])
    shown = np.zeros(ranks.shape, dtype=np.int8)
    present = ranks[own] != MISSING
    shown[own] = random_order(random, present)
    if behaviour is not None:
        ranks[own] = simulated_ranks(random, behaviour, present, shown[own])
    if hurried:
        # One time for all segments of a sentence, as they are submitted together.
        times = HURRIED_SECONDS * np.exp(random.normal(0, HURRIED_SPREAD, len(tasks)))
        seconds[own] = times[of_task[own]]
    annotators = np.where(own, SUBJECT, everything.annotators[chosen] + 1)
    annotators = np.where(of_task < 0, UNIDENTIFIED, annotators).astype(np.int32)
    _, segment_codes = np.unique(segments, return_inverse=True)
    sentences = np.where(of_task < 0, len(tasks), of_task)
    systems = np.asfortranarray(everything.system_ranks[chosen][:, :0])
    judgements = replace(
        everything,
        candidate_ranks=np.asfortranarray(ranks),
        shown=np.asfortranarray(shown),
        seconds=seconds,
        created=everything.created[chosen],
        repeats=everything.repeats[chosen],
        annotators=annotators,
        segments=segment_codes.astype(np.int32),
        sentences=sentences.astype(np.int32),
        system_ranks=systems,
        system_candidates=systems.astype(np.int32),
        system_names=(),
        segment_ids=np.arange(int(segment_codes.max()) + 1),
        sentence_numbers=np.arange(1, len(tasks) + 2),
        annotator_names=("subject", *everything.annotator_names),
    )
    return judgements, of_task


def control_outcomes(random: np.random.Generator, behaviour: str | None, count: int) -> list[bool]:
    """Return which of the control sentences, every other one degraded, were passed."""
    passed = []
    for place in range(count):
        degraded = place % 2 == 0
        if behaviour is None:
            passed.append(bool(random.random() >= CAREFUL_FAIL))
        elif behaviour in ("always first", "always tie"):
            passed.append(not degraded)
        elif behaviour == "copying":
            passed.append(degraded and bool(random.random() < 0.5))
        else:
            n = int(random.integers(3, 9))
            original, changed = random.integers(1, n + 2, 2)
            both = original == changed == n + 1
            passed.append(both or (changed > original if degraded else changed == original))
    return passed


def figures(
    judgements: Judgements, of_task: NDArray[np.intp], passed: list[bool], until: int
) -> AnnotatorQuality:
    """Return the figures of the subject after so many sentences."""
    done = judgements.select(of_task < until)
    outcomes = passed[: until // CONTROL_EVERY]
    controls = ControlTable({"subject": Controls(len(outcomes), sum(outcomes))})
    return next(row for row in annotator_quality(done, controls) if row.annotator == "subject")


def sampled(
    random: np.random.Generator, thesis: Thesis, who: int, sentences: list[int], *, as_own: bool
) -> list[Task]:
    most = STEPS[-1]
    chosen = random.choice(sentences, most, replace=len(sentences) < most)
    return [thesis.task(who, int(sentence), as_own=as_own) for sentence in chosen]


def careful(random: np.random.Generator, thesis: Thesis, *, most: int) -> list[AnnotatorQuality]:
    """Return the figures of a random annotator at each of STEPS, with κ on shared sentences."""
    enough = [who for who, judged in thesis.sentences.items() if len(judged) >= FEWEST_SENTENCES]
    sharing = [who for who, judged in thesis.shared.items() if len(judged) >= FEWEST_SHARED]
    passed = control_outcomes(random, None, STEPS[-1] // CONTROL_EVERY)
    who = int(random.choice(enough))
    tasks = sampled(random, thesis, who, thesis.sentences[who], as_own=True)
    alone = laid_out(thesis, random, tasks, behaviour=None, hurried=False, most=most)
    who = int(random.choice(sharing))
    tasks = sampled(random, thesis, who, thesis.shared[who], as_own=True)
    together = laid_out(thesis, random, tasks, behaviour=None, hurried=False, most=most)
    return [
        replace(figures(*alone, passed, until), kappa=figures(*together, passed, until).kappa)
        for until in STEPS
    ]


def careless(
    random: np.random.Generator, thesis: Thesis, behaviour: str, *, hurried: bool, most: int
) -> list[AnnotatorQuality]:
    """Return the figures of a simulated annotator at each of STEPS."""
    everyone = [(name, one) for name, judged in thesis.sentences.items() for one in judged]
    chosen = random.choice(len(everyone), STEPS[-1], replace=False)
    tasks = [thesis.task(*everyone[place], as_own=False) for place in chosen]
    passed = control_outcomes(random, behaviour, STEPS[-1] // CONTROL_EVERY)
    laid = laid_out(thesis, random, tasks, behaviour=behaviour, hurried=hurried, most=most)
    return [figures(*laid, passed, until) for until in STEPS]


def flagged(people: list[list[AnnotatorQuality]], limits: tuple[Limit, ...], until: int) -> float:
    """Return the share of people for whom any limit was broken at a check until then."""
    checks = [place for place, step in enumerate(STEPS) if step <= until]
    found = [
        any(limit.broken_by(person[place]) for limit in limits for place in checks)
        for person in people
    ]
    return sum(found) / len(found)


def read_limits(given: list[str]) -> tuple[Limit, ...]:
    limits = {limit.kind: limit for limit in DEFAULT_LIMITS}
    for text in given:
        kind, values = text.split("=")
        limit, after = values.split(":")
        limits[kind] = Limit(kind, float(limit), int(after))
    return tuple(limits.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--replications", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--candidates", type=int, default=GARBAGE)
    parser.add_argument("--limits", nargs="*", default=[], metavar="KIND=LIMIT:AFTER")
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    options = parser.parse_args()
    limits = read_limits(options.limits)
    thesis = Thesis(read_thesis(options.folder)[0])
    random = np.random.default_rng(options.seed)
    people = {
        "careful": [
            careful(random, thesis, most=options.candidates) for _ in range(options.replications)
        ],
        **{
            f"{behaviour}, {speed}": [
                careless(
                    random,
                    thesis,
                    behaviour,
                    hurried=speed == "hurried",
                    most=options.candidates,
                )
                for _ in range(options.replications)
            ]
            for behaviour in BEHAVIOURS
            for speed in ("unhurried", "hurried")
        },
    }
    for limit in limits:
        print(f"{limit.kind}: limit {limit.limit:g}, after {limit.after} sentences")
    print(f"{options.replications} replications, seed {options.seed}; % flagged by {SHOWN}")
    print(f"{'':24}" + "".join(f"{limit.kind:>15}" for limit in limits) + f"{'all':>15}")
    for name, group in people.items():
        cells = []
        for chosen in (*((limit,) for limit in limits), limits):
            shares = [100 * flagged(group, chosen, until) for until in SHOWN]
            cells.append("/".join(f"{share:.1f}".removesuffix(".0") for share in shares))
        print(f"{name:24}" + "".join(f"{cell:>15}" for cell in cells), flush=True)
    print("κ with others: 2nd percentile, median, 98th percentile")
    for name, group in people.items():
        for until in SHOWN:
            kappas = [person[STEPS.index(until)].kappa.value for person in group]
            known = [kappa for kappa in kappas if kappa is not None]
            print(f"{name:24}{until:>4}", np.round(np.quantile(known, [0.02, 0.5, 0.98]), 2))


if __name__ == "__main__":
    main()
