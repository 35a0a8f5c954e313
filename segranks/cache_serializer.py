"""How values are stored in the Redis cache."""

import json
from typing import Any


class JSONSerializer:
    """Stores JSON, so that nothing from Redis is ever unpickled."""

    def dumps(self, value: object) -> bytes:
        return json.dumps(value).encode()

    def loads(self, data: bytes) -> Any:
        return json.loads(data)
