"""A project as a test set of mt-metrics-eval: texts, and scores of people and metrics."""

from collections.abc import Collection, Iterable, Sequence
from itertools import chain, count, groupby, pairwise
from pathlib import Path
from string import ascii_uppercase

import numpy as np

from annotation.common.transactions import snapshot
from annotation.formats.file_names import case_of_files, name_for_files
from annotation.formats.ratings import Rating, rater
from annotation.import_export.ratings_export import ratings_of
from annotation.kinds import kind_of
from annotation.kinds.marked_errors import Marking
from annotation.models import Project
from annotation.process import clock
from annotation.projects.instructions import domains_of
from annotation.selectors import project_texts as rows
from annotation.selectors.documents import documents_of_sentences
from evaluation.formats.metrics_eval_folder import (
    ALL_REFERENCES,
    NO_DOMAIN,
    EvalSet,
    eval_set_files,
    write_eval_set,
)
from evaluation.formats.score_tables import Level, ScoreTable
from evaluation.metrics.catalogue import Resources
from evaluation.report.files import zipped
from evaluation.services.human_scores import human_scores
from evaluation.services.metric_evaluation import language_pair
from evaluation.services.metric_scores import load_scored_judgements, load_whole_texts, score_texts
from evaluation.stats.resampling import Floats

# The name of the only reference in the files; several are called refA, refB and so on.
REFERENCE = "ref"


def export_metrics_eval(
    project: Project,
    folder: Path,
    *,
    metrics: Collection[str] = (),
    resources: Resources | None = None,
) -> list[Path]:
    """Write the project as a test set into the folder, and return its files.

    Raises InputError as `eval_set_of` does, and if the format cannot hold the texts or names.
    """
    return write_eval_set(folder, eval_set_of(project, metrics=metrics, resources=resources))


def zipped_metrics_eval(project: Project) -> bytes:
    """Return the project as a test set without metrics, zipped. Raises InputError likewise."""
    files = [
        (f"{name_for_files(project.name)}/{path}", text.encode())
        for path, text in eval_set_files(eval_set_of(project))
    ]
    return zipped(files, clock.now().isoformat())


