"""The pages of accounts and of invitations."""

from django.urls import path

from people.views import account, addresses, invitations, joining, passwords, registering

PROJECT = "projects/<int:pk>"

urlpatterns = [
    path("account/", account.account, name="account"),
    path("account/sessions/end-others/", account.end_other_sessions, name="end-other-sessions"),
    path("account/sessions/<int:signed_in_pk>/end/", account.end_session, name="end-session"),
    path("account/address/", addresses.new_address, name="new-address"),
    path("account/address/<str:token>/", addresses.confirm_address, name="confirm-address"),
    path("password/", passwords.set_password, name="set-password"),
    path("password/forgotten/", passwords.forgotten_password, name="forgotten-password"),
    path(
        "password/reset/<str:uidb64>/<str:token>/",
        passwords.ResetPassword.as_view(),
        name="reset-password",
    ),
    path("register/", registering.register, name="register"),
    path("register/<str:token>/", registering.confirm_registration, name="confirm-registration"),
    path("invitations/<str:token>/", joining.invitation, name="invitation"),
    path(f"{PROJECT}/invitations/", invitations.project_invitations, name="project-invitations"),
    path(
        f"{PROJECT}/invitations/<int:invitation_pk>/revoke/",
        invitations.revoke_invitation,
        name="revoke-invitation",
    ),
    path(f"{PROJECT}/members/<int:user_pk>/new-link/", invitations.new_link, name="new-link"),
]
