"""The people of a project: their rights, their work, and how they judge."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from statistics import median
from typing import Any, Final

from django.db.models import Count

from annotation.judging.practice_results import AnnotatorPractice, practice_results
from annotation.models import Assignment, Membership, Project
from annotation.projects.annotator_names import account_names
from annotation.selectors import counts
from annotation.selectors.members import members
from annotation.selectors.project_progress import progress_of
from annotation.selectors.submitted_work import SubmittedWork, recent_work
from evaluation.models import QualityFlag
from evaluation.services.loading import load_controls
from evaluation.services.quality import broken_limits, measured_quality, rules_of
from evaluation.stats.annotators.controls import Controls
from evaluation.stats.annotators.quality import AnnotatorQuality
from evaluation.stats.judgements import natural_key


@dataclass(frozen=True)
class Person:
    """A member, or a former one whose judgements remain: then `membership` is None.

    `quality` and `practice` are None where nothing is known. `discarded` assignments count nowhere.
    `unusual` are the kinds of rules that the figures break now, and of flags that no administrator
    has dismissed; of defined figures only, so not of those whose judgements were discarded.
    """

    user_id: int
    name: str
    membership: Membership | None
    work: SubmittedWork
    active: datetime | None
    is_active: bool
    quality: AnnotatorQuality | None
    controls: Controls
    practice: AnnotatorPractice | None
    discarded: int
    unusual: frozenset[str]


@dataclass(frozen=True)
class People:
    """All people of a project; `measured` is when their figures were, None if they never were.

    `typical` has the medians of the people's figures, by the keys of ORDERS.
    """

    rows: list[Person]
    measured: datetime | None
    practice_sentences: int
    typical: dict[str, float]

    def of(self, user_id: int) -> Person | None:
        return next((row for row in self.rows if row.user_id == user_id), None)


def _figure(name: str) -> Callable[[Person], float | None]:
    def value(person: Person) -> float | None:
        return getattr(person.quality, name).value if person.quality else None

    return value


# The figures by which people can be sorted.
ORDERS: Final[dict[str, Callable[[Person], Any]]] = {
    "sentences": lambda person: person.work.sentences,
    "active": lambda person: person.active,
    "seconds": _figure("seconds"),
    "own_kappa": _figure("own_kappa"),
    "kappa": _figure("kappa"),
    "controls": lambda person: person.controls.share,
    "practice": lambda person: person.practice and person.practice.share,
    "ties": _figure("ties"),
}
# Figures that are sorted from the largest, because large values deserve a look.
DESCENDING: Final = ("sentences", "active", "ties")
MEDIANS: Final = ("seconds", "own_kappa", "kappa", "controls", "practice", "ties")


def people_of(project: Project, *, now: datetime) -> People:
    """Return the people by name, in a fixed number of queries.

    Figures are those of the rules of quality. With many judgements they are of the last check.
    """
    size = counts.to_judge(project)
    names = account_names(project)
    rows = {row.user_id: row for row in members(project)}
    work = recent_work(project, size)
    activity = {row.id: row for row in progress_of(project, now=now, midnight=now).workers}
    measured = measured_quality(project)
    quality = {row.user: row.quality for row in measured.people} if measured else {}
    practice = practice_results(project)
    practised = {row.annotator: row for row in practice.annotators if row.done}
    controls = load_controls(project)
    rules = rules_of(project)
    flagged: dict[int, set[str]] = {}
    flags = QualityFlag.objects.filter(project=project, dismissed=None)
    for user_id, kind in flags.values_list("user_id", "kind"):
        flagged.setdefault(user_id, set()).add(kind)
    discarded = _discarded(project)
    found = []
    for pk in {*rows, *activity, *discarded}:
        membership, known = rows.get(pk), quality.get(pk)
        active = activity.get(pk)
        kinds = flagged.get(pk, set())
        if measured:
            kinds = {kind for kind in kinds if known and getattr(known, kind).value is not None}
        found.append(
            Person(
                user_id=pk,
                name=names[pk] if membership is None else vars(membership)["name"],
                membership=membership,
                work=work.of(pk),
                active=active.active if active else None,
                is_active=active is not None and active.is_active,
                quality=known,
                controls=controls.of(names[pk]),
                practice=practised.get(names[pk]),
                discarded=discarded.get(pk, 0),
                unusual=frozenset(broken_limits(known, rules) if known else ()) | kinds,
            )
        )
    found.sort(key=lambda person: natural_key(person.name))
    return People(
        rows=found,
        measured=measured.made if measured else None,
        practice_sentences=practice.sentences,
        typical={key: typical for key in MEDIANS if (typical := _median(found, key)) is not None},
    )


def _discarded(project: Project) -> dict[int, int]:
    """Return by annotator how many of their assignments were discarded with all of theirs."""
    rows = Assignment.objects.filter(
        project=project, kind__in=Assignment.COUNTED, discarded_with_annotator=True
    )
    return dict(rows.order_by().values_list("annotator").annotate(Count("pk")))


def sorted_people(people: People, order: str, *, descending: bool) -> People:
    """Return the people sorted by one of ORDERS, those without the figure last.

    Any other order is that of names.
    """
    if order not in ORDERS:
        return people
    value = ORDERS[order]
    known = [person for person in people.rows if value(person) is not None]
    known.sort(key=value, reverse=descending)
    unknown = [person for person in people.rows if value(person) is None]
    return replace(people, rows=known + unknown)


def _median(people: list[Person], key: str) -> float | None:
    """Return the median of the figure over the people who have it; None below two."""
    values = [value for person in people if (value := ORDERS[key](person)) is not None]
    if len(values) < 2:
        return None
    return float(median(values))
