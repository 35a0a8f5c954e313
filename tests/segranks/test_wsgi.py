"""The WSGI application."""

import json
import sys

import pytest

from tests.installation import Installation

HEAVY = {"eflomal", "nltk", "scipy", "stanza", "systran_align", "torch"}
SCRIPT = """
import json, sys
from segranks.wsgi import application
from django.urls import get_resolver
assert get_resolver().url_patterns
print(json.dumps(sorted(sys.modules)))
"""


@pytest.mark.process
def test_web_processes_import_no_heavy_library(installation: Installation) -> None:
    result = installation.run(sys.executable, "-c", SCRIPT)
    assert HEAVY & set(json.loads(result.stdout)) == set()
