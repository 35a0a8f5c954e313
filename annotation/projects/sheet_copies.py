"""Control and practice sheets whose texts and answers are given."""

from collections.abc import Mapping

from annotation.kinds.answers import Answer as Asked
from annotation.models import Answer, Candidate, Control, ExpectedPlacement, Sentence
from annotation.projects.options import CampaignGold
from annotation.projects.sentence_copies import copy_sentence


def store_control_sheet(
    head: Sentence, changed: Mapping[int, str], *, beside: bool, message: str = ""
) -> Sentence:
    """Store a control copy of the sheet with worse texts, by the candidates that they are of.

    They stand `beside` these, or in their place, where annotators judge these elsewhere. An
    annotator who does not tell them apart beside each other is told `message`. The caller holds a
    lock on the project.
    """
    copied = copy_sentence(head, Sentence.Purpose.CONTROL)
    for pk, text in changed.items():
        original = copied.candidates[pk]
        Control.objects.create(
            segment=original.segment,
            kind=Control.Kind.DEGRADED,
            original=original,
            changed=Candidate.objects.create(segment=original.segment, text=text),
            message=message,
        )
        if not beside:
            original.excluded = True
            original.save(update_fields=["excluded"])
    return copied.sentence


def store_practice_sheet(
    head: Sentence, gold: Mapping[int, CampaignGold], asked: Asked
) -> Sentence | None:
    """Store a practice copy of the sheet with the gold answers of all its candidates.

    Stores nothing, and returns None, if a candidate has no answer. The caller holds a lock on the
    project.
    """
    copied = copy_sentence(head, Sentence.Purpose.PRACTICE)
    answers: dict[int, Answer] = {}
    for pk, candidate in copied.candidates.items():
        answer = answers.get(candidate.segment_id)
        if answer is None:
            answer = answers[candidate.segment_id] = Answer.objects.create(
                segment=candidate.segment, explanation=gold[pk].explanation
            )
        ExpectedPlacement.objects.create(
            answer=answer,
            candidate=candidate,
            rank=gold[pk].rank,
            ranks_offered=asked.ranks(len(copied.candidates)),
            detail=asked.kept_detail(gold[pk].detail, gold[pk].rank),
        )
    return copied.sentence
