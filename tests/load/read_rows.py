"""Rows and blocks that statements read, from the log that PostgreSQL's auto_explain writes.

Processes whose environment has `EXPLAINED` write the plan of each statement that they execute,
also of cursors and of statements that write, with the figures of its execution. `Server` is a
PostgreSQL whose log is read here, operation by operation: the name of the connection is that of
the operation.
"""

import json
import re
import time
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tests.services import OwnPostgreSQL

# Of a machine with 8 GB that has nothing but the database.
SETTINGS: Final = {
    "shared_buffers": "2GB",
    "effective_cache_size": "6GB",
    "maintenance_work_mem": "512MB",
    "random_page_cost": "1.1",
    "synchronous_commit": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_wal_size": "16GB",
    "checkpoint_timeout": "1h",
    "logging_collector": "on",
    "log_destination": "jsonlog",
    "log_filename": "log",
    "log_rotation_age": "0",
    "log_rotation_size": "0",
}
EXPLAINED: Final = {
    "PGOPTIONS": " ".join(
        f"-c {name}={value}"
        for name, value in {
            "session_preload_libraries": "auto_explain",
            "auto_explain.log_min_duration": "0",
            "auto_explain.log_analyze": "on",
            "auto_explain.log_buffers": "on",
            "auto_explain.log_timing": "off",
            "auto_explain.log_format": "json",
        }.items()
    )
}
LOGGED_WITHIN: Final = 1.0
PLAN: Final = re.compile(r"duration: [\d.]+ ms +plan:\n(.*)", re.DOTALL)


@dataclass
class Read:
    """What an operation reads: rows that scans of tables looked at, and blocks that it touched.

    `statements` has rows by the tables of a statement.
    """

    rows: int = 0
    blocks: int = 0
    statements: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, plan: Mapping[str, Any]) -> None:
        rows = _rows(plan["Plan"])
        self.rows += rows
        self.blocks += plan["Plan"]["Shared Hit Blocks"] + plan["Plan"]["Shared Read Blocks"]
        self.statements[_described(plan["Query Text"])] += rows

    @property
    def largest(self) -> str:
        """The statement that reads most, with its rows."""
        if not self.statements:
            return ""
        name = max(self.statements, key=lambda each: self.statements[each])
        return f"{name} {self.statements[name]:,}"


class Server(OwnPostgreSQL):
    """A PostgreSQL with the settings of a small server, whose log has plans."""

    def read_since(self, start: int) -> dict[str, Read]:
        """Return what each operation has read since the log had so many bytes."""
        # A process of its own writes the log.
        time.sleep(LOGGED_WITHIN)
        return read_by_operation(self.log, start)

    @property
    def log(self) -> Path:
        return self.folder / "log.json"

    def _command(self) -> list[str]:
        settings = {**SETTINGS, "log_directory": str(self.folder)}
        options = [f"{name}={value}" for name, value in settings.items()]
        return [*super()._command(), *(word for each in options for word in ("-c", each))]


def read_by_operation(log: Path, start: int) -> dict[str, Read]:
    """Return what each operation has read, by the lines of the log from this byte on."""
    found: dict[str, Read] = defaultdict(Read)
    with log.open(encoding="utf-8") as lines:
        lines.seek(start)
        for line in lines:
            record = json.loads(line)
            plan = PLAN.match(record.get("message", ""))
            if plan:
                found[record.get("application_name", "")].add(json.loads(plan[1]))
    return found


def _rows(plan: Mapping[str, Any]) -> int:
    rows = sum(map(_rows, plan.get("Plans", [])))
    if "Scan" in plan["Node Type"] and "Relation Name" in plan:
        each = sum(
            plan.get(name, 0)
            for name in ("Actual Rows", "Rows Removed by Filter", "Rows Removed by Index Recheck")
        )
        rows += round(each * plan["Actual Loops"])
    return rows


def _described(statement: str) -> str:
    """Return the kind of a statement and its tables."""
    tables = re.findall(r'(?:FROM|JOIN|INTO|UPDATE) "(\w+)"', statement)
    names = " ".join(dict.fromkeys(name.removeprefix("annotation_") for name in tables))
    kind = statement.split(maxsplit=1)[0]
    return names if kind in ("SELECT", "DECLARE") else f"{kind} {names}"
