"""A client of the API for programs, which docs/api.md describes. It needs only `requests`."""

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit
from uuid import uuid4

import requests
from requests.adapters import HTTPAdapter
from urllib3.fields import RequestField
from urllib3.filepost import choose_boundary
from urllib3.util.retry import Retry

# A file to send: its path. Fields that take several files get a list.
File = str | os.PathLike[str]
Files = Mapping[str, File | Sequence[File]]

# States of projects, jobs, previews, reports and other evaluations on which a worker works.
WORKING: Final = ("preparing", "queued", "waiting", "running")
# Hosts at which the token does not leave this machine.
LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
CHUNK: Final = 1 << 20


class ApiError(requests.HTTPError):
    """A refused request. Its text says what is wrong and where, in the server's words.

    `status` is the HTTP status. `problem` is the server's problem details, or {} if another server
    in front of SegRanks has answered.
    """

    def __init__(self, response: requests.Response) -> None:
        self.status: int = response.status_code
        is_problem = "problem+json" in response.headers.get("Content-Type", "")
        self.problem: dict[str, Any] = response.json() if is_problem else {}
        lines = []
        for error in self.problem.get("errors", []):
            places = (error[kind] for kind in ("pointer", "parameter", "header") if kind in error)
            place = next(places, "").lstrip("#/")
            lines.append(f"{place}: {error['detail']}" if place else error["detail"])
        other = f"{self.status} {response.reason} {response.headers.get('Location', '')}".rstrip()
        super().__init__("\n".join(lines) or self.problem.get("detail", other), response=response)


class PreparationFailed(Exception):
    """The texts of a project could not be prepared. Its text says why."""


class Client:
    """A site of SegRanks, and the token by which a program authenticates there.

    A request that the server asks to repeat later (`Retry-After`), or whose connection is lost, is
    sent again, up to eight times. Each POST has an `Idempotency-Key`, so that it is processed once;
    what a repeated DELETE does not find any more is deleted.
    Redirects are not followed, so the token is sent to this site only.

    Methods take paths below `/api/v1/`, such as `projects/7/members/`, and raise ApiError if the
    request is refused and another `requests.RequestException` if there is no whole answer.
    """

    def __init__(self, site: str, token: str, *, timeout: float = 120.0) -> None:
        """`timeout` is in seconds without a byte from the server.

        Raises ValueError for an address to which the token would be sent unencrypted.
        """
        parts = urlsplit(site)
        is_local = parts.scheme == "http" and parts.hostname in LOOPBACK
        if parts.scheme != "https" and not is_local:
            raise ValueError(
                f"The address {site!r} does not begin with https://, so that others could read the "
                "token on its way. Only this machine may be named by http://."
            )
        self._root = f"{site.rstrip('/')}/api/v1/"
        self._timeout = timeout
        self._session = requests.Session()
        # No proxy of the environment gets what is for this machine.
        self._session.trust_env = not is_local
        # In `headers`, it would be replaced by a password from ~/.netrc.
        self._session.auth = _bearer(token)
        adapter = HTTPAdapter(
            max_retries=_Retry(
                total=8, connect=4, allowed_methods=None, backoff_factor=0.5, redirect=False
            )
        )
        self._session.mount("https://", adapter)
        self._session.mount("http://", adapter)

    def get(self, path: str, **params: object) -> Any:
        """Return the answer. `params` are the query; those that are None are left out."""
        return self._json("GET", path, params=_fields(params))

    def post(self, path: str, values: object = None, files: Files | None = None) -> Any:
        """Send values as JSON, or as a form if there are files, and return the answer.

        Files are read while they are sent, so they can be larger than the memory.
        """
        headers = {"Idempotency-Key": str(uuid4())}
        if files is None:
            return self._json("POST", path, json=values, headers=headers)
        form = _Form(values if isinstance(values, Mapping) else {}, files)
        headers["Content-Type"] = form.content_type
        return self._json("POST", path, data=form, headers=headers)

    def put(self, path: str, values: object) -> Any:
        return self._json("PUT", path, json=values)

    def patch(self, path: str, values: object) -> Any:
        return self._json("PATCH", path, json=values)

    def delete(self, path: str, **params: object) -> Any:
        return self._json("DELETE", path, params=_fields(params))

    def pages(self, path: str, **params: object) -> Iterator[Any]:
        """Yield the rows of a list, page by page; `limit` is the number of rows of a page."""
        query = _fields(params)
        while True:
            page = self._json("GET", path, params=query)
            yield from page["results"]
            if not page.get("next"):
                return
            query = parse_qsl(urlsplit(page["next"]).query)

    def lines(self, path: str, **params: object) -> Iterator[Any]:
        """Yield the objects of a stream of lines, such as `projects/7/judgements/`."""
        with self._streamed(path, "application/x-ndjson", params) as response:
            for line in response.iter_lines(chunk_size=CHUNK):
                yield json.loads(line)

    def download(self, path: str, target: File, *, accept: str = "*/*", **params: object) -> Path:
        """Write the answer, such as an export, to a file, and return its path.

        The file is created, or replaced, only when the answer is whole. `accept` is the media type
        to ask for where there are several, such as `text/csv`.
        """
        target = Path(target)
        partial = target.with_name(f"{target.name}.{uuid4().hex}.part")
        try:
            with self._streamed(path, accept, params) as response, partial.open("xb") as file:
                for chunk in response.iter_content(CHUNK):
                    file.write(chunk)
            return partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)

    def wait(
        self,
        path: str,
        *,
        while_state: Sequence[str] = WORKING,
        every: float = 2.0,
        within: float | None = None,
    ) -> Any:
        """Return what is at the path as soon as no worker works on it.

        That is a project, job, preview or report, or the evaluation of metrics. Its state may be
        `failed`. One request is sent every `every` seconds. Raises TimeoutError after `within`
        seconds.
        """
        begun = time.monotonic()
        while True:
            found = self.get(path)
            state = (found.get("evaluation") or found).get("state")
            if state not in while_state:
                return found
            if within is not None and time.monotonic() - begun + every > within:
                raise TimeoutError(f"{path} is still {state} after {within:g} seconds.")
            time.sleep(every)

    def create_project(self, values: Mapping[str, object], files: Files) -> Any:
        """Create a project, and return it when it is prepared.

        `values` and `files` are the fields of the operation `createProject`. Raises
        PreparationFailed.
        """
        created = self.post("projects/", values, files)
        project = self.wait(f"projects/{created['id']}/")
        if project["state"] == "failed":
            raise PreparationFailed(self.get(f"projects/{project['id']}/job/")["error"])
        return project

    def _json(self, method: str, path: str, **options: Any) -> Any:
        response = self._send(method, path, **options)
        return response.json() if response.content else None

    def _streamed(self, path: str, accept: str, params: Mapping[str, object]) -> requests.Response:
        headers = {"Accept": accept}
        response = self._send("GET", path, params=_fields(params), headers=headers, stream=True)
        if not {"Content-Length", "Transfer-Encoding"} & response.headers.keys():
            raise requests.ConnectionError(
                "The answer does not say where it ends, so that it may break off unnoticed: a "
                "proxy in front of SegRanks must use HTTP/1.1."
            )
        return response

    def _send(self, method: str, path: str, **options: Any) -> requests.Response:
        response = self._session.request(
            method,
            self._root + path.lstrip("/"),
            timeout=self._timeout,
            allow_redirects=False,
            **options,
        )
        # What a request deleted whose answer was lost; a refused one deleted nothing.
        tries = response.raw.retries.history if response.raw.retries else ()
        if method == "DELETE" and response.status_code == 404 and any(one.error for one in tries):
            return requests.Response()
        if not 200 <= response.status_code < 300:
            raise ApiError(response)
        return response


