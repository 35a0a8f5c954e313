"""What `manage.py score` scores, by its options, and the scores as files and JSON."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from annotation.formats.errors import InputError
from annotation.formats.file_names import name_for_files
from annotation.formats.languages import pair_name, parse_target_language
from annotation.formats.plain_text import different_lengths, read_lines, read_parallel
from annotation.formats.text_files import is_utf8
from annotation.management.given_texts import GivenTexts, named_files
from annotation.projects.names import find_project
from evaluation.findings.metric_scores import ScoredMetric
from evaluation.findings.serialisation import rounded
from evaluation.formats.metric_scores import metric_score_files
from evaluation.formats.reference_sets import read_reference_sets
from evaluation.metrics.references import References
from evaluation.services.metric_evaluation import language_pair
from evaluation.services.metric_scores import WholeTexts, load_whole_texts


def texts_of_files(options: dict[str, Any], given: GivenTexts) -> tuple[WholeTexts, str, str]:
    """Return the texts, the language pair, and the language of the outputs."""
    source, target = parse_target_language(options["language"])
    outputs = given.of_systems(named_files("output", options["texts"]))
    lines = list(read_parallel({str(n): path for n, path in enumerate(outputs.values())}))
    references: list[list[str]] = [[] for _line in lines]
    have_sets = False
    for path in options["reference"]:
        for text, sets in _read_references(path, given):
            have_sets |= sets is not None
            further = sets or [[line] for line in read_lines(text)]
            if len(further) != len(lines):
                first = next(iter(outputs.values()))
                raise different_lengths(first, len(lines), text, len(further))
            for of_sentence, more in zip(references, further, strict=True):
                of_sentence += more
    # A set says which sentences have no reference; a blank line of a text may be an error.
    scored = [
        place
        for place, of_sentence in enumerate(references)
        if not have_sets or any(text.strip() for text in of_sentence)
    ]
    return (
        WholeTexts(
            systems=tuple(outputs),
            outputs=tuple(
                tuple(lines[place][str(number)] for place in scored)
                for number in range(len(outputs))
            ),
            references=References.by_sentence(references[place] for place in scored),
            sentence_numbers=tuple(place + 1 for place in scored),
            all_sentences=len(lines),
            without_outputs=(),
        ),
        pair_name(source, target),
        target,
    )


def _read_references(
    path: Path, given: GivenTexts
) -> Iterator[tuple[Path, list[list[str]] | None]]:
    """Yield the texts of a file, and the sets of references that they are."""
    # A table is no set; a text in another encoding is copied.
    if os.path.isfile(path) and is_utf8(path) and (sets := read_reference_sets(path)):
        yield path, sets
        return
    for text in given.references([path]):
        yield text, read_reference_sets(text)


def texts_of_project(options: dict[str, Any]) -> tuple[WholeTexts, str, str, str]:
    """Return the texts, the language pair, the language of the outputs, and the project's name."""
    (name, *others) = options["texts"]
    if others or options["language"]:
        raise InputError(
            "Give one project alone, or outputs (NAME=FILE) with --reference FILE and --language."
        )
    project = find_project(name)
    texts = load_whole_texts(project)
    return texts, language_pair(project), project.target_language, name_for_files(project.name)


def score_files(
    metric: ScoredMetric, texts: WholeTexts, pair: str, test_set: str
) -> list[tuple[str, str]]:
    return list(
        metric_score_files(
            metric.name,
            pair=pair,
            test_set=test_set,
            systems=texts.systems,
            of_systems=metric.of_systems,
            sentence_numbers=texts.sentence_numbers,
            of_sentences=metric.of_sentences,
        )
    )


def scores_json(
    scored: list[ScoredMetric], texts: WholeTexts, pair: str, *, sentences: bool
) -> dict[str, Any]:
    """Return the scores with six decimals; `sentences` are numbered as in the project or file."""
    found: dict[str, Any] = {
        "pair": pair,
        "sentences": len(texts.sentence_numbers),
        "all_sentences": texts.all_sentences,
        "references": texts.references.most,
        "without_outputs": list(texts.without_outputs),
        "problems": [str(problem) for problem in texts.problems],
        "metrics": [
            {
                "metric": metric.name,
                "signature": metric.signature,
                "systems": {
                    name: rounded(float(score))
                    for name, score in zip(texts.systems, metric.of_systems, strict=True)
                },
            }
            for metric in scored
        ],
    }
    if sentences:
        found["sentence_numbers"] = list(texts.sentence_numbers)
        for row, metric in zip(found["metrics"], scored, strict=True):
            assert metric.of_sentences is not None
            row["sentences"] = {
                name: [rounded(float(score)) for score in scores]
                for name, scores in zip(texts.systems, metric.of_sentences, strict=True)
            }
    return found
