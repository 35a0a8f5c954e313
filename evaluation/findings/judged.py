"""What was judged: the project or the files, how much of it, and what is excluded."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class JudgedProject:
    """The project; `prepared` names the parser and the aligner.

    Of files of judgements, `name` is that of the files, and `prepared` says which they are and how
    they were read; the languages are "" if the format does not name them, and so is `question`,
    what annotators answered, in English. Its sentences can be paragraphs of documents.
    """

    name: str
    source_language: str
    target_language: str
    systems: int
    sentences: int
    segments: int
    candidates: int
    prepared: tuple[str, ...]
    has_paragraphs: bool = False
    question: str = ""


@dataclass(frozen=True)
class Excluded:
    """What administrators excluded from the project; `discarded` are judgements."""

    sentences: int
    segments: int
    candidates: int
    discarded: int


@dataclass(frozen=True)
class Judged:
    """What there is to judge, and how much of it the report covers.

    `sentences_left` have no judgement at all, filters of the report aside. `units` is the number of
    documents or blocks that are judged, None if sentences are sampled. `seconds_per_segment` is the
    mean of all judgements, `seconds_per_sentence` that by the judgements of a sentence, repeats
    included. `narrowed` judgements of undecided systems only come on top, and are in no part but
    `undecided`. `aids` has by the name of each aid how many of the project's judgements were made
    with it and without it, filters of the report aside.
    """

    sentences: int
    sentences_judged: int
    sentences_left: int
    segments: int
    segments_judged: int
    judgements: int
    narrowed: int
    unidentified: int
    seconds_per_segment: float | None
    seconds_per_sentence: float | None
    units: int | None
    aids: dict[str, tuple[int, int]] = field(default_factory=dict)
