"""URLs of accounts and invitations."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from people.views import account, invitations, passwords, questionnaire, reminders, sign_in

PROJECT = "projects/<int:pk>"
QUESTIONNAIRE = f"{PROJECT}/people/questionnaire"

urlpatterns = [
    path("sign-in/", sign_in.SignIn.as_view(), name="sign-in"),
    path("sign-in/link/<str:token>/", sign_in.sign_in_link, name="sign-in-link"),
    path("sign-out/", LogoutView.as_view(), name="sign-out"),
    path("account/", account.account, name="account"),
    path("account/sessions/end-others/", account.end_other_sessions, name="end-other-sessions"),
    path("account/sessions/<int:signed_in_pk>/end/", account.end_session, name="end-session"),
    path("account/reminders/", reminders.set_wish, name="set-reminders"),
    path("reminders/<str:token>/stop/", reminders.stop_reminders, name="stop-reminders"),
    path("account/address/", account.new_address, name="new-address"),
    path("account/address/<str:token>/", account.confirm_address, name="confirm-address"),
    path("password/", passwords.set_password, name="set-password"),
    path("password/forgotten/", passwords.ForgottenPassword.as_view(), name="forgotten-password"),
    path(
        "password/reset/<str:uidb64>/<str:token>/",
        passwords.ResetPassword.as_view(),
        name="reset-password",
    ),
    path("register/", sign_in.register, name="register"),
    path("register/<str:token>/", sign_in.confirm_registration, name="confirm-registration"),
    path("invitations/<str:token>/", invitations.invitation, name="invitation"),
    path(f"{PROJECT}/invitations/", invitations.project_invitations, name="project-invitations"),
    path(f"{PROJECT}/invitations/list/", invitations.invite_list, name="invite-list"),
    path(
        f"{PROJECT}/invitations/<int:invitation_pk>/send-again/",
        invitations.send_again,
        name="send-invitation-again",
    ),
    path(
        f"{PROJECT}/invitations/<int:invitation_pk>/revoke/",
        invitations.revoke_invitation,
        name="revoke-invitation",
    ),
    path(f"{PROJECT}/people/reminders/", reminders.project_reminders, name="reminders"),
    path(
        f"{PROJECT}/people/reminders/automatic/",
        reminders.set_automatic,
        name="set-automatic-reminders",
    ),
    path(f"{PROJECT}/questionnaire/", questionnaire.answer, name="answer-questionnaire"),
    path(f"{QUESTIONNAIRE}/", questionnaire.questionnaire, name="questionnaire"),
    path(f"{QUESTIONNAIRE}/answers/", questionnaire.answers, name="questionnaire-answers"),
    path(
        f"{QUESTIONNAIRE}/answers.csv", questionnaire.answers_file, name="questionnaire-answers-csv"
    ),
    path(f"{PROJECT}/members/<int:user_pk>/new-link/", invitations.new_link, name="new-link"),
]
