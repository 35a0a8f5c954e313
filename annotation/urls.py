"""The pages of people who judge."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from annotation.views import accounts, judge, projects

urlpatterns = [
    path("", projects.projects, name="projects"),
    path("projects/<int:pk>/judge/", judge.judge, name="judge"),
    path("sign-in/", accounts.SignIn.as_view(), name="sign-in"),
    path("sign-in/link/<str:token>/", accounts.sign_in_link, name="sign-in-link"),
    path("sign-out/", LogoutView.as_view(), name="sign-out"),
    path("password/", accounts.set_password, name="set-password"),
    path("register/", accounts.register, name="register"),
]
