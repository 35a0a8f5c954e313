"""What people fill in about themselves and each other."""

from typing import Any, cast

from django import forms
from django.conf import settings
from django.contrib.auth import authenticate
from django.contrib.auth.forms import UserCreationForm
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import Membership, User
from people import mail, registration
from people.invitations import LIFETIME, LONGEST_LIFETIME, MOST_USES
from people.models import Invitation

DAYS = gettext_lazy("Write for how many days, as a whole number from 1 to 90.")
USES = gettext_lazy("Write for how many people, as a whole number from 1 to 1000.")
ADDRESS = gettext_lazy("Write a mail address, as in jana@example.org.")
WRONG_PASSWORD = gettext_lazy("This is not your password.")
NUMBER_CODES = ("required", "invalid", "min_value", "max_value")


class NameTaken(Exception):
    """Somebody else has made an account of this name since the form was checked."""


class AddressTaken(Exception):
    """There is an account with this mail address, perhaps since a moment ago."""


class AccountForm(UserCreationForm):  # type: ignore[type-arg]  # no generic at run time
    """A new account with a name and a password; it is a member of no project yet.

    `email` is an address that its owner has shown to have, "" for none.
    """

    class Meta:
        model = User
        fields = ("username",)

    def __init__(self, *args: Any, email: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.instance.email = email

    def save(self, commit: bool = True) -> User:
        """Store it. Raises NameTaken, and says so in the form, where another was faster.

        Raises AddressTaken where the mail address has an account.
        """
        try:
            with transaction.atomic():
                return cast(User, super().save(commit))
        except IntegrityError:
            if self.instance.email and registration.account_of(self.instance.email):
                raise AddressTaken from None
            self.add_error("username", self.instance.unique_error_message(User, ("username",)))
            raise NameTaken from None


class NameForm(forms.ModelForm):  # type: ignore[type-arg]  # no generic at run time
    """What the others in one's projects call one."""

    class Meta:
        model = User
        fields = ("display_name",)
        labels = {"display_name": gettext_lazy("Name shown")}
        help_texts = {
            "display_name": gettext_lazy(
                "What the administrators of your projects see; empty, they see your user name."
            )
        }

    def save(self, commit: bool = True) -> User:
        """Store the name alone, so that nobody's change of anything else is undone."""
        user = cast(User, self.instance)
        user.save(update_fields=["display_name"])
        return user


class MailForm(forms.Form):
    """A mail address that a link is to be sent to."""

    email = forms.EmailField(
        label=gettext_lazy("E-mail"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        error_messages=dict.fromkeys(("required", "invalid", "max_length"), ADDRESS),
    )


class NewAddressForm(MailForm):
    """Another mail address for one's account, and the password; wrong ones count as at signing in.

    Ten of them lock out, whatever page they are sent to.
    """

    password = forms.CharField(
        label=gettext_lazy("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        error_messages={"required": WRONG_PASSWORD},
    )

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request, self.user = request, cast(User, request.user)
        self.fields["email"].label = _("New address")

    def clean_email(self) -> str:
        email = str(self.cleaned_data["email"])
        if email == self.user.email:
            raise ValidationError(_("This is your address already."))
        return email

    def clean_password(self) -> str:
        password = str(self.cleaned_data["password"])
        name = self.user.username
        if authenticate(self.request, username=name, password=password) != self.user:
            raise ValidationError(WRONG_PASSWORD)
        return password


class DomainForm(MailForm):
    """A mail address in one of the domains of which people may register."""

    def clean_email(self) -> str:
        email = str(self.cleaned_data["email"])
        if not registration.is_welcome(email):
            domains = ", ".join(settings.REGISTRATION_DOMAINS)
            raise ValidationError(
                _("Accounts are for addresses at %(domains)s.") % {"domains": domains}
            )
        return email


class InvitationForm(forms.Form):
    """Whom to invite to what: by mail where an address is given, else by a link."""

    role = forms.ChoiceField(
        label=gettext_lazy("Role"),
        error_messages=dict.fromkeys(
            ("required", "invalid_choice"), gettext_lazy("Choose one of the roles.")
        ),
    )
    days = forms.IntegerField(
        label=gettext_lazy("Days that it holds"),
        min_value=1,
        max_value=LONGEST_LIFETIME,
        initial=LIFETIME,
        error_messages=dict.fromkeys(NUMBER_CODES, DAYS),
    )
    most_uses = forms.IntegerField(
        label=gettext_lazy("People who may come by it"),
        min_value=1,
        max_value=MOST_USES,
        initial=1,
        help_text=gettext_lazy("A class room: as many as it has seats."),
        error_messages=dict.fromkeys(NUMBER_CODES, USES),
    )
    email = forms.EmailField(
        label=gettext_lazy("E-mail"),
        required=False,
        max_length=254,
        help_text=gettext_lazy("Empty, you get a link to hand on yourself."),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
        error_messages=dict.fromkeys(("invalid", "max_length"), ADDRESS),
    )
    note = forms.CharField(
        label=gettext_lazy("Note"),
        required=False,
        max_length=Invitation._meta.get_field("note").max_length,
        help_text=gettext_lazy("The invited read it; may be left empty."),
    )

    def __init__(self, *args: Any, may_own: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        roles = Membership.Role.choices
        offered = [(value, name) for value, name in roles if may_own or value != "owner"]
        cast(forms.ChoiceField, self.fields["role"]).choices = offered
        if not mail.is_configured():
            del self.fields["email"]

    def clean(self) -> dict[str, Any]:
        fields = super().clean() or self.cleaned_data
        if fields.get("email") and fields.get("most_uses", 1) != 1:
            self.add_error("most_uses", _("A mail is for one person: write 1."))
        return fields
