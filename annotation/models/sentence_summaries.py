"""Counts of the judgements of each sentence, updated when the list of sentences is opened.

Counting the judgements of 100,000 sentences for each sort and filter would take seconds. Nothing in
results is computed from these tables, and they can be filled again at any time.
"""

from django.db import models


class SentenceSummary(models.Model):
    """Counts of one sentence to judge that has a submission or a skip.

    A further row of a sheet has the counts of its head, but agreement of its own. `agree` of
    `compared` are comparisons of two candidates by pairs of judgements of the same
    segment by different annotators; see `agreement`.
    """

    sentence = models.OneToOneField(
        "annotation.Sentence", on_delete=models.CASCADE, primary_key=True, related_name="summary"
    )
    # The latest submission that was counted; 0 if there was none.
    submission = models.BigIntegerField(default=0)
    # Different annotators whose judgements count.
    judges = models.PositiveIntegerField(default=0)
    # Assignments submitted as one of the project's judges per sentence, of this version.
    done = models.PositiveIntegerField(default=0)
    candidate_version = models.PositiveSmallIntegerField(default=1)
    skips = models.PositiveIntegerField(default=0)
    last_judged = models.DateTimeField(null=True)
    agree = models.PositiveIntegerField(default=0)
    compared = models.PositiveIntegerField(default=0)
    # agree / compared; null where nothing is compared.
    agreement = models.FloatField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(agree__lte=models.F("compared")),
                name="sentence_summary_agrees_on_what_is_compared",
            ),
            models.CheckConstraint(
                condition=models.Q(compared=0, agreement__isnull=True)
                | models.Q(compared__gt=0, agreement__gte=0, agreement__lte=1),
                name="sentence_summary_agreement_is_a_share",
            ),
        ]

    def __str__(self) -> str:
        return f"summary of sentence {self.sentence_id}"


class SummarisedProject(models.Model):
    """Up to where the sentences of a project are counted."""

    project = models.OneToOneField(
        "annotation.Project",
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="summarised",
    )
    # The latest submission and the latest skip of all projects when it was counted.
    submission = models.BigIntegerField(default=0)
    skip = models.BigIntegerField(default=0)
    # `Project.counts_changed` when all its sentences were counted.
    counts_changed = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"summaries of project {self.project_id}"
