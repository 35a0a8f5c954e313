"""Control sentences of projects that show one translation at a time.

Each shows a degraded output, or the reference in place of an output. The output that is copied is
stored beside it and not shown: annotators judge it elsewhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from django.db.models import Max

from annotation.formats.tokens import TokenizedText
from annotation.models import Candidate, Control, Project, Segment, Sentence
from annotation.preparation.degradation import degrade_output
from annotation.projects.references import copy_references, references_of
from annotation.projects.tokens import target_tokenizer


@dataclass(frozen=True)
class Output:
    """The only candidate of a sentence, as text; `reference` is the first, "" for none."""

    sentence: Sentence
    positions: str
    text: str
    reference: str


def outputs_of(sentences: Sequence[Sentence]) -> dict[int, Output]:
    """Return the outputs of the sentences to judge, by id. Two queries."""
    by_id = {sentence.pk: sentence for sentence in sentences}
    references = {pk: rows[0].text for pk, rows in references_of(by_id).items()}
    rows = Candidate.objects.filter(segment__sentence__in=by_id, excluded=False).order_by("pk")
    return {
        pk: Output(by_id[pk], positions, text, references.get(pk, ""))
        for pk, positions, text in rows.values_list(
            "segment__sentence", "segment__token_indices", "text"
        )
    }


def changed_text(
    project: Project, output: Output, kind: Control.Kind, pool: Sequence[TokenizedText], rng: Random
) -> str:
    """Return what a control sentence of this kind shows, "" if that is impossible.

    `pool` are texts in the target language, whose words replace some of a degraded output's.
    """
    if kind == Control.Kind.REFERENCE:
        return output.reference
    return degrade_output(target_tokenizer(project)(output.text), pool, rng)


def store_controls(
    project: Project, new: Sequence[tuple[Output, Control.Kind, str]]
) -> list[Sentence]:
    """Store a control sentence for each output and the text that it shows; return the sentences.

    The caller holds a lock on the project, so that numbers stay unique.
    """
    of_purpose = Sentence.objects.filter(project=project, purpose=Sentence.Purpose.CONTROL)
    last = of_purpose.aggregate(last=Max("number"))["last"] or 0
    sentences = Sentence.objects.bulk_create(
        Sentence(
            project=project,
            purpose=Sentence.Purpose.CONTROL,
            number=number,
            copy_of=output.sentence,
            text=output.sentence.text,
            tokens=output.sentence.tokens,
        )
        for number, (output, _kind, _text) in enumerate(new, start=last + 1)
    )
    copies = list(zip(sentences, new, strict=True))
    copy_references((sentence, output.sentence.pk) for sentence, (output, _kind, _text) in copies)
    segments = Segment.objects.bulk_create(
        Segment(sentence=sentence, token_indices=output.positions)
        for sentence, (output, _kind, _text) in copies
    )
    hidden = Candidate.objects.bulk_create(
        Candidate(segment=segment, text=output.text, excluded=True)
        for segment, (_sentence, (output, _kind, _text)) in zip(segments, copies, strict=True)
    )
    shown = Candidate.objects.bulk_create(
        Candidate(segment=segment, text=text, is_duplicate=text == output.text)
        for segment, (_sentence, (output, _kind, text)) in zip(segments, copies, strict=True)
    )
    Control.objects.bulk_create(
        Control(segment=segment, kind=kind, original=original, changed=changed)
        for segment, original, changed, (_sentence, (_output, kind, _text)) in zip(
            segments, hidden, shown, copies, strict=True
        )
    )
    return sentences