class _Retry(Retry):
    # 409 has the header while the first request with the same key is still processed.
    RETRY_AFTER_STATUS_CODES = frozenset({409, 429, 503, 507})


class _Form:
    """The body of a form, of known length. Iterating over it reads its files, each time anew."""

    def __init__(self, values: Mapping[str, object], files: Files) -> None:
        boundary = choose_boundary()
        self.content_type = f"multipart/form-data; boundary={boundary}"
        # What is sent before each file, and before the end of the form.
        self._texts = [b""]
        self._paths: list[Path] = []

        def begin(field: RequestField) -> None:
            field.make_multipart()
            self._texts[-1] += f"--{boundary}\r\n{field.render_headers()}".encode()

        for name, text in _fields(values):
            begin(RequestField(name, b""))
            self._texts[-1] += f"{text}\r\n".encode()
        for name, given in files.items():
            for path in map(Path, [given] if isinstance(given, str | os.PathLike) else given):
                # While it is sent, an error would be taken for a lost connection.
                path.open("rb").close()
                begin(RequestField(name, b"", filename=path.name))
                self._paths.append(path)
                self._texts.append(b"\r\n")
        self._texts[-1] += f"--{boundary}--\r\n".encode()

    def __len__(self) -> int:
        return sum(map(len, self._texts)) + sum(path.stat().st_size for path in self._paths)

    def __iter__(self) -> Iterator[bytes]:
        for text, path in zip_longest(self._texts, self._paths):
            yield text
            if path:
                with path.open("rb") as file:
                    while chunk := file.read(CHUNK):
                        yield chunk


def _fields(values: Mapping[str, object]) -> list[tuple[str, str]]:
    """Return values as fields of a query or form: those of a list one by one, and not None."""
    return [
        (name, one if isinstance(one, str) else json.dumps(one))
        for name, value in values.items()
        if value is not None
        for one in (value if isinstance(value, list | tuple) else [value])
    ]


def _bearer(token: str) -> Callable[[requests.PreparedRequest], requests.PreparedRequest]:
    def authorise(request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {token}"
        return request

    return authorise
