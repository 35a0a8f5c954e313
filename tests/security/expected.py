"""The table of rights: what each address requires, and what it answers to each role.

`right` is what the view is marked with; `none` stands for addresses below a project that only
redirect or show what is the user's own, and `-` for those that are not below a project. Of answers,
`in` redirects to the sign-in page, `go` redirects elsewhere after the request was processed (or
cannot be); a number is the status. Methods without a row are refused. A new address needs its rows
here, and in `requests.py` a valid request.
"""

from collections.abc import Iterator

ROLES = (
    "anonymous",
    "stranger",
    "other annotator",
    "annotator",
    "observer",
    "other administrator",
    "administrator",
    "owner",
    "superuser",
)
TABLE = """
address                      method right      anon- stran other annot obser other admin owner super
                                               ymous ger   annot ator  ver   admin istr        user
set_language                 GET    -          go    go    go    go    go    go    go    go    go
set_language                 POST   -          go    go    go    go    go    go    go    go    go
set_language                 PUT    -          go    go    go    go    go    go    go    go    go
set_language                 PATCH  -          go    go    go    go    go    go    go    go    go
set_language                 DELETE -          go    go    go    go    go    go    go    go    go
projects                     GET    -          in    200   200   200   200   200   200   200   200
all-projects                 GET    -          go    go    go    go    go    go    go    go    go
project                      GET    know       in    404   404   go    go    404   go    go    go
import-archive               GET    -          in    403   403   403   403   200   200   200   200
import-archive               POST   -          in    403   403   403   403   400   400   400   400
import-campaign              GET    -          in    403   403   403   403   200   200   200   200
import-campaign              POST   -          in    403   403   403   403   400   400   400   400
new-project                  GET    -          in    403   403   403   403   200   200   200   200
plan                         GET    -          in    403   403   403   403   200   200   200   200
new-project                  POST   -          in    403   403   403   403   go    go    go    go
new-project-files            GET    -          in    403   403   403   403   404   200   404   404
new-project-files            POST   -          in    403   403   403   403   404   go    404   404
new-project-add              POST   -          in    403   403   403   403   404   go    404   404
new-project-discard          POST   -          in    403   403   403   403   404   go    404   404
new-project-preview          GET    -          in    403   403   403   403   404   go    404   404
new-project-preview          POST   -          in    403   403   403   403   404   go    404   404
new-project-judging          GET    -          in    403   403   403   403   404   go    404   404
new-project-judging          POST   -          in    403   403   403   403   404   go    404   404
new-project-sample           POST   -          in    403   403   403   403   go    go    go    go
new-project-sample-zip       GET    -          in    403   403   403   403   200   200   200   200
new-project-sentences        GET    -          in    403   403   403   403   404   400   404   404
preparing                    GET    administer in    404   404   403   403   404   200   200   200
preparing-state              GET    administer in    404   404   403   403   404   200   200   200
preparing-cancel             POST   administer in    404   404   403   403   404   go    go    go
preparing-retry              POST   administer in    404   404   403   403   404   go    go    go
judge                        GET    judge      in    404   404   200   404   404   200   200   404
judge                        POST   judge      in    404   404   go    404   404   403   403   404
practice                     GET    judge      in    404   404   200   404   404   200   200   404
practice-feedback            GET    judge      in    404   404   200   404   404   404   404   404
practise-again               POST   judge      in    404   404   go    404   404   go    go    404
my-judgements                GET    judge      in    404   404   200   404   404   200   200   404
instructions                 GET    judge      in    404   404   200   404   404   200   200   404
revise                       GET    judge      in    404   404   200   404   404   404   404   404
revise                       POST   judge      in    404   404   go    404   404   404   404   404
project-settings             GET    administer in    404   404   403   403   404   200   200   200
project-state                POST   administer in    404   404   403   403   404   go    go    go
project-settings             POST   administer in    404   404   403   403   404   go    go    go
project-instructions         GET    administer in    404   404   403   403   404   200   200   200
project-instructions         POST   administer in    404   404   403   403   404   go    go    go
people                       GET    administer in    404   404   403   403   404   200   200   200
people                       POST   administer in    404   404   403   403   404   go    go    go
person                       GET    administer in    404   404   403   403   404   200   200   200
change-role                  POST   administer in    404   404   403   403   404   go    go    go
pause-member                 POST   administer in    404   404   403   403   404   go    go    go
discard-judgements           POST   administer in    404   404   403   403   404   go    go    go
let-practise-again           POST   administer in    404   404   403   403   404   go    go    go
limit-member                 POST   administer in    404   404   403   403   404   go    go    go
remove-member                POST   administer in    404   404   403   403   404   go    go    go
sentences                    GET    observe    in    404   404   403   200   404   200   200   200
sentences                    POST   administer in    404   404   403   403   404   go    go    go
sentence                     GET    observe    in    404   404   403   200   404   200   200   200
sentence                     POST   administer in    404   404   403   403   404   go    go    go
documents                    GET    observe    in    404   404   403   200   404   200   200   200
document                     GET    observe    in    404   404   403   200   404   200   200   200
return-sentence              GET    administer in    404   404   403   403   404   200   200   200
return-sentence              POST   administer in    404   404   403   403   404   go    go    go
open-assignments             GET    administer in    404   404   403   403   404   200   200   200
release-assignment           POST   administer in    404   404   403   403   404   go    go    go
skipped-sentences            GET    administer in    404   404   403   403   404   200   200   200
practice-sentences           GET    administer in    404   404   403   403   404   200   200   200
tutorial                     POST   administer in    404   404   403   403   404   400   400   400
tutorial-file                GET    administer in    404   404   403   403   404   200   200   200
new-practice                 GET    administer in    404   404   403   403   404   200   200   200
new-practice                 POST   administer in    404   404   403   403   404   go    go    go
change-practice              GET    administer in    404   404   403   403   404   200   200   200
change-practice              POST   administer in    404   404   403   403   404   go    go    go
retire-practice              POST   administer in    404   404   403   403   404   go    go    go
control-sentences            GET    administer in    404   404   403   403   404   200   200   200
control-sentences            POST   administer in    404   404   403   403   404   go    go    go
retire-control               POST   administer in    404   404   403   403   404   go    go    go
given-errors                 GET    administer in    404   404   403   403   404   200   200   200
given-errors                 POST   administer in    404   404   403   403   404   400   400   400
second-pass                  POST   administer in    404   404   403   403   404   400   400   400
remove-given-errors          POST   administer in    404   404   403   403   404   go    go    go
project-systems              GET    administer in    404   404   403   403   404   200   200   200
quality                      GET    administer in    404   404   403   403   404   200   200   200
disputed                     GET    administer in    404   404   403   403   404   200   200   200
settle                       GET    administer in    404   404   403   403   404   404   404   404
settle                       POST   administer in    404   404   403   403   404   404   404   404
choose-systems               POST   administer in    404   404   403   403   404   go    go    go
quality-rules                POST   administer in    404   404   403   403   404   go    go    go
quality-dismiss              POST   administer in    404   404   403   403   404   go    go    go
project-media                GET    administer in    404   404   403   403   404   200   200   200
project-media                POST   administer in    404   404   403   403   404   go    go    go
remove-medium                POST   administer in    404   404   403   403   404   go    go    go
medium                       GET    know       in    404   404   200   200   404   200   200   200
add-system                   POST   administer in    404   404   403   403   404   go    go    go
add-reference                POST   administer in    404   404   403   403   404   go    go    go
systems-state                GET    administer in    404   404   403   403   404   200   200   200
continue-adding-system       POST   administer in    404   404   403   403   404   go    go    go
sample-segments              POST   administer in    404   404   403   403   404   go    go    go
sample-project               POST   administer in    404   404   403   403   404   go    go    go
set-undecided                POST   administer in    404   404   403   403   404   go    go    go
rename-project               GET    administer in    404   404   403   403   404   200   200   200
rename-project               POST   administer in    404   404   403   403   404   go    go    go
copy-project                 GET    administer in    404   404   403   403   404   200   200   200
copy-project                 POST   administer in    404   404   403   403   404   go    go    go
accept-edits                 GET    administer in    404   404   403   403   404   200   200   200
accept-edits                 POST   administer in    404   404   403   403   404   400   400   400
archive-project              POST   administer in    404   404   403   403   404   go    go    go
delete-project               GET    own        in    404   404   403   403   404   403   200   200
delete-project               POST   own        in    404   404   403   403   404   403   go    go
skip-sentence                GET    judge      in    404   404   200   404   404   go    go    404
skip-sentence                POST   judge      in    404   404   go    404   404   409   409   404
draft                        PUT    judge      403   404   404   200   404   404   404   404   404
submission                   POST   judge      403   404   404   201   404   404   404   404   404
revision                     POST   judge      403   404   404   201   404   404   404   404   404
skip                         POST   judge      403   404   404   204   404   404   404   404   404
help                         GET    -          200   200   200   200   200   200   200   200   200
documentation                GET    -          404   404   404   404   404   404   404   404   404
privacy                      GET    -          200   200   200   200   200   200   200   200   200
sign-in                      GET    -          200   go    go    go    go    go    go    go    go
sign-in                      POST   -          200   go    go    go    go    go    go    go    go
sign-in                      PUT    -          200   go    go    go    go    go    go    go    go
sign-in                      PATCH  -          405   go    go    go    go    go    go    go    go
sign-in                      DELETE -          405   go    go    go    go    go    go    go    go
sign-in-link                 GET    -          404   404   404   404   404   404   404   404   404
sign-in-link                 POST   -          404   404   404   404   404   404   404   404   404
sign-out                     POST   -          go    go    go    go    go    go    go    go    go
set-password                 GET    -          in    200   200   200   200   200   200   200   200
set-password                 POST   -          in    200   200   200   200   200   200   200   200
forgotten-password           GET    -          200   200   200   200   200   200   200   200   200
forgotten-password           POST   -          200   200   200   200   200   200   200   200   200
reset-password               GET    -          410   410   410   410   410   410   410   410   410
reset-password               POST   -          410   410   410   410   410   410   410   410   410
account                      GET    -          in    200   200   200   200   200   200   200   200
account                      POST   -          in    go    go    go    go    go    go    go    go
new-address                  GET    -          in    200   200   200   200   200   200   200   200
new-address                  POST   -          in    409   409   409   409   409   409   409   409
confirm-address              GET    -          in    410   410   200   410   410   410   410   410
confirm-address              POST   -          in    410   410   go    410   410   410   410   410
end-session                  POST   -          in    404   404   go    404   404   404   404   404
end-other-sessions           POST   -          in    go    go    go    go    go    go    go    go
register                     GET    -          404   404   404   404   404   404   404   404   404
register                     POST   -          404   404   404   404   404   404   404   404   404
confirm-registration         GET    -          404   404   404   404   404   404   404   404   404
confirm-registration         POST   -          404   404   404   404   404   404   404   404   404
invitation                   GET    -          200   200   200   200   200   200   200   200   200
invitation                   POST   -          go    go    go    go    go    go    go    go    go
project-invitations          GET    administer in    404   404   403   403   404   200   200   200
project-invitations          POST   administer in    404   404   403   403   404   201   201   201
invite-list                  POST   administer in    404   404   403   403   404   201   201   201
send-invitation-again        POST   administer in    404   404   403   403   404   404   404   404
revoke-invitation            POST   administer in    404   404   403   403   404   go    go    go
questionnaire                GET    administer in    404   404   403   403   404   200   200   200
questionnaire                POST   administer in    404   404   403   403   404   go    go    go
questionnaire-answers        GET    administer in    404   404   403   403   404   200   200   200
questionnaire-answers-csv    GET    administer in    404   404   403   403   404   200   200   200
answer-questionnaire         GET    judge      in    404   404   go    404   404   go    go    404
answer-questionnaire         POST   judge      in    404   404   go    404   404   go    go    404
reminders                    GET    administer in    404   404   403   403   404   200   200   200
reminders                    POST   administer in    404   404   403   403   404   200   200   200
set-automatic-reminders      POST   administer in    404   404   403   403   404   go    go    go
set-reminders                POST   -          in    go    go    go    go    go    go    go    go
stop-reminders               GET    -          404   404   404   404   404   404   404   404   404
stop-reminders               POST   -          404   404   404   404   404   404   404   404   404
new-link                     POST   administer in    404   404   403   403   404   201   201   201
webhooks                     GET    administer in    404   404   403   403   404   200   200   200
new-webhook                  POST   administer in    404   404   403   403   404   go    go    go
change-webhook               POST   administer in    404   404   403   403   404   go    go    go
remove-webhook               POST   administer in    404   404   403   403   404   go    go    go
renew-webhook-secret         POST   administer in    404   404   403   403   404   go    go    go
test-webhook                 POST   administer in    404   404   403   403   404   go    go    go
deliver-webhook-again        POST   administer in    404   404   403   403   404   go    go    go
import-judgements            GET    administer in    404   404   403   403   404   200   200   200
import-judgements            POST   administer in    404   404   403   403   404   400   400   400
exports                      GET    observe    in    404   404   403   200   404   200   200   200
export                       GET    observe    in    404   404   403   200   404   200   200   200
export-archive               GET    administer in    404   404   403   403   404   200   200   200
sentence-level               GET    observe    in    404   404   403   200   404   200   200   200
overview                     GET    observe    in    404   404   403   200   404   200   200   200
overview-now                 GET    observe    in    404   404   403   200   404   200   200   200
report                       GET    observe    in    404   404   403   200   404   200   200   200
report-state                 GET    observe    in    404   404   403   200   404   200   200   200
report-refresh               POST   observe    in    404   404   403   go    404   go    go    go
report-schedule              POST   administer in    404   404   403   403   404   go    go    go
report-json                  GET    observe    in    404   404   403   200   404   200   200   200
report-zip                   GET    observe    in    404   404   403   200   404   200   200   200
report-paper                 GET    observe    in    404   404   403   200   404   200   200   200
report-figure                GET    observe    in    404   404   403   200   404   200   200   200
report-image                 GET    observe    in    404   404   403   200   404   200   200   200
report-table                 GET    observe    in    404   404   403   200   404   200   200   200
report-sharing               GET    administer in    404   404   403   403   404   200   200   200
report-sharing               POST   administer in    404   404   403   403   404   201   201   201
revoke-shared-report         POST   administer in    404   404   403   403   404   go    go    go
shared-report                GET    -          200   200   200   200   200   200   200   200   200
shared-documents             GET    -          404   404   404   404   404   404   404   404   404
shared-document              GET    -          404   404   404   404   404   404   404   404   404
shared-report-json           GET    -          200   200   200   200   200   200   200   200   200
shared-report-zip            GET    -          200   200   200   200   200   200   200   200   200
shared-report-figure         GET    -          200   200   200   200   200   200   200   200   200
shared-report-image          GET    -          200   200   200   200   200   200   200   200   200
shared-report-table          GET    -          200   200   200   200   200   200   200   200   200
metrics                      GET    observe    in    404   404   403   200   404   200   200   200
metrics-state                GET    observe    in    404   404   403   200   404   200   200   200
metrics-refresh              POST   observe    in    404   404   403   go    404   go    go    go
add-scores                   POST   administer in    404   404   403   403   404   go    go    go
remove-scores                POST   administer in    404   404   403   403   404   go    go    go
metrics-json                 GET    observe    in    404   404   403   200   404   200   200   200
metrics-eval-set             GET    observe    in    404   404   403   200   404   200   200   200
metrics-zip                  GET    observe    in    404   404   403   200   404   200   200   200
metrics-figure               GET    observe    in    404   404   403   200   404   200   200   200
metrics-image                GET    observe    in    404   404   403   200   404   200   200   200
metrics-table                GET    observe    in    404   404   403   200   404   200   200   200
start                        GET    -          200   200   200   200   200   200   200   200   200
start                        POST   -          go    go    go    go    go    go    go    go    go
start-again                  GET    -          200   200   200   200   200   200   200   200   200
crowd                        GET    administer in    404   404   403   403   404   200   200   200
new-start-link               GET    administer in    404   404   403   403   404   200   200   200
new-start-link               POST   administer in    404   404   403   403   404   go    go    go
start-link                   GET    administer in    404   404   403   403   404   200   200   200
start-link                   POST   administer in    404   404   403   403   404   go    go    go
crowd-pay                    POST   administer in    404   404   403   403   404   go    go    go
crowd-done                   GET    none       in    404   404   404   404   404   404   404   404
payment-csv                  GET    administer in    404   404   403   403   404   200   200   200
my-data                      GET    -          in    200   200   200   200   200   200   200   200
my-data-json                 GET    -          in    200   200   200   200   200   200   200   200
anonymise-me                 POST   -          in    400   400   go    400   400   400   400   400
member-data                  GET    administer in    404   404   403   403   404   200   200   200
anonymise-member             GET    own        in    404   404   403   403   404   403   200   200
anonymise-member             POST   own        in    404   404   403   403   404   403   go    go
api-schema                   GET    -          200   200   200   200   200   200   200   200   200
api-schema-yaml              GET    -          200   200   200   200   200   200   200   200   200
api-documentation            GET    -          200   200   200   200   200   200   200   200   200
api-nowhere                  GET    -          404   404   404   404   404   404   404   404   404
api-nowhere                  POST   -          404   404   404   404   404   404   404   404   404
api-nowhere                  PUT    -          404   404   404   404   404   404   404   404   404
api-nowhere                  PATCH  -          404   404   404   404   404   404   404   404   404
api-nowhere                  DELETE -          404   404   404   404   404   404   404   404   404
tokens                       GET    -          in    200   200   200   200   200   200   200   200
tokens                       POST   -          in    200   200   200   200   200   200   200   200
revoke-token                 POST   -          in    go    go    go    go    go    go    go    go
api-projects                 GET    -          401   200   200   200   200   200   200   200   200
api-projects                 POST   -          401   403   403   403   403   201   201   201   201
api-plan                     GET    -          401   403   403   403   403   400   400   400   400
api-campaigns                POST   -          401   403   403   403   403   400   400   400   400
api-project-preview          POST   -          401   403   403   403   403   202   202   202   202
api-preview                  GET    -          401   403   403   403   403   404   200   404   404
api-project                  GET    observe    401   404   404   403   200   404   200   200   200
api-project                  PATCH  administer 401   404   404   403   403   404   200   200   200
api-project                  DELETE own        401   404   404   403   403   404   403   204   204
api-project-state            PUT    administer 401   404   404   403   403   404   200   200   200
api-project-copies           POST   administer 401   404   404   403   403   404   201   201   201
api-acceptance-projects      POST   administer 401   404   404   403   403   404   409   409   409
api-job                      GET    administer 401   404   404   403   403   404   200   200   200
api-job                      DELETE administer 401   404   404   403   403   404   409   409   409
api-job-retry                POST   administer 401   404   404   403   403   404   409   409   409
api-files                    GET    administer 401   404   404   403   403   404   200   200   200
api-sentences                GET    administer 401   404   404   403   403   404   200   200   200
api-preparation              GET    administer 401   404   404   403   403   404   200   200   200
api-judged-sentence          GET    observe    401   404   404   403   200   404   200   200   200
api-sentence-level           GET    observe    401   404   404   403   409   404   409   409   409
api-systems                  GET    administer 401   404   404   403   403   404   200   200   200
api-systems                  POST   administer 401   404   404   403   403   404   202   202   202
api-system-go-on             POST   administer 401   404   404   403   403   404   409   409   409
api-system-sample            POST   administer 401   404   404   403   403   404   409   409   409
api-sample                   GET    administer 401   404   404   403   403   404   200   200   200
api-sample                   POST   administer 401   404   404   403   403   404   409   409   409
api-sentence-excluded        PUT    administer 401   404   404   403   403   404   200   200   200
api-sentence-returned        PUT    administer 401   404   404   403   403   404   200   200   200
api-excluded                 GET    observe    401   404   404   403   200   404   200   200   200
api-media                    GET    administer 401   404   404   403   403   404   200   200   200
api-media                    POST   administer 401   404   404   403   403   404   201   201   201
api-medium                   GET    administer 401   404   404   403   403   404   200   200   200
api-medium                   DELETE administer 401   404   404   403   403   404   204   204   204
api-reference                POST   administer 401   404   404   403   403   404   201   201   201
api-given-errors             GET    administer 401   404   404   403   403   404   200   200   200
api-given-errors             POST   administer 401   404   404   403   403   404   409   409   409
api-second-pass              POST   administer 401   404   404   403   403   404   409   409   409
api-imported-judgements      POST   administer 401   404   404   403   403   404   400   400   400
api-given-origin             DELETE administer 401   404   404   403   403   404   204   204   204
api-undecided                GET    administer 401   404   404   403   403   404   200   200   200
api-undecided                PUT    administer 401   404   404   403   403   404   200   200   200
api-members                  GET    administer 401   404   404   403   403   404   200   200   200
api-members                  POST   administer 401   404   404   403   403   404   201   201   201
api-member                   GET    administer 401   404   404   403   403   404   200   200   200
api-member                   PUT    administer 401   404   404   403   403   404   200   200   200
api-member                   PATCH  administer 401   404   404   403   403   404   200   200   200
api-member                   DELETE administer 401   404   404   403   403   404   204   204   204
api-new-link                 POST   administer 401   404   404   403   403   404   201   201   201
api-member-paused            PUT    administer 401   404   404   403   403   404   200   200   200
api-member-discarded         PUT    administer 401   404   404   403   403   404   200   200   200
api-member-sentences         GET    administer 401   404   404   403   403   404   200   200   200
api-member-sentences         PUT    administer 401   404   404   403   403   404   200   200   200
api-member-data              GET    administer 401   404   404   403   403   404   200   200   200
api-anonymise                POST   own        401   404   404   403   403   404   403   200   200
api-invitations              GET    administer 401   404   404   403   403   404   200   200   200
api-invitations              POST   administer 401   404   404   403   403   404   201   201   201
api-invite-list              POST   administer 401   404   404   403   403   404   201   201   201
api-invitation               GET    administer 401   404   404   403   403   404   200   200   200
api-invitation               DELETE administer 401   404   404   403   403   404   204   204   204
api-start-links              GET    administer 401   404   404   403   403   404   200   200   200
api-start-links              POST   administer 401   404   404   403   403   404   201   201   201
api-start-link               GET    administer 401   404   404   403   403   404   200   200   200
api-start-link               PATCH  administer 401   404   404   403   403   404   200   200   200
api-pay                      GET    administer 401   404   404   403   403   404   200   200   200
api-pay                      PUT    administer 401   404   404   403   403   404   200   200   200
api-payment                  GET    administer 401   404   404   403   403   404   200   200   200
api-assignments              GET    administer 401   404   404   403   403   404   200   200   200
api-release                  POST   administer 401   404   404   403   403   404   200   200   200
api-questionnaires           GET    administer 401   404   404   403   403   404   200   200   200
api-questionnaire-answers    GET    administer 401   404   404   403   403   404   200   200   200
api-instructions             GET    administer 401   404   404   403   403   404   200   200   200
api-instructions             POST   administer 401   404   404   403   403   404   201   201   201
api-instructions-preview     POST   administer 401   404   404   403   403   404   200   200   200
api-instructions-version     GET    administer 401   404   404   403   403   404   200   200   200
api-controls                 GET    administer 401   404   404   403   403   404   200   200   200
api-controls                 POST   administer 401   404   404   403   403   404   201   201   201
api-control                  PUT    administer 401   404   404   403   403   404   204   204   204
api-disputed                 GET    administer 401   404   404   403   403   404   200   200   200
api-settle                   GET    administer 401   404   404   403   403   404   404   404   404
api-settle                   PUT    administer 401   404   404   403   403   404   404   404   404
api-quality                  GET    administer 401   404   404   403   403   404   200   200   200
api-quality-rules            GET    administer 401   404   404   403   403   404   200   200   200
api-quality-rules            PUT    administer 401   404   404   403   403   404   200   200   200
api-quality-flags            GET    administer 401   404   404   403   403   404   200   200   200
api-quality-dismiss          POST   administer 401   404   404   403   403   404   200   200   200
api-practice                 GET    administer 401   404   404   403   403   404   200   200   200
api-practice                 POST   administer 401   404   404   403   403   404   201   201   201
api-tutorial                 POST   administer 401   404   404   403   403   404   400   400   400
api-practice-possible        GET    administer 401   404   404   403   403   404   200   200   200
api-practice-sheet           GET    administer 401   404   404   403   403   404   200   200   200
api-practice-results         GET    observe    401   404   404   403   200   404   200   200   200
api-practice-one             GET    administer 401   404   404   403   403   404   200   200   200
api-practice-answers         PUT    administer 401   404   404   403   403   404   200   200   200
api-overview                 GET    observe    401   404   404   403   200   404   200   200   200
api-report-zip               GET    observe    401   404   404   403   200   404   200   200   200
api-report-paper             GET    observe    401   404   404   403   200   404   200   200   200
api-practice-one             PUT    administer 401   404   404   403   403   404   204   204   204
api-judgements               GET    observe    401   404   404   403   200   404   200   200   200
api-statistics               GET    observe    401   404   404   403   200   404   200   200   200
api-ranking                  GET    observe    401   404   404   403   200   404   200   200   200
api-reports                  GET    observe    401   404   404   403   200   404   200   200   200
api-schedule                 GET    observe    401   404   404   403   200   404   200   200   200
api-report                   GET    observe    401   404   404   403   200   404   200   200   200
api-shared-links             GET    administer 401   404   404   403   403   404   200   200   200
api-shared-links             POST   administer 401   404   404   403   403   404   201   201   201
api-shared-link              GET    administer 401   404   404   403   403   404   200   200   200
api-shared-link              DELETE administer 401   404   404   403   403   404   204   204   204
api-report-data              GET    observe    401   404   404   403   200   404   200   200   200
api-tables                   GET    observe    401   404   404   403   200   404   200   200   200
api-table                    GET    observe    401   404   404   403   200   404   200   200   200
api-figures                  GET    observe    401   404   404   403   200   404   200   200   200
api-figure                   GET    observe    401   404   404   403   200   404   200   200   200
api-metrics                  GET    observe    401   404   404   403   200   404   200   200   200
api-metrics-refresh          POST   observe    401   404   404   403   202   404   202   202   202
api-score-files              GET    observe    401   404   404   403   200   404   200   200   200
api-score-files              POST   administer 401   404   404   403   403   404   201   201   201
api-score-file               DELETE administer 401   404   404   403   403   404   204   204   204
api-annotator-models         GET    observe    401   404   404   403   200   404   200   200   200
api-annotator-models-refresh POST   observe    401   404   404   403   409   404   409   409   409
api-export                   GET    observe    401   404   404   403   200   404   200   200   200
api-metrics-eval-set         GET    observe    401   404   404   403   200   404   200   200   200
api-reports                  POST   observe    401   404   404   403   202   404   202   202   202
api-schedule                 PUT    administer 401   404   404   403   403   404   200   200   200
api-archive                  GET    administer 401   404   404   403   403   404   200   200   200
api-webhooks                 GET    administer 401   404   404   403   403   404   200   200   200
api-webhooks                 POST   administer 401   404   404   403   403   404   201   201   201
api-webhook                  GET    administer 401   404   404   403   403   404   200   200   200
api-webhook                  PATCH  administer 401   404   404   403   403   404   200   200   200
api-webhook                  DELETE administer 401   404   404   403   403   404   204   204   204
api-webhook-secret           PUT    administer 401   404   404   403   403   404   200   200   200
api-webhook-test             POST   administer 401   404   404   403   403   404   202   202   202
api-deliveries               GET    administer 401   404   404   403   403   404   200   200   200
api-delivery-again           POST   administer 401   404   404   403   403   404   202   202   202
"""


def expected() -> dict[tuple[str, str], dict[str, str]]:
    """Return the answer to each role, by the name of the address and the method."""
    return {row: dict(zip(ROLES, answers, strict=True)) for row, (_right, *answers) in _rows()}


def required() -> dict[tuple[str, str], str]:
    """Return the right in the project, by the name of the address and the method."""
    return {row: right for row, (right, *_answers) in _rows()}


def _rows() -> Iterator[tuple[tuple[str, str], list[str]]]:
    seen = set()
    for line in TABLE.strip().splitlines()[2:]:
        name, method, *columns = line.split()
        assert (name, method) not in seen, f"{name} {method} has two rows."
        seen.add((name, method))
        yield (name, method), columns
