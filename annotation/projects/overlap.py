"""Documents that are judged by one more annotator, so that annotators can be compared.

Which documents these are depends on the project's share, the seed of its preparation and their
names only. The share is the same in each domain, and a larger share has those of a smaller one.
"""

from collections.abc import Collection
from random import Random
from typing import Final

from django.db.models import Count

from annotation.formats.documents import domain_of
from annotation.kinds import kind_of
from annotation.models import Assignment, Project, Sentence
from annotation.projects.provenance import provenance_of

# Sheets in one statement.
PAGE: Final = 10_000


def overlapping(documents: Collection[str], share: float, seed: int) -> set[str]:
    """Return the documents of the share, the same share of each domain as far as it goes.

    What a domain has beyond whole documents is carried over to the next one.
    """
    by_domain: dict[str, list[str]] = {}
    for document in sorted(set(documents)):
        by_domain.setdefault(domain_of(document), []).append(document)
    found: set[str] = set()
    wanted = 0.0
    for domain, names in sorted(by_domain.items()):
        Random(f"{seed} overlap {domain}").shuffle(names)  # noqa: S311
        wanted += share * len(names)
        count = min(round(wanted) - len(found), len(names))
        found.update(names[:count])
    return found


def mark_overlap(project: Project) -> None:
    """Store which sheets have one more judge by the project's share.

    A judge who was added because two answers are disputed stays. The caller is in a transaction.
    """
    if not kind_of(project).unit.is_document:
        return
    heads = project.sentences.filter(purpose=Sentence.Purpose.JUDGE, sheet=None)
    # A line without a document is one by itself.
    documents = {
        pk: name or str(line)
        for pk, name, line in heads.annotate(line=Sentence.LINE).values_list(
            "pk", "document", "line"
        )
    }
    seed = provenance_of(project).seed or 0
    found = overlapping(set(documents.values()), project.overlap_share, seed)
    # Where all judges of a sheet have submitted, a further one may be there to settle a dispute.
    judged = (
        Assignment.objects.filter(
            project=project, kind=Assignment.Kind.FIRST, state=Assignment.State.SUBMITTED
        )
        .order_by()
        .values("sentence")
        .annotate(answers=Count("annotator", distinct=True))
        .filter(answers__gte=project.judges_per_sentence)
        .values("sentence")
    )
    for further in (0, 1):
        changed = [pk for pk, document in documents.items() if (document in found) != bool(further)]
        for start in range(0, len(changed), PAGE):
            page = heads.filter(pk__in=changed[start : start + PAGE], further_judges=further)
            if further and project.third_judge:
                page = page.exclude(pk__in=judged)
            page.update(further_judges=1 - further)
