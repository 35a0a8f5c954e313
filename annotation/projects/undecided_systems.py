"""Decisions of administrators that annotators see the candidates of undecided systems only.

Once a report tells most pairs of systems apart, judging goes on for the others. Then an assignment
does not show the candidates that only decided systems produced, is shorter, and is *narrowed*: it
has the number of the decision in force. Narrowed judgements are in no figure of the report but one
ranking of the undecided systems, because they say nothing of wins against the decided ones.

The project's provenance has all decisions, the last one in force. A restored archive may have
anything there: what does not fit narrows nothing, and judgements that were narrowed by it
are used nowhere.
"""

from collections import Counter, defaultdict
from collections.abc import Collection
from typing import Final

from django.db.models import Exists, OuterRef, Q
from msgspec import to_builtins
from msgspec.structs import replace

from annotation.common.batches import CHUNK
from annotation.common.transactions import retried, writing
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.names import plain_name
from annotation.models import Project, Projection, Sentence
from annotation.process import clock
from annotation.projects.added_systems import entries, sampled_systems
from annotation.projects.provenance import Decision, Shown, append_entry, provenance_of

# With fewer there is nothing to compare.
FEWEST_UNDECIDED: Final = 2
KEY: Final = "decisions"


def decisions(project: Project) -> list[Decision]:
    """Return the decisions of the provenance, first to last, without those that do not fit."""
    return [
        replace(decision, number=number)
        for number, decision in enumerate(provenance_of(project).decisions, start=1)
        if decision
    ]


def decision_in_force(project: Project) -> Decision | None:
    """Return the decision by which new assignments are narrowed; None if they show all systems.

    No query.
    """
    made = provenance_of(project).decisions
    last = made[-1] if made else None
    return replace(last, number=len(made)) if last and last.decided else None


def decisions_to_use(project: Project, decision: Decision) -> list[int]:
    """Return the numbers of the decisions whose judgements compare all systems undecided by this.

    Annotators saw the candidates of all these systems, and perhaps of more.
    """
    decided = set(decision.decided)
    return [earlier.number for earlier in decisions(project) if decided.issuperset(earlier.decided)]


def visible_candidates(projects: Collection[Project]) -> Q | None:
    """Return the condition on Candidate that new assignments of these projects show it.

    None where no decision is in force. No query.
    """
    narrowed = {
        project.pk: visible_by(decision)
        for project in projects
        if (decision := decision_in_force(project))
    }
    if len(narrowed) == len(projects) == 1:
        return next(iter(narrowed.values()))
    visible = ~Q(segment__sentence__project__in=list(narrowed))
    for pk, of_project in narrowed.items():
        visible |= Q(segment__sentence__project=pk) & of_project
    return visible if narrowed else None


def visible_by(decision: Decision) -> Q:
    """Return the condition on Candidate, of the decision's project, that a system left produced it.

    One that no system produced is not visible: it is in no figure.
    """
    producers = Projection.objects.filter(candidate=OuterRef("pk"))
    return Q(Exists(producers.exclude(system__name__in=decision.decided)))


@retried
def set_undecided(*, project: Project, names: Collection[str], by: str) -> Decision | None:
    """Have annotators see the candidates of these systems only, or of all if these are all.

    Stores the decision with the time and the name of the administrator, and returns it; None if
    nothing changes. Open assignments stay as they are. Raises InputError, for people, where fewer
    than two systems are named, a name is unknown, or judging depends on candidates of all systems.
    """
    with writing():
        project = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        decision = propose(project=project, names=names, by=by)
        before = decision_in_force(project)
        if set(decision.decided) == set(before.decided if before else ()):
            return None
        when = decision.when.isoformat()
        append_entry(project, KEY, to_builtins(decision) | {"when": when})
        project.save(update_fields=["provenance"])
    return replace(decision, number=len(project.provenance[KEY]))


def propose(*, project: Project, names: Collection[str], by: str = "") -> Decision:
    """Return the decision that `set_undecided` would store, with the number 0; raise InputError.

    Reads all candidates of the project.
    """
    if project.state not in (Project.State.OPEN, Project.State.CLOSED):
        raise InputError(_("Wait until the project is prepared, then decide on its systems."))
    known = list(project.systems.order_by("pk").values_list("name", flat=True))
    names = {plain_name(name) for name in names}
    for name in sorted(names):
        if name not in known:
            raise InputError(_("The project has no system %(name)r: check the name."), name=name)
    undecided = tuple(name for name in known if name in names)
    decided = tuple(name for name in known if name not in undecided)
    if decided and len(undecided) < FEWEST_UNDECIDED:
        raise InputError(_("At least two systems must stay undecided, to be compared."))
    if decided:
        _refuse_other_work(project)
    shown = count_shown(project, decided)
    return Decision(clock.now(), decided, undecided, by=by, shown=shown)


def _refuse_other_work(project: Project) -> None:
    """Raise InputError where a system is being added or is judged in a sample."""
    for name, entry in entries(project).items():
        if entry.counts is None:
            raise InputError(
                _("The system %(name)r is not completely added: wait until it is."), name=name
            )
    if sampled := sampled_systems(project):
        raise InputError(
            _(
                "The system %(name)r is judged in a sample of segments, and there annotators must "
                "see the candidates of all systems."
            ),
            name=sampled[0],
        )


def refuse_while_narrowed(project: Project) -> None:
    """Raise InputError if a decision is in force: then no system can be added.

    Its candidates would be compared with those of undecided systems only, and the ranking of all
    systems would have it by those candidates alone that it shares with others.
    """
    if decision_in_force(project):
        raise InputError(
            _(
                "Annotators see the candidates of undecided systems only. Show those of all "
                "systems again, then add the system."
            )
        )


def count_shown(project: Project, decided: Collection[str]) -> Shown:
    """Count what annotators see of the project, without and with these decided systems."""
    rows = Projection.objects.filter(
        segment__sentence__project=project,
        segment__sentence__purpose=Sentence.Purpose.JUDGE,
        segment__sentence__excluded=False,
        segment__sampled=True,
        segment__excluded=False,
        candidate__excluded=False,
    ).values_list("segment", "candidate", "system__name")
    every: defaultdict[int, set[int | None]] = defaultdict(set)
    narrowed: defaultdict[int, set[int | None]] = defaultdict(set)
    hidden = set(decided)
    for segment, candidate, system in rows.iterator(CHUNK):
        every[segment].add(candidate)
        if system not in hidden:
            narrowed[segment].add(candidate)
    sizes = Counter(len(found) for found in every.values() if len(found) > 1)
    fewer = Counter(len(found) for found in narrowed.values() if len(found) > 1)
    shown, left = (sum(size * times for size, times in each.items()) for each in (sizes, fewer))
    return Shown(sizes.total(), shown, fewer.total(), left)
