"""Sentences, segments and candidates that an administrator excludes from judging and results.

They stay stored, and can be included again. New assignments do not show them, and no figure counts
them. The rows of a sheet are excluded together, since it is assigned as a whole; of one row, its
segment can be. Open assignments stay as they are: what is submitted is stored whole, and what is
excluded of it counts nowhere. Of a sentence that is included again, judgements made meanwhile lack
the part that was excluded.
"""

from logging import getLogger

from django.utils.translation import gettext as _

from annotation.common.exceptions import NotPossible
from annotation.common.transactions import retried, writing
from annotation.models import Candidate, Project, Segment, Sentence, User
from annotation.process import clock

log = getLogger(__name__)


class NotOfProject(NotPossible):
    """The project has no such sentence to judge, segment of it, or candidate of that."""


class LastCandidate(NotPossible):
    """The candidate is the last one of its segment, and only the segment can be excluded."""


@retried
def set_excluded(
    *,
    project: Project,
    by: User,
    sentence: int,
    segment: int | None = None,
    candidate: int | None = None,
    excluded: bool,
) -> None:
    """Exclude the sentence, or the segment or candidate with these ids, or include it again.

    A sentence on a sheet of several rows is excluded with all of these.

    Raises NotOfProject, and LastCandidate if no other candidate of the segment would be left.
    """
    with writing():
        locked = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        given = locked.sentences.filter(pk=sentence, purpose=Sentence.Purpose.JUDGE).first()
        row: Sentence | Segment | Candidate | None = None
        if given is not None:
            # Locked, so that it is not assigned meanwhile.
            row = Sentence.objects.select_for_update(no_key=True).get(pk=given.sheet_id or sentence)
        if row is not None and segment is not None:
            row = Segment.objects.filter(pk=segment, sentence=sentence).first()
        if row is not None and candidate is not None:
            row = Candidate.objects.filter(
                pk=candidate, segment=segment, segment__sentence=sentence
            ).first()
        if row is None:
            raise NotOfProject(_("The project has no such line, segment or candidate."))
        if row.excluded == excluded:
            return
        if isinstance(row, Candidate) and excluded:
            others = Candidate.objects.filter(segment=row.segment_id, excluded=False)
            if not others.exclude(pk=row.pk).exists():
                raise LastCandidate(
                    _("This is the last candidate of its segment. Exclude the segment instead.")
                )
        row.excluded = excluded
        row.save(update_fields=["excluded"])
        if isinstance(row, Sentence):
            row.further_rows.update(excluded=excluded)
            # The queue looks at it before a worker counts the project again.
            Sentence.objects.filter(pk=row.pk).update(passed_over=False)
        locked.counts_changed = project.counts_changed = clock.now()
        locked.save(update_fields=["counts_changed"])
    done = "excluded" if excluded else "included"
    log.info("User %s %s %s %s.", by.pk, done, row._meta.model_name, row.pk)
