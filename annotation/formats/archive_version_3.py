"""Archives of version 3, from before limits of members and what evaluation keeps were in them."""

from typing import Any

from annotation.formats import strict_json
from annotation.formats.archive_evaluation import ReportScheduleRecord, SentenceJudgementRecord
from annotation.formats.archive_reading import CHECKS, from_json
from annotation.formats.archive_records import RECORDS, AccountRecord, Record
from annotation.formats.strict_json import Check

NEW_TAGS = (ReportScheduleRecord.tag, SentenceJudgementRecord.tag)
TAGS = tuple(tag for tag in RECORDS if tag not in NEW_TAGS)
NEW_OF_ACCOUNTS: dict[str, Any] = {"most_sentences": None}


def without(checks: dict[str, Check], new: dict[str, Any]) -> dict[str, Check]:
    """Return the checks of what was there before the new keys came."""
    return {key: check for key, check in checks.items() if key not in new}


ACCOUNT_3 = without(CHECKS["account"], NEW_OF_ACCOUNTS)


def from_version_3(tag: str, value: Any, where: str) -> Record:
    """Return what the record is today. Raise InputError."""
    if tag == "account":
        return AccountRecord(**strict_json.record(value, where, ACCOUNT_3), **NEW_OF_ACCOUNTS)
    return from_json(tag, value, where)
