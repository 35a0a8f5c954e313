"""What a paper says of a report: a table, figures, method and limits, and their sources, in LaTeX.

`paper.tex` puts the parts together and compiles as it is; each part is for a paper of one's own.
"""

import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from annotation.formats.errors import InputError
from evaluation.findings import (
    assessments,
    conclusions,
    error_points,
    marked_errors,
    ranking,
    scales,
)
from evaluation.findings.report import Report, figures, table
from evaluation.rendering.figures.rendering import draw
from evaluation.rendering.formats import as_latex, latex_escape
from evaluation.rendering.tables import Table
from evaluation.report.files import drawn_figures
from evaluation.report.paper_sentences import PARTS, Sentence, sentences_of
from evaluation.report.sources import SOURCES

EXTENSIONS: Final = ("pdf", "svg")
PAPER: Final = r"""\documentclass[11pt]{article}
\usepackage[utf8]{inputenc}
\usepackage[T1]{fontenc}
\usepackage{booktabs,graphicx,textcomp}
\usepackage[a4paper,margin=2.5cm]{geometry}
\begin{document}
\section*{Human evaluation}
\input{method}
\input{table}
%(figures)s\bibliographystyle{plain}
\bibliography{references}
\end{document}
"""
FIGURE: Final = r"""\begin{figure}
  \centering
  \includegraphics[width=.8\linewidth,height=.8\textheight,keepaspectratio]{figures/%(name)s.pdf}
  \caption{%(caption)s}
  \label{fig:%(name)s}
\end{figure}
"""


def paper_files(report: Report) -> Iterator[tuple[str, bytes]]:
    """Yield name and contents of each file. Raises InputError for a report without a judgement."""
    main = main_table(report)
    if main is None or not report.judged.judgements:
        raise InputError("Nothing is judged, so there is nothing to write a paper about.")
    said = sentences_of(report)
    drawn = dict(drawn_figures(report))
    yield "table.tex", as_latex(main.filled, shrinks=True).encode()
    yield "method.tex", _paragraphs(said, report.signature).encode()
    yield "references.bib", _references(sentence for sentence, _text in said).encode()
    images = draw(list(drawn.values()), list(EXTENSIONS)) if drawn else []
    for name, files in zip(drawn, images, strict=True):
        for extension, image in files.items():
            yield f"figures/{name}.{extension}", image
    captions = {each.name: each.caption for each in figures(report)}
    placed = "".join(
        FIGURE % {"name": name, "caption": latex_escape(str(captions[name]))} for name in drawn
    )
    yield "paper.tex", (PAPER % {"figures": placed}).encode()


def main_table(report: Report) -> Table | None:
    """Return the table of the systems by the score that the report ranks them by."""
    parts = (
        *conclusions.tables(report.conclusions),
        *marked_errors.tables(report.marked_errors),
        *error_points.tables(report.error_points),
        *scales.tables(report.scales),
        *assessments.tables(report.assessments),
        *(ranking.tables(report.ordered_rankings) if report.ordered_rankings else ()),
    )
    return table(report, parts[0].name) if parts else None


def write_paper(report: Report, folder: Path) -> list[Path]:
    """Write the files into a folder that is new or empty, and return their paths.

    All are written to a temporary folder first. Raises InputError if the folder has files, which
    may be edited by now, or cannot be written.
    """
    try:
        if folder.is_dir() and any(folder.iterdir()):
            raise InputError(f"The folder {folder} is not empty: choose another --paper.")
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".paper-", dir=folder.parent) as name:
            new = Path(name, "paper")
            written = []
            for path, contents in paper_files(report):
                (new / path).parent.mkdir(parents=True, exist_ok=True)
                (new / path).write_bytes(contents)
                written.append(folder / path)
            # It replaces an empty folder.
            os.replace(new, folder)
        return written
    except OSError as problem:
        raise InputError(
            f"The folder {folder} cannot be written: {problem.strerror or problem}. Choose another "
            "--paper."
        ) from problem


def _paragraphs(said: Iterable[tuple[Sentence, str]], signature: str) -> str:
    lines = [f"% {latex_escape(signature)}"]
    given = list(said)
    for part in PARTS:
        lines.append(f"\\paragraph{{{part}}}")
        lines += [_cited(text, sentence) for sentence, text in given if sentence.part == part]
    return "\n".join(lines) + "\n"


def _cited(text: str, sentence: Sentence) -> str:
    escaped = latex_escape(text)
    if not sentence.sources:
        return escaped
    return f"{escaped.removesuffix('.')}~\\cite{{{','.join(sentence.sources)}}}."


def _references(sentences: Iterable[Sentence]) -> str:
    keys = sorted({key for sentence in sentences for key in sentence.sources})
    return "".join(f"{SOURCES[key]}\n\n" for key in keys)
