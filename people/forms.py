"""Forms of accounts and invitations."""

from typing import Any, cast

from django import forms
from django.conf import settings
from django.contrib.auth.forms import PasswordChangeForm, PasswordResetForm, UserCreationForm
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import Membership, Project, User
from annotation.projects.limits import with_plain_line_ends
from annotation.web.requests import SignedInRequest
from people import registration
from people.address_lists import LONGEST_LIST, MOST_ADDRESSES, read_addresses
from people.invitations import DEFAULT_DAYS, LONGEST_LIFETIME, MOST_USES
from people.lockout import is_password_of
from people.models import Invitation
from people.reminders import LONGEST_TEXT, MOST_DAYS

DAYS = gettext_lazy("Enter a whole number from 1 to 90.")
USES = gettext_lazy("Enter a whole number from 1 to 1000.")
ADDRESS = gettext_lazy("Enter an email address, for example jana@example.org.")
WRONG_PASSWORD = gettext_lazy("Wrong password.")
# Wrong addresses that a message names.
MOST_LISTED = 50
NUMBER_CODES = ("required", "invalid", "min_value", "max_value")


class NameTaken(Exception):
    """Another account with this name was created since the form was validated."""


class AddressTaken(Exception):
    """Another account with this email address exists."""


class AccountForm(UserCreationForm):  # type: ignore[type-arg]  # no generic at run time
    """A new account with a user name and a password. `email` is a confirmed address, or ""."""

    class Meta:
        model = User
        fields = ("username",)

    def __init__(self, *args: Any, email: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.instance.email = email

    def save(self, commit: bool = True) -> User:
        """Create the account. Raises NameTaken, with an error in the form, and AddressTaken."""
        try:
            with transaction.atomic():
                return cast(User, super().save(commit))
        except IntegrityError:
            if self.instance.email and registration.account_of(self.instance.email):
                raise AddressTaken from None
            self.add_error("username", self.instance.unique_error_message(User, ("username",)))
            raise NameTaken from None


class NameForm(forms.ModelForm):  # type: ignore[type-arg]  # no generic at run time
    """The display name of the signed-in user."""

    class Meta:
        model = User
        fields = ("display_name",)
        labels = {"display_name": gettext_lazy("Display name")}
        help_texts = {
            "display_name": gettext_lazy(
                "Shown to project administrators. Defaults to your user name."
            )
        }

    def save(self, commit: bool = True) -> User:
        """Store the name alone, so that no concurrent change of another field is lost."""
        user = cast(User, self.instance)
        user.save(update_fields=["display_name"])
        return user


class EmailForm(forms.Form):
    """An email address that a link is sent to."""

    email = forms.EmailField(
        label=gettext_lazy("Email"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        error_messages=dict.fromkeys(("required", "invalid", "max_length"), ADDRESS),
    )


class PasswordLinkForm(EmailForm, PasswordResetForm):  # type: ignore[misc]  # email is in both
    """An email address to which a link for a new password is sent."""

    def get_users(self, email: str) -> QuerySet[User]:
        """Return the active account with this address, even if it has no password yet."""
        return User.objects.filter(email__iexact=email, is_active=True)


class NewPasswordForm(PasswordChangeForm):
    """A new password, and the old one. Wrong ones count towards the lock-out, as at sign-in."""

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request

    def clean_old_password(self) -> str:
        password = str(self.cleaned_data["old_password"])
        if not is_password_of(self.request, self.user, password):
            raise ValidationError(
                self.error_messages["password_incorrect"], code="password_incorrect"
            )
        return password


class NewAddressForm(EmailForm):
    """A new email address for the account, and its password.

    Wrong passwords count towards the lock-out, as at sign-in.
    """

    password = forms.CharField(
        label=gettext_lazy("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        error_messages={"required": WRONG_PASSWORD},
    )

    def __init__(self, *args: Any, request: SignedInRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request, self.user = request, request.user
        self.fields["email"].label = _("New email")

    def clean_email(self) -> str:
        email = str(self.cleaned_data["email"])
        if email == self.user.email:
            raise ValidationError(_("This is already your email address."))
        return email

    def clean_password(self) -> str:
        password = str(self.cleaned_data["password"])
        if not is_password_of(self.request, self.user, password):
            raise ValidationError(WRONG_PASSWORD)
        return password


class DomainForm(EmailForm):
    """An email address in one of the domains that may register."""

    def clean_email(self) -> str:
        email = str(self.cleaned_data["email"])
        if not registration.is_allowed(email):
            domains = ", ".join(settings.REGISTRATION_DOMAINS)
            raise ValidationError(
                _("Only email addresses at %(domains)s can register.") % {"domains": domains}
            )
        return email


class _Invitation(forms.Form):
    """What all invitations have."""

    role = forms.ChoiceField(
        label=gettext_lazy("Role"),
        error_messages=dict.fromkeys(
            ("required", "invalid_choice"), gettext_lazy("Select a role.")
        ),
    )
    days = forms.IntegerField(
        label=gettext_lazy("Valid for (days)"),
        min_value=1,
        max_value=LONGEST_LIFETIME,
        initial=DEFAULT_DAYS,
        error_messages=dict.fromkeys(NUMBER_CODES, DAYS),
    )
    note = forms.CharField(
        label=gettext_lazy("Note"),
        required=False,
        max_length=Invitation._meta.get_field("note").max_length,
        help_text=gettext_lazy("Shown to the invited person (optional)."),
    )

    def __init__(self, *args: Any, may_own: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        roles = Membership.Role.choices
        offered = [(value, name) for value, name in roles if may_own or value != "owner"]
        cast(forms.ChoiceField, self.fields["role"]).choices = offered


class InvitationForm(_Invitation):
    """A link to copy, which several people can use."""

    use_limit = forms.IntegerField(
        label=gettext_lazy("Maximum uses"),
        min_value=1,
        max_value=MOST_USES,
        initial=1,
        help_text=gettext_lazy("For example, the size of your class."),
        error_messages=dict.fromkeys(NUMBER_CODES, USES),
    )

    field_order = ("role", "days", "use_limit", "note")


class InvitationListForm(_Invitation):
    """A link of their own for each of many email addresses, pasted or uploaded.

    `read` is what the list contains, once the form was validated.
    """

    addresses = forms.CharField(
        label=gettext_lazy("Email addresses"),
        required=False,
        widget=forms.Textarea(
            attrs={"rows": 5, "autocomplete": "off", "spellcheck": "false", "dir": "ltr"}
        ),
        help_text=gettext_lazy(
            "One or many, separated by commas or line ends. “Jana <jana@example.org>” and tables "
            "copied from a spreadsheet work, too."
        ),
    )
    file = forms.FileField(
        label=gettext_lazy("Or a file"),
        required=False,
        allow_empty_file=True,
        help_text=gettext_lazy("A text or CSV file with the addresses."),
        widget=forms.FileInput(attrs={"accept": ".csv,.txt,.tsv,text/plain,text/csv"}),
    )

    field_order = ("addresses", "file", "role", "days", "note")

    def clean(self) -> dict[str, Any]:
        fields = super().clean() or self.cleaned_data
        pasted = str(fields.get("addresses", ""))
        if len(pasted) > LONGEST_LIST:
            self.add_error("addresses", _("This list is too long. Invite people in several parts."))
            return fields
        self._read("file" if fields.get("file") else "addresses", pasted, self._uploaded())
        return fields

    def _uploaded(self) -> str:
        file = self.cleaned_data.get("file")
        if not file:
            return ""
        if file.size > LONGEST_LIST:
            self.add_error("file", _("This file is too large. Invite people in several parts."))
            return ""
        try:
            return str(file.read().decode("utf-8-sig"))
        except UnicodeDecodeError:
            self.add_error("file", _("This is not a text file in UTF-8. Save it as CSV UTF-8."))
            return ""

    def _read(self, field: str, *texts: str) -> None:
        """Read the lists, and name all addresses that cannot be used."""
        self.read = read_addresses(*texts)
        if self.errors.get("file"):
            return
        if self.read.wrong:
            listed = [
                _("line %(line)d: %(text)s") % {"line": one.line, "text": one.text[:100]}
                for one in self.read.wrong[:MOST_LISTED]
            ]
            more = len(self.read.wrong) - len(listed)
            if more:
                listed.append(_("and %(more)d more") % {"more": more})
            self.add_error(
                field, [_("No one was invited yet. These are not email addresses:"), *listed]
            )
        elif not self.read.addresses:
            self.add_error(field, _("Enter at least one email address."))
        elif len(self.read.addresses) > MOST_ADDRESSES:
            self.add_error(
                field,
                _("These are %(number)d addresses. Invite at most %(limit)d at once.")
                % {"number": len(self.read.addresses), "limit": MOST_ADDRESSES},
            )


class ReminderForm(forms.Form):
    """Whom to remind, and what to write to them."""

    days = forms.IntegerField(
        label=gettext_lazy("Not active for (days)"),
        min_value=1,
        max_value=MOST_DAYS,
        error_messages=dict.fromkeys(NUMBER_CODES, gettext_lazy("Enter a number from 1 to 365.")),
    )
    text = forms.CharField(
        label=gettext_lazy("Text"),
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 5, "dir": "auto", "spellcheck": "true"}),
        error_messages={
            "required": gettext_lazy("Enter the text of the reminder."),
            "max_length": gettext_lazy("The text is too long. The limit is 2000 characters."),
        },
    )

    def clean_text(self) -> str:
        return with_plain_line_ends(str(self.cleaned_data["text"]))


class AutomaticRemindersForm(forms.ModelForm):  # type: ignore[type-arg]  # no generic at run time
    """After how many days annotators are reminded automatically; empty for never."""

    class Meta:
        model = Project
        fields = ("remind_after_days",)
        labels = {"remind_after_days": gettext_lazy("After how many days without activity")}
        help_texts = {"remind_after_days": gettext_lazy("Leave empty to send none.")}
        widgets = {"remind_after_days": forms.NumberInput(attrs={"min": 1, "max": MOST_DAYS})}
        error_messages = {
            "remind_after_days": dict.fromkeys(
                NUMBER_CODES,
                gettext_lazy("Enter a whole number from 1 to 365, or leave the field empty."),
            )
        }
