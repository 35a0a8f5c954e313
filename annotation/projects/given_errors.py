"""Lists of errors that were marked before annotators judge, by a program or by other annotators."""

from collections.abc import Mapping
from dataclasses import dataclass
from logging import getLogger

from django.db import IntegrityError
from django.db.models import Count, Exists, OuterRef, Q
from django.utils.translation import gettext as _

from annotation.common.batches import CHUNK
from annotation.common.exceptions import NotPossible
from annotation.common.transactions import retried, writing
from annotation.formats.names import plain_name
from annotation.kinds import kind_of
from annotation.models import Assignment, GivenErrors, GivenOrigin, Project
from annotation.process import clock

log = getLogger(__name__)


@dataclass(frozen=True)
class OriginSummary:
    """An origin; `candidates` have a list, in which `without` have no error.

    `is_shown` says whether any sheet has shown it: then it stays.
    """

    id: int
    name: str
    by: str
    candidates: int
    without: int
    is_shown: bool


def origin_summaries(project: Project) -> list[OriginSummary]:
    """Return the origins of the project in the order of their ids. One query."""
    shown = Assignment.objects.filter(project=project, given=OuterRef("pk"))
    rows = project.given_origins.annotate(
        candidates=Count("errors"),
        without=Count("errors", filter=Q(errors__detail="")),
        is_shown=Exists(shown),
    ).order_by("pk")
    return [
        OriginSummary(*row)
        for row in rows.values_list("pk", "name", "by", "candidates", "without", "is_shown")
    ]


def check_takes_errors(project: Project) -> None:
    """Raise NotPossible unless errors are marked in the project."""
    if not kind_of(project).answer.takes_given_errors:
        raise NotPossible(_("Errors are not marked in projects of this kind."))


@retried
def store_given_errors(
    *, project: Project, name: str, by: str, details: Mapping[int, str]
) -> GivenOrigin:
    """Store what an origin marked, by the ids of candidates of the project; "" for no error.

    The details are those of the kind's `given_detail`. New sheets show them from now on. Raises
    NotPossible if the project has such an origin, or marks no errors.
    """
    check_takes_errors(project)
    name = plain_name(name)
    if not 0 < len(name) <= GivenOrigin.LONGEST_NAME:
        raise NotPossible(
            _("Give the errors a name of 1 to %(most)d printable characters.")
            % {"most": GivenOrigin.LONGEST_NAME}
        )
    if not details:
        raise NotPossible(_("There are no errors of translations that are judged here."))
    try:
        with writing():
            origin = GivenOrigin.objects.create(
                project=project, name=name, by=GivenOrigin.By(by), created=clock.now()
            )
            GivenErrors.objects.bulk_create(
                (
                    GivenErrors(origin=origin, candidate_id=candidate, detail=detail)
                    for candidate, detail in details.items()
                ),
                batch_size=CHUNK,
            )
    except IntegrityError:
        raise NotPossible(
            _("There are errors of “%(name)s” already: choose another name.") % {"name": name}
        ) from None
    log.info("Project %s has errors of origin %s for %s texts.", project.pk, name, len(details))
    return origin


@retried
def remove_origin(*, project: Project, origin_id: int) -> str:
    """Delete what an origin marked, and return its name.

    Raises NotPossible if there is no such origin, or a sheet has shown its errors: what annotators
    were given stays stored.
    """
    try:
        with writing():
            origin = GivenOrigin.objects.filter(project=project, pk=origin_id).first()
            if origin is None:
                raise NotPossible(_("These errors were removed before."))
            GivenErrors.objects.filter(origin=origin).delete()
            if Assignment.objects.filter(project=project, given=origin).exists():
                raise NotPossible(
                    _(
                        "Annotators were given errors of “%(name)s”, so they stay stored. To show "
                        "them no longer, set the share of sheets to 0."
                    )
                    % {"name": origin.name}
                )
            GivenOrigin.objects.filter(pk=origin.pk).delete()
            return origin.name
    except IntegrityError:
        # A sheet has shown them at this moment.
        raise NotPossible(_("Try again.")) from None
