"""Small tables of assessments, written as rows."""

from collections.abc import Sequence

import numpy as np

from evaluation.stats.assessment.items import Assessments, ItemType

TYPES = {"": ItemType.OUTPUT, "=": ItemType.REPEAT, "ref": ItemType.REFERENCE}
TYPES["bad"] = ItemType.DEGRADED


def assessments(
    rows: Sequence[str], *, batch_seconds: Sequence[float] = (), standardised: bool = False
) -> Assessments:
    """Return assessments from rows `annotator/batch system segment score [= | ref | bad]`."""
    fields = [[*row.split(), ""][:5] for row in rows]
    annotators, batches = ([field[0].split("/")[place] for field in fields] for place in (0, 1))
    owners = [f"{owner}/{batch}" for owner, batch in zip(annotators, batches, strict=True)]
    names, codes = [], []
    for column in (
        annotators,
        [field[1] for field in fields],
        [field[2] for field in fields],
        owners,
    ):
        known = list(dict.fromkeys(column))
        names.append(tuple(known))
        codes.append(np.array([known.index(each) for each in column], dtype=np.int32))
    count = len(rows)
    times = batch_seconds or [np.nan] * len(names[3])
    return Assessments(
        language_pairs=("cs-en",),
        annotator_names=names[0],
        system_names=names[1],
        segment_names=names[2],
        batch_names=names[3],
        pairs=np.zeros(count, dtype=np.int32),
        annotators=codes[0],
        systems=codes[1],
        segments=codes[2],
        batches=codes[3],
        types=np.array([TYPES[field[4]] for field in fields], dtype=np.int8),
        scores=np.array([float(field[3]) for field in fields]),
        seconds=np.full(count, np.nan),
        order=np.arange(count, dtype=np.int32),
        batch_seconds=np.array(times, dtype=np.float64),
        standardised=standardised,
    )
