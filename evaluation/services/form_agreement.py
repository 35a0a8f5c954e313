"""Agreement, times and answers of the forms of WMT07 to WMT09 in a file, without a project."""

from pathlib import Path

from annotation.formats.errors import InputError
from annotation.formats.fingerprints import fingerprint
from annotation.formats.problems import raise_problems
from annotation.formats.wmt_forms import read_screens
from evaluation.findings.form_agreement import FormAgreement, compute
from evaluation.formats.file_kinds import kind_of
from evaluation.services.file_findings import DIGITS


def form_agreement_of_file(path: Path, *, resamples: int, seed: int) -> FormAgreement:
    """Return what annotators agree on and answered.

    Raises InputError, in one sentence for a file of another kind, else with all problems and their
    lines.
    """
    mark = fingerprint(path)
    if kind_of(path).kind != "wmt-forms":
        raise InputError(
            "the file has no forms of WMT07 to WMT09 (a heading TASK,TYPE,ITEM_ID,… is missing): "
            "other kinds are for rank_judgements, score_assessments, score_error_spans and "
            "evaluate_metrics.",
            str(path),
        )
    problems: list[InputError] = []
    # Which ranks are better does not matter for agreement.
    screens = list(read_screens(path, higher_is_better=True, on_error=problems.append))
    raise_problems(problems)
    if not screens:
        raise InputError("the file has a heading, but no screens.", str(path))
    provenance = [f"file {mark.name} sha256 {mark.sha256[:DIGITS]}"]
    return compute(screens, provenance, resamples=resamples, seed=seed)
