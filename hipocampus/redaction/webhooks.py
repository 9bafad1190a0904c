"""URLs whose path is the secret: webhooks.

A row is kind, a literal that begins at the word `hook` of the URL, the pattern from there (its group is the secret), an
example, and a look-alike that stays. `{A12}` in an example is twelve random characters of class A of the providers.
"""

from __future__ import annotations

from hipocampus.core.patterns import pattern
from hipocampus.redaction.view import Span, View
from hipocampus.redaction.wordlike import is_wordy

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

WEBHOOKS: tuple[tuple[str, str, re.Pattern[str], str, str], ...] = (
    (
        "slack-webhook",
        "hooks.slack",
        pattern(r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/_-]{16,200})"),
        "https://hooks.slack.com/services/T{U8}/B{U8}/{A24}",
        "https://hooks.slack.com/services/YOUR/WEBHOOK/URL",
    ),
    (
        "discord-webhook",
        "hooks/",
        pattern(r"hooks/(\d{10,22}/[A-Za-z0-9_-]{40,120})"),
        "https://discord.com/api/webhooks/{d18}/{W68}",
        "GET /repos/acme/shop/webhooks/12345678901/deliveries",
    ),
    (
        "teams-webhook",
        "hookb2/",
        pattern(r"hookb2/([A-Za-z0-9@/-]{40,300})"),
        "https://acme.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/{H32}/{uuid}",
        "https://acme.webhook.office.com/webhookb2/<id>",
    ),
    (
        "teams-webhook",
        "hook/",
        pattern(r"hook/([A-Za-z0-9@-]{0,80}/?(?:IncomingWebhook/)?[A-Fa-f0-9]{32}/[A-Za-z0-9/-]{30,100})"),
        "https://outlook.office.com/webhook/{uuid}@{uuid}/IncomingWebhook/{H32}/{uuid}",
        "https://learn.acme.io/docs/IncomingWebhook/overview",
    ),
    (
        "zapier-webhook",
        "hooks.zapier",
        pattern(r"hooks\.zapier\.com/hooks/(?:catch|standard)/(\d{4,12}/[A-Za-z0-9_]{5,40})"),
        "https://hooks.zapier.com/hooks/catch/{d7}/{N7}/",
        "https://hooks.zapier.com/hooks/catch/ID/NAME",
    ),
    (
        "webhook",
        "hooks/",
        pattern(r"hooks/([A-Za-z0-9]{20,64}(?:/[A-Za-z0-9_-]{20,64})?)(?![\w-])"),
        "https://chat.acme.io/hooks/{N26}",
        "https://acme.io/hooks/useInfiniteScrollPosition",
    ),
    (
        "webhook",
        "hook.",
        pattern(r"hook\.[a-z0-9]{2,6}\.make\.com/([a-z0-9]{24,40})"),
        "https://hook.eu1.make.com/{N32}",
        "https://hook.eu1.make.com/docs",
    ),
)


def find(view: View, at: int) -> tuple[Span, ...]:
    """The secret path of the webhook URL that has the word `hook` at `at`."""
    for kind, literal, path, _example, _other in WEBHOOKS:
        match = path.match(view.text, at) if view.lower.startswith(literal, at) else None
        if match and any(map(str.isdigit, match[1])) and not (kind == "webhook" and is_wordy(match[1])):
            return ((*match.span(1), kind, None),)
    return ()
