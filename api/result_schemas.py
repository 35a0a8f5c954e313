"""Answers whose schema is that of the types of findings."""

from typing import Any, Final

import msgspec

from evaluation.findings.annotator_models import AnnotatorModels
from evaluation.findings.metrics import MetricsReport
from evaluation.findings.plan import Plan
from evaluation.findings.report import Report
from evaluation.findings.sentence_level import SentenceLevelReport
from evaluation.findings.statistics import ProjectStatistics
from evaluation.services.rankings import RankingNow

# The types that answers have; what is in them follows.
ANSWERED: Final[tuple[type, ...]] = (
    Report,
    MetricsReport,
    RankingNow,
    AnnotatorModels,
    ProjectStatistics,
    SentenceLevelReport,
    Plan,
)
# Serializers have components of the same names.
PREFIX: Final = "Finding"
TEMPLATE: Final = f"#/components/schemas/{PREFIX}{{name}}"


def schema_of(type_: type) -> dict[str, Any]:
    """Return the schema of an answer of this type, one of ANSWERED: where its component is."""
    return {"$ref": TEMPLATE.format(name=type_.__name__)}


def components() -> dict[str, Any]:
    """Return the schemas to which those of answers refer, by name."""
    _schemas, found = msgspec.json.schema_components(
        ANSWERED, ref_template=TEMPLATE, schema_hook=lambda _array: {"type": "array", "items": {}}
    )
    return {f"{PREFIX}{name}": schema for name, schema in found.items()}
