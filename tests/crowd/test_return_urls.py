"""People are sent to no site that nobody has allowed."""

import pytest

from crowd.return_urls import is_allowed


@pytest.mark.parametrize(
    "address",
    [
        "https://app.prolific.com/submissions/complete?cc=C1A2B3",
        "https://APP.prolific.com/",
        "https://app.prolific.com",
        "https://app.prolific.com?cc=1#end",
        "https://pool.example.edu/done/%20x?id=1&b=[2]",
    ],
)
def test_platforms_and_what_was_allowed_are(address):
    assert is_allowed(address, ["pool.example.edu"])


@pytest.mark.parametrize(
    "address",
    [
        "",
        "http://app.prolific.com/",
        "//app.prolific.com/",
        "/projects/",
        "javascript:alert(1)",
        "https://evil.example/",
        "https://app.prolific.com.evil.example/",
        "https://app.prolific.com@evil.example/",
        "https://evil.example@app.prolific.com/",
        "https://app.prolific.com:8443/",
        "https://evil.example\\@app.prolific.com/",
        "https://app.prolific.com\\.evil.example/",
        "https://app.prolific.com/\nLocation: https://evil.example",
        "https://app.prolific.com/ä",
        " https://app.prolific.com/",
        "https://app.prolific.com/ x",
        "https:app.prolific.com",
        "https://sub.pool.example.edu/",
        "https://app.prоlific.com/",
    ],
)
def test_nothing_else_is(address):
    assert not is_allowed(address, ["pool.example.edu"])
