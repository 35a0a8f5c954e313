"""Spreadsheets as XLSX files."""

import io
from collections.abc import Sequence
from typing import Any

from openpyxl import Workbook


def workbook(*sheets: Sequence[Sequence[Any]]) -> bytes:
    """Return an XLSX file whose sheets have these rows of cells."""
    made = Workbook()
    made.remove(made.worksheets[0])
    for number, rows in enumerate(sheets):
        sheet = made.create_sheet(str(number))
        for row in rows:
            sheet.append(list(row))
    packed = io.BytesIO()
    made.save(packed)
    return packed.getvalue()
