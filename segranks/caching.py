"""What the cache in Redis holds."""

import json
from typing import Any


class JSONSerializer:
    """Writes JSON, so that nothing which comes from there is ever unpickled."""

    def dumps(self, value: object) -> bytes:
        return json.dumps(value).encode()

    def loads(self, data: bytes) -> Any:
        return json.loads(data)
