"""Unseen systems: their outputs against what people judged; nothing is stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from annotation.common.transactions import snapshot
from annotation.formats.errors import InputError
from annotation.formats.names import check_system_name, is_reference_name
from annotation.formats.tokens import TokenizedText
from annotation.models import Project
from annotation.pipeline.system_outputs import read_outputs, require_prepared
from annotation.projects.tokens import candidate_words
from annotation.selectors import project_texts as rows
from evaluation.findings.evidence import AskedScale
from evaluation.formats.candidate_files import read_candidates
from evaluation.reuse.correction import observe
from evaluation.reuse.matching import Matches, leave_one_out, match_system
from evaluation.reuse.prediction import LeftOut, Prediction, predict_system, with_system
from evaluation.reuse.prediction import leave_one_out as predict_left_out
from evaluation.reuse.project_texts import ProjectTexts, Tokens
from evaluation.reuse.segranks_bleu import ScoredOutputs, score_outputs
from evaluation.reuse.stored_answers import (
    ReusedAnswers,
    StoredAnswers,
    leave_systems_out,
    reuse_answers,
    stored_answers,
)
from evaluation.reuse.system_effect import SystemEffect, measure_effect
from evaluation.services.findings import provenance
from evaluation.services.kinds import answer_of, compares_candidates, unit_of
from evaluation.services.loading import load
from evaluation.services.output_candidates import OutputFiles
from evaluation.services.project_texts import load_texts
from evaluation.stats.judgements import Judgements
from evaluation.stats.ranking.systems import rank_by_ratio_of_wins


@dataclass(frozen=True)
class UnseenSystems:
    """Judgements and texts of a project, and new systems to be judged by them.

    Raises InputError, when they are used, for a project in which nothing can be compared.
    """

    project: Project

    @property
    def judgements(self) -> Judgements:
        return self._loaded[0]

    @property
    def texts(self) -> ProjectTexts:
        return self._loaded[1]

    @cached_property
    def _loaded(self) -> tuple[Judgements, ProjectTexts]:
        """Judgements and texts of one state of the database: a system may be added meanwhile."""
        require_prepared(self.project)
        if not compares_candidates(self.project):
            raise InputError(
                f"Annotators of {self.project.name!r} judged single translations, and their scores "
                "cannot be used for other systems: use `manage.py score` with a metric that agrees "
                "with the scores by `manage.py evaluate_metrics`."
            )
        with snapshot():
            judgements, texts = load(self.project), load_texts(self.project)
        if not len(judgements):
            raise InputError(
                f"People have not judged any segment of {self.project.name!r}: there is nothing by "
                "which other systems could be judged."
            )
        if len(judgements.system_names) < 2:
            raise InputError(
                f"The project {self.project.name!r} has fewer than two known systems, so its "
                "judgements compare none: import it with --systems FILE."
            )
        return judgements, texts

    @cached_property
    def left_out(self) -> list[Matches]:
        """Each system of the project, matched as if people had not ranked it."""
        return leave_one_out(self.judgements, self.texts)

    @property
    def provenance(self) -> list[str]:
        return provenance(self.project)

    def match(self, candidates: Mapping[str, Sequence[str]]) -> list[Matches]:
        """Match systems with these candidates, one for each segment, "" where they have none."""
        return [
            match_system(self.judgements, self.texts, name, of_system)
            for name, of_system in candidates.items()
        ]

    @property
    def scale(self) -> AskedScale:
        """How candidates were judged by themselves."""
        return answer_of(self.project).scale

    @cached_property
    def stored_answers(self) -> StoredAnswers:
        """The answers about all candidates. Raises InputError if there is no scale."""
        if not self.scale.steps:
            raise InputError(
                f"The candidates of {self.project.name!r} are ranked, so there are no answers on a "
                "scale: choose another --method."
            )
        return stored_answers(self.judgements, self.texts, self.scale.grades)

    def reuse_answers(self, candidates: Mapping[str, Sequence[str]]) -> list[ReusedAnswers]:
        """Return what stored answers say of systems with these candidates, one for each segment.

        A system of the project with the same name is left out. Raises InputError without a scale.
        """
        return [
            reuse_answers(self.stored_answers, name, of_system, without=name)
            for name, of_system in candidates.items()
        ]

    @cached_property
    def answers_left_out(self) -> list[ReusedAnswers]:
        """Each system of the project, by the answers about the others. Raises InputError."""
        return leave_systems_out(self.stored_answers)

    def predict(self, candidates: Mapping[str, Sequence[str]]) -> list[Prediction]:
        """Predict the ratio of wins of systems with these candidates, each alone.

        Raises InputError for the name of a system of the project, and where too few are judged.
        """
        judgements, texts = self.judgements, self.texts
        return [
            predict_system(judgements, with_system(texts, name, of_system), name)
            for name, of_system in candidates.items()
        ]

    def effect_of(self, name: str) -> SystemEffect:
        """Return how far a judged system of the project is off its prediction.

        Raises InputError for an unknown system, and where too little of it is judged.
        """
        judgements, texts = self.judgements, self.texts
        if name not in judgements.system_names:
            raise InputError(
                f"The project {self.project.name!r} has no judged system {name!r}: check the name."
            )
        prediction = predict_system(judgements, texts, name)
        return measure_effect(prediction, observe(judgements, texts, name))

    @property
    def predicted_left_out(self) -> tuple[LeftOut, ...]:
        """Each system of the project, predicted as if people had not ranked it."""
        return predict_left_out(self.judgements, self.texts)

    def candidates_of_outputs(self, files: OutputFiles) -> dict[str, list[str]]:
        """Return the candidates of outputs, by alignments as those of the project's systems.

        Raises InputError where the lines do not fit the project, or it has no alignments.
        """
        self._check(files)
        found = {}
        texts, taken = self.texts, unit_of(self.project).outputs
        has_outputs = any(any(lines) for lines in texts.outputs)
        for name, path in files.outputs.items():
            if name not in files.links and not has_outputs:
                raise InputError(
                    f"The project {self.project.name!r} has ready-made candidates, and not the "
                    "sentences from which they were taken, so nothing says how to take candidates "
                    f"from {path}: give word alignments, --alignment {name}=FILE, or candidates, "
                    "--candidates FILE. Only --method segranks-bleu needs neither."
                )
            rows = list(
                read_outputs(self.project, path, files.links.get(name), tokenized=files.tokenized)
            )
            found[name] = taken.candidates(self.project, texts, name, rows, files)
        return found

    def origin(self, files: OutputFiles) -> list[str]:
        """Return how the candidates of outputs are taken, for a signature. Raises InputError."""
        return unit_of(self.project).outputs.origin(self.project, files)

    def candidates_of_file(self, path: Path) -> dict[str, list[str]]:
        """Return the candidates of the systems of a file. Raises InputError, with file and line."""
        texts = self.texts
        segments = [
            (int(texts.sentence_numbers[sentence]), positions)
            for sentence, positions in zip(
                texts.segment_sentences.tolist(), texts.segment_positions, strict=True
            )
        ]
        sources = {
            number: TokenizedText.stored(text, places)
            for _pk, number, text, places in rows.sentences(self.project)
        }
        words_of = candidate_words(self.project)
        return {
            name: [words_of(known.get(segment, "")) for segment in segments]
            for name, known in read_candidates(path, sources, set(segments)).items()
        }

    @property
    def ratios(self) -> dict[str, float | None]:
        """The ratio of wins of each system of the project."""
        ranking = rank_by_ratio_of_wins(self.judgements)
        return {result.system: result.ratio_of_wins for result in ranking.systems}

    def score_outputs(self, files: OutputFiles) -> ScoredOutputs:
        """Return BLEU and SegRanksBLEU of outputs; without files, of the project's own systems.

        Raises InputError without a reference or outputs.
        """
        self._check(files)
        judgements, texts = self.judgements, self.texts
        if not any(texts.references):
            raise InputError(
                f"The project {self.project.name!r} has no reference, with which BLEU compares."
            )
        outputs: dict[str, Sequence[Tokens]] = {}
        if files.outputs:
            for name, path in files.outputs.items():
                rows = read_outputs(self.project, path, None, tokenized=files.tokenized)
                words = {row.number: tuple(row.target.words) for row in rows}
                outputs[name] = [words.get(n, ()) for n in texts.sentence_numbers.tolist()]
        else:
            outputs |= zip(texts.system_names, texts.outputs, strict=True)
            if not any(any(lines) for lines in texts.outputs):
                raise InputError(
                    f"The project {self.project.name!r} has ready-made candidates, and not the "
                    "sentences of its systems: give these as NAME=FILE."
                )
        return score_outputs(judgements, texts, outputs)

    def _check(self, files: OutputFiles) -> None:
        for name in files.outputs:
            check_system_name(name, "The system")
            if is_reference_name(name):
                raise InputError(f"No system can be called {name!r}: that is a human translation.")
        unit_of(self.project).outputs.check(files)
        unknown = [name for name in files.links if name not in files.outputs]
        if unknown:
            raise InputError(
                f"--alignment names the system {unknown[0]!r}, for which there are no outputs: "
                f"give {unknown[0]}=FILE too."
            )
