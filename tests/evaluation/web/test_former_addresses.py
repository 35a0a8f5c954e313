import pytest
from django.urls import reverse


@pytest.mark.parametrize(
    ("former", "present", "parts"),
    [
        ("former-settings", "project-settings", [7]),
        ("former-report", "report", [7]),
        ("former-sentence-level", "sentence-level", [7]),
        ("former-sentence", "sentence", [7, 2]),
    ],
)
def test_former_addresses_redirect_permanently(client, former, present, parts):
    response = client.get(reverse(former, args=parts))

    assert response.status_code == 301
    assert response["Location"] == reverse(present, args=parts)
