"""The pages of the crowd, of pay, and of what is stored about a person."""

from django.urls import path

from crowd.views import manage, personal, start

CROWD = "projects/<int:pk>/crowd"
MEMBER = "projects/<int:pk>/members/<int:user_pk>"

urlpatterns = [
    path("start/", start.start_again, name="start-again"),
    path("start/<slug:token>/", start.start, name="start"),
    path(f"{CROWD}/", manage.crowd, name="crowd"),
    path(f"{CROWD}/new/", manage.new_link, name="new-start-link"),
    path(f"{CROWD}/<int:link_pk>/", manage.change_link, name="start-link"),
    path(f"{CROWD}/pay/", manage.change_pay, name="crowd-pay"),
    path(f"{CROWD}/done/", start.done, name="crowd-done"),
    path("projects/<int:pk>/payment.csv", manage.payment_file, name="payment-csv"),
    path("my-data/", personal.my_data, name="my-data"),
    path("my-data/my-data.json", personal.my_data_file, name="my-data-json"),
    path("my-data/anonymise/", personal.anonymise_me, name="anonymise-me"),
    path(f"{MEMBER}/data.json", personal.member_data_file, name="member-data"),
    path(f"{MEMBER}/anonymise/", personal.anonymise_member, name="anonymise-member"),
]
