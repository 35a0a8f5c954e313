"""Candidates of unseen systems, taken from their outputs: whole, or by word alignment."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from annotation.formats.errors import InputError
from annotation.formats.pharaoh import Links
from annotation.formats.tokens import TokenizedText
from annotation.models import Project, Translation
from annotation.pipeline.system_outputs import Output
from annotation.pipeline.word_alignment import align_outputs, aligner_of, aligner_provenance
from annotation.preparation.projection import AlignedPair, visible
from annotation.preparation.tokens import keys
from annotation.projects.provenance import provenance_of
from annotation.projects.tokens import candidate_words
from evaluation.reuse.project_texts import ProjectTexts


@dataclass(frozen=True)
class OutputFiles:
    """Outputs of new systems by name, their links (Pharaoh) by name, and how to read them.

    `tokenized` means that the outputs are tokenised already; `effort` is that of the aligner, by
    default the project's.
    """

    outputs: Mapping[str, Path]
    links: Mapping[str, Path]
    tokenized: bool = False
    effort: str = ""


class WholeOutputs:
    """The candidate of a sentence is the output."""

    def check(self, files: OutputFiles) -> None:
        """Raise InputError for word alignments that are not used."""
        if files.links:
            raise InputError("Whole sentences are not aligned: leave out --alignment.")

    def origin(self, project: Project, files: OutputFiles) -> list[str]:
        """Return how the candidates are taken, for a signature. Raises InputError."""
        return []

    def candidates(
        self,
        project: Project,
        texts: ProjectTexts,
        name: str,
        rows: Sequence[Output],
        files: OutputFiles,
    ) -> list[str]:
        """Return the system's candidate for each segment of the texts, "" where it has none."""
        targets = _targets(texts, rows)
        words_of = candidate_words(project)
        return [
            words_of(visible(targets[code].text)) if code in targets else ""
            for code in texts.segment_sentences.tolist()
        ]


class AlignedOutputs:
    """The candidate of a segment is what its words are aligned with in the output.

    Methods are those of `WholeOutputs`.
    """

    def check(self, files: OutputFiles) -> None:
        """Accept all: word alignments that are not given are computed."""

    def origin(self, project: Project, files: OutputFiles) -> list[str]:
        origin = ["links given"] if files.links else []
        if any(name not in files.links for name in files.outputs):
            aligner = aligner_provenance(aligner_of(project, files.effort))
            seeded = f"seed {aligner.seed}" if aligner.seed else ""
            parts = ("aligned by", str(aligner), aligner.effort, seeded)
            origin.append(" ".join(part for part in parts if part))
        return origin

    def candidates(
        self,
        project: Project,
        texts: ProjectTexts,
        name: str,
        rows: Sequence[Output],
        files: OutputFiles,
    ) -> list[str]:
        targets = _targets(texts, rows)
        words_of = candidate_words(project)
        if name in files.links:
            given = [Links.stored(row.links) for row in rows]
            links = dict(zip(targets, given, strict=True))
        else:
            others = Translation.objects.filter(sentence__project=project).exclude(
                system__name=name
            )
            pairs = [
                (row.sentence, (keys(texts.sources[code]), keys(target.words)))
                for row, (code, target) in zip(rows, targets.items(), strict=True)
            ]
            found = align_outputs(project, pairs, others, effort=files.effort)
            links = dict(zip(targets, found, strict=True))
        rule = provenance_of(project).projection
        aligned = {
            code: AlignedPair(texts.sources[code], target, links[code])
            for code, target in targets.items()
        }
        return [
            words_of(rule.project(positions, aligned[code]).text) if code in aligned else ""
            for code, positions in zip(
                texts.segment_sentences.tolist(), texts.segment_positions, strict=True
            )
        ]


def _targets(texts: ProjectTexts, rows: Sequence[Output]) -> dict[int, TokenizedText]:
    """Return the output of each sentence by its code, in the order of the rows."""
    codes = {number: code for code, number in enumerate(texts.sentence_numbers.tolist())}
    return {codes[row.number]: row.target for row in rows}
