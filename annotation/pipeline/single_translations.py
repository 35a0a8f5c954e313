"""Sentences that are judged one translation at a time: each different translation is a row.

The first translation of a line stays with the line's own sentence. Each further one gets a sentence
of its own, whose number is that of the line plus a multiple of the number of lines: in the order of
numbers, translations of one line are as far apart as possible.
"""

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from django.db.models import Count, Max

from annotation.models import (
    Candidate,
    Project,
    Projection,
    Segment,
    Sentence,
    System,
    Translation,
)
from annotation.preparation.projection import merge
from annotation.projects.references import copy_references

# A different translation of a line, and the systems that produced it.
Produced = tuple[Sentence, str, Sequence[System]]


def line_count(project: Project) -> int:
    """Return the number of lines of the source."""
    lines = project.sentences.filter(purpose=Sentence.Purpose.JUDGE, source_line=None)
    return lines.aggregate(last=Max("number"))["last"] or 0


def divide(
    segments: Iterable[Segment],
    texts: Mapping[int, Mapping[str, str]],
    systems: Mapping[str, System],
    lines: int,
    *,
    each_system: bool = False,
) -> None:
    """Store the candidates and projections of whole segments, and sentences for further ones.

    `segments` have their sentences; `texts` are the systems' translations by segment id, "" for
    none. With `each_system`, equal ones are apart. Which translation of a line comes first is
    random, the same for each try. The caller is in a transaction.
    """
    candidates: list[Candidate] = []
    projections: list[Projection] = []
    further: list[Produced] = []
    for segment in segments:
        of_line = texts[segment.pk]
        found = (
            [(text, [name]) for name, text in of_line.items() if text]
            if each_system
            else list(merge(of_line).items())
        )
        Random(segment.sentence.number).shuffle(found)  # noqa: S311 - an order, not a secret
        missing = [name for name in systems if not of_line.get(name)]
        projections += [Projection(segment=segment, system=systems[name]) for name in missing]
        if not found:
            continue
        first, names = found[0]
        candidates.append(Candidate(segment=segment, text=first))
        projections += [
            Projection(segment=segment, system=systems[name], candidate=candidates[-1])
            for name in names
        ]
        further += [
            (segment.sentence, text, [systems[name] for name in of_text])
            for text, of_text in found[1:]
        ]
    Candidate.objects.bulk_create(candidates)
    Projection.objects.bulk_create(projections)
    add_further(further, lines)


def add_further(further: Sequence[Produced], lines: int) -> None:
    """Store a sentence for each of these translations. The caller is in a transaction."""
    originals = {line.pk: line for line, _text, _systems in further}
    if not originals:
        return
    project = next(iter(originals.values())).project_id
    rows = Sentence.objects.filter(
        project=project, source_line__in=[line.number for line in originals.values()]
    )
    counted = rows.order_by().values("source_line").annotate(rows=Count("pk"))
    taken = dict(counted.values_list("source_line", "rows"))
    sentences = []
    for line, _text, _systems in further:
        taken[line.number] = taken.get(line.number, 0) + 1
        sentences.append(
            Sentence(
                project_id=project,
                number=line.number + taken[line.number] * lines,
                source_line=line.number,
                document=line.document,
                item_id=line.item_id,
                text=line.text,
                tokens=line.tokens,
            )
        )
    Sentence.objects.bulk_create(sentences)
    copy_references(
        (sentence, line.pk)
        for sentence, (line, _text, _systems) in zip(sentences, further, strict=True)
    )
    segments = Segment.objects.bulk_create(
        Segment(sentence=sentence, token_indices=" ".join(map(str, range(len(tokens)))))
        for sentence in sentences
        for tokens in [sentence.tokenized]
    )
    candidates = Candidate.objects.bulk_create(
        Candidate(segment=segment, text=text)
        for segment, (_line, text, _systems) in zip(segments, further, strict=True)
    )
    Projection.objects.bulk_create(
        Projection(segment=segment, system=system, candidate=candidate)
        for segment, candidate, (_line, _text, systems) in zip(
            segments, candidates, further, strict=True
        )
        for system in systems
    )


def delete_further(project: Project, first: int, last: int) -> None:
    """Delete the sentences with further translations of these lines; none of them is judged."""
    further = Sentence.objects.filter(project=project, source_line__range=(first, last))
    Projection.objects.filter(segment__sentence__in=further).delete()
    Candidate.objects.filter(segment__sentence__in=further).delete()
    Segment.objects.filter(sentence__in=further).delete()
    Translation.objects.filter(sentence__in=further).delete()
    further.delete()


def add_system(project: Project, system: System, texts: Mapping[int, str]) -> tuple[int, int]:
    """Store what the system has for these lines, by the id of their sentences; "" is nothing.

    A translation that another system has too is known, and judgements of it count for this system.
    Returns how many are known and how many new. The caller is in a transaction, and has locked the
    sentences.
    """
    lines = {row.pk: row for row in Sentence.objects.filter(pk__in=list(texts))}
    numbers = {row.number: pk for pk, row in lines.items()}
    known: dict[tuple[int, str], Candidate] = {}
    of_lines = Candidate.objects.filter(
        segment__sentence__project=project, segment__sentence__purpose=Sentence.Purpose.JUDGE
    ).select_related("segment__sentence")
    own = of_lines.filter(segment__sentence__in=list(lines))
    further = of_lines.filter(segment__sentence__source_line__in=list(numbers))
    for candidate in (*own, *further):
        sentence = candidate.segment.sentence
        known[numbers[sentence.source_line or sentence.number], candidate.text] = candidate
    segments = {row.sentence_id: row for row in Segment.objects.filter(sentence__in=list(lines))}
    begun = {line for line, _text in known}
    projections: list[Projection] = []
    firsts: list[Candidate] = []
    new: list[Produced] = []
    for pk, text in texts.items():
        if not text:
            projections.append(Projection(segment=segments[pk], system=system))
        elif same := known.get((pk, text)):
            projections.append(Projection(segment=same.segment, system=system, candidate=same))
        elif pk in begun:
            new.append((lines[pk], text, [system]))
        else:
            # No system had a translation of this line.
            firsts.append(Candidate(segment=segments[pk], text=text))
            projections.append(
                Projection(segment=segments[pk], system=system, candidate=firsts[-1])
            )
    Candidate.objects.bulk_create(firsts)
    Projection.objects.bulk_create(projections)
    add_further(new, line_count(project))
    created = len(new) + len(firsts)
    return sum(bool(text) for text in texts.values()) - created, created
