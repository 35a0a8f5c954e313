"""The web application as any server loads it."""

import json
import sys

from tests.installation import Installation

HEAVY = {"eflomal", "nltk", "scipy", "stanza", "systran_align", "torch"}
LOADS = """
import json, sys
from segranks.wsgi import application
from django.urls import get_resolver
assert get_resolver().url_patterns
print(json.dumps(sorted(sys.modules)))
"""


def test_web_processes_load_no_heavy_library(installation: Installation) -> None:
    result = installation.run(sys.executable, "-c", LOADS)
    assert HEAVY & set(json.loads(result.stdout)) == set()