def eval_set_of(
    project: Project,
    *,
    metrics: Collection[str] = (),
    resources: Resources | None = None,
) -> EvalSet:
    """Return the sentences with a reference as a test set.

    Metrics compare with all references of a sentence; one that a sentence lacks is a blank line.
    People's scores are `human_scores` of the project's kind, None where a system was not judged;
    their signature is beside them. Metrics are those of the catalogue. Raises InputError without a
    reference or outputs.
    """
    with snapshot():
        whole = load_whole_texts(project)
        sentences = {pk: number for pk, number, *_text in rows.sentences(project)}
        texts: dict[int, dict[int, str]] = {}
        for sentence, reference, text, _tokens in rows.references(project):
            texts.setdefault(reference, {})[sentences[sentence]] = text
        judgements = load_scored_judgements(project, whole)
        sources = dict(rows.source_texts(project))
        documents = documents_of_sentences(project)
        domains = domains_of(project, dict.fromkeys(documents.values()))
        marks_errors = isinstance(kind_of(project).answer, Marking)
        rated = list(ratings_of(project)) if marks_errors else []
        people = human_scores(project, judgements)
    numbers = whole.sentence_numbers
    pair = language_pair(project)
    test_set = name_for_files(project.name)
    systems = whole.systems
    names = _names_of_references(len(texts), systems)
    compared_with = names[0] if len(names) == 1 else ALL_REFERENCES
    in_documents = tuple(documents.get(number, "") for number in numbers)
    in_domains = tuple(domains.get(name) or NO_DOMAIN for name in in_documents)
    changes = [one != other for one, other in pairwise(in_documents)]
    block_of = np.cumsum([0, *changes]).tolist() if numbers else []
    items: dict[Level, tuple[str, ...]] = {
        "seg": tuple(map(str, range(1, len(numbers) + 1))),
        "doc": tuple(name for name, _places in groupby(in_documents)),
        "domain": tuple(sorted(set(in_domains))),
    }

    def table(level: Level, name: str, scores: Floats, reference: str = "") -> ScoreTable:
        return ScoreTable(
            pair=pair,
            test_set=test_set,
            level=level,
            metrics=(name,),
            systems=systems,
            items=items.get(level, ()),
            scores=scores[None],
            reference=reference,
        )

    place = {number: column for column, number in enumerate(judgements.sentence_numbers.tolist())}
    columns = np.array([place.get(number, -1) for number in numbers], dtype=np.intp)
    row_of = {name: row for row, name in enumerate(judgements.system_names)}
    human = []
    for scores in people:
        of_systems = np.full(len(systems), np.nan)
        of_segments = np.full((len(systems), len(numbers)), np.nan)
        for row, name in enumerate(whole.systems):
            if name in row_of and len(judgements):
                of_systems[row] = scores.of_systems[row_of[name]]
                judged = scores.of_sentences[row_of[name]][columns]
                of_segments[row] = np.where(columns >= 0, judged, np.nan)
        human += [table("sys", scores.name, of_systems), table("seg", scores.name, of_segments)]
        if any(in_documents):
            human.append(
                table("doc", scores.name, _means(of_segments, block_of, len(items["doc"])))
            )
        if any(domains.values()):
            places = [items["domain"].index(name) for name in in_domains]
            human.append(
                table("domain", scores.name, _means(of_segments, places, len(items["domain"])))
            )
    scored = score_texts(
        whole,
        project.target_language,
        metrics,
        systems=whole.systems,
        sentence_numbers=numbers,
        resources=resources,
    )
    tables = []
    for metric in scored:
        tables.append(table("sys", metric.name, metric.of_systems, compared_with))
        if metric.of_sentences is not None:
            tables.append(table("seg", metric.name, metric.of_sentences, compared_with))
    return EvalSet(
        test_set=test_set,
        pair=pair,
        source=tuple(sources[number] for number in numbers),
        references={
            name: tuple(of_sentences.get(number, "") for number in numbers)
            for name, of_sentences in zip(names, texts.values(), strict=True)
        },
        outputs=dict(zip(systems, whole.outputs, strict=True)),
        documents=in_documents,
        domains=in_domains,
        human=tuple(human),
        signatures={scores.name: str(scores.signature) for scores in people},
        ratings=_ratings(rated, people[0].name, systems, numbers) if people else {},
        metrics=tuple(tables),
    )


def _means(of_segments: Floats, places: Sequence[int], size: int) -> Floats:
    """Return systems × documents or domains, whose places are those of segments; NaN for none."""
    known = ~np.isnan(of_segments)
    sums, counts = np.zeros((2, len(of_segments), size))
    for place, column in zip(places, range(of_segments.shape[1]), strict=True):
        sums[:, place] += np.where(known[:, column], of_segments[:, column], 0)
        counts[:, place] += known[:, column]
    return np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)


def _ratings(
    rated: Iterable[Rating], name: str, systems: Sequence[str], numbers: Sequence[int]
) -> dict[str, dict[str, list[Rating | None]]]:
    """Return the ratings of each annotator, under the name of the scores, by system."""
    place = {number: column for column, number in enumerate(numbers)}
    found: dict[str, dict[str, list[Rating | None]]] = {}
    for one in rated:
        if one.line in place:
            of_annotator = found.setdefault(
                f"{name}.{rater(one.annotator)}",
                {system: [None] * len(numbers) for system in systems},
            )
            of_annotator[one.system][place[one.line]] = one
    return found


def _names_of_references(references: int, systems: Collection[str]) -> list[str]:
    """Return names of the references, with a number where a system is called so."""
    letters = [""] if references == 1 else [*ascii_uppercase, *map(str, range(27, references + 1))]
    taken = {case_of_files(name_for_files(name)) for name in systems}
    found = []
    for letter in letters[:references]:
        name = f"{REFERENCE}{letter}"
        names = chain([name], (f"{name}{number}" for number in count(2)))
        found.append(next(one for one in names if case_of_files(one) not in taken))
    return found
