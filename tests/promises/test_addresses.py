"""Addresses that people have in messages, papers and programs lead where they did."""

import pytest
from django.urls import resolve

TOKEN = "aB3_-x"


@pytest.mark.parametrize(
    ("address", "page"),
    [
        (f"/shared/{TOKEN}/", "shared-report"),
        (f"/shared/{TOKEN}/documents/", "shared-documents"),
        (f"/shared/{TOKEN}/documents/7/", "shared-document"),
        (f"/invitations/{TOKEN}/", "invitation"),
        (f"/sign-in/link/{TOKEN}/", "sign-in-link"),
        (f"/register/{TOKEN}/", "confirm-registration"),
        (f"/account/address/{TOKEN}/", "confirm-address"),
        (f"/reminders/{TOKEN}/stop/", "stop-reminders"),
        (f"/start/{TOKEN}/", "start"),
        ("/projects/7/", "project"),
        ("/projects/7/judge/", "judge"),
        ("/projects/7/report/", "report"),
        ("/sign-in/", "sign-in"),
        ("/api/v1/openapi.json", "api-schema"),
    ],
)
def test_an_address_leads_to_its_page(address: str, page: str) -> None:
    assert resolve(address).url_name == page
