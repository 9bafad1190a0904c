"""What an identifier promises about the value beside it: names decide the class, `values` decides the verdict."""

from __future__ import annotations

from hipocampus.core.patterns import pattern
from hipocampus.redaction.patterns import vocabulary

PASSWORD = "password"  # noqa: S105 - these are kinds, not values
SECRET = "secret"  # noqa: S105
TOKEN = "token"  # noqa: S105
API_KEY = "api-key"
KEY = "key"
AUTH = "auth"
PRIVATE_KEY = "private-key"
CREDENTIALS = "credentials"

_WORD = pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def _by_kind(*rows: tuple[str, str]) -> dict[str, str]:
    """The kind of each word, from rows of a kind and its words."""
    return {word: kind for kind, words in rows for word in words.split()}


# What the last word of an identifier says about the value.
_LAST = _by_kind(
    (PASSWORD, "password passwords passe passwd passwort kennwort passphrase passcode pass pwd pw psw pword passwrd"),
    (PASSWORD, "pswd pasword contrasena senha clave parola dbpass dbpwd dbpw mysqlpwd userpwd userpass userpw rootpw"),
    (PASSWORD, "rootpass adminpw adminpass smtppass ftppass pgpass mypass mypwd mypw mysqlpass mysqlpw psk"),
    (PASSWORD, "requirepass masterauth storepass"),
    (PASSWORD, "keypass srcstorepass deststorepass paasword passowrd passsword"),
    (SECRET, "secret secrets secretkey secretaccesskey appsecret salt pepper"),
    (TOKEN, "token tokens jwt pat bearer authtoken accesstoken refreshtoken idtoken bottoken usertoken apitoken"),
    (TOKEN, "sessiontoken identitytoken registrytoken authentication"),
    (API_KEY, "apikey apikeys appkey authkey accesskey masterkey accountkey subscriptionkey licensekey"),
    (KEY, "key keys"),
    (PRIVATE_KEY, "privatekey presharedkey encryptionkey signingkey sharedkey sharedaccesskey"),
    (AUTH, "auth authorization"),
    (CREDENTIALS, "credential credentials creds cred"),
)
# Words that no word before them makes anything else.
PLAIN = frozenset(
    written
    for word, kind in _LAST.items()
    if kind == PASSWORD and word not in ("pass", "passe", "clave")
    for written in (word, word.upper(), word.title())
)
# Endings of words that are written together: dbpassword, clientsecret, githubtoken, stripeapikey.
_ENDINGS = _by_kind(
    (PASSWORD, "password passwd passphrase"),
    (SECRET, "secret secretkey"),
    (TOKEN, "token"),
    (API_KEY, "apikey accesskey authkey"),
    (PRIVATE_KEY, "privatekey encryptionkey signingkey sharedkey"),
)
# One of these is in every word of the two tables; most texts that are asked about have none.
_HINT = pattern(
    "pass|p[ws]|word|wo?rt|secret|token|key|auth|cred|jwt|pat|salt|pepper|clave|senha|parola|bearer|trasena"
)
_ALL_ENDINGS = tuple(_ENDINGS)

_TYPES = vocabulary("password pass passphrase secret token key credential credentials auth")

# What may follow the word that names the secret without changing what it is.
_NEUTRAL = vocabulary(
    "value val plain plaintext raw str string prod production dev development stg stage staging test testing qa",
    "uat live local default old new current cur prev previous base b64 base64 encoded hex primary secondary",
    "backup main master root admin ro rw data equals confirm confirmation again repeat retype verify env var",
    "mysql postgres postgresql pg redis mongo mongodb db database github gitlab openai anthropic stripe slack aws",
    "gcp azure google npm pypi docker heroku twilio sendgrid discord telegram smtp ftp ssh vpn wifi user app api",
    "service server client here is",
)

# What before `key` makes it one, and not the key of a map: `api key`, `signing key`, `OPENAI_KEY`.
_KEY_QUALIFIERS = _by_kind(
    (
        API_KEY,
        "api apis app application access auth authentication account admin subscription client consumer developer",
    ),
    (API_KEY, "functions function  service license licence integration ingest ingestion project deploy webhook"),
    (API_KEY, "write server rest master storage  shared instrumentation publish maps sas team org routing host"),
    (SECRET, "secret"),
    (PRIVATE_KEY, "private encryption encrypt encrypted decryption signing sign signature session cookie jwt"),
    (PRIVATE_KEY, "hmac aes des crypto cipher data  preshared psk vault unseal recovery root wireguard age"),
    (PRIVATE_KEY, "wallet symmetric fernet"),
    (API_KEY, "openai anthropic claude stripe github gitlab google gcp aws azure openrouter huggingface hf"),
    (API_KEY, "cohere mistral groq  deepseek gemini perplexity together replicate sendgrid mailgun mailchimp"),
    (API_KEY, "twilio datadog dd newrelic sentry  algolia cloudflare cf digitalocean heroku fastly pagerduty"),
    (API_KEY, "opsgenie slack discord telegram firebase fcm supabase  airtable notion linear jira confluence"),
    (API_KEY, "okta auth0 shopify square paypal braintree plaid mapbox tavily serpapi  serper brave exa pinecone"),
    (API_KEY, "weaviate qdrant langsmith langfuse wandb comet elevenlabs assemblyai deepgram etherscan  infura"),
    (API_KEY, "alchemy bitly weather openweather openweathermap newsapi tmdb giphy pexels unsplash circleci"),
    (API_KEY, "travis codecov  sonar snyk npm nuget pypi rubygems typeform zendesk intercom segment mixpanel"),
    (API_KEY, "amplitude posthog vercel netlify  render railway fly dockerhub"),
    (API_KEY, "softlayer sl slapi cloudant ibm abuseipdb accuweather adafruit airbrake alienvault apify asana"),
    (API_KEY, "bamboohr bitbucket blockcypher browserstack bugsnag buildkite calendly chargebee clearbit clickup"),
    (API_KEY, "cloudinary codacy coinbase contentful convertkit crowdin currencylayer customerio deepl dnsimple"),
    (API_KEY, "dropbox dynatrace easypost etsy eventbrite facebook fixer flickr foursquare freshdesk geocodio"),
    (API_KEY, "getresponse gocardless gumroad hubspot ipgeolocation ipinfo ipstack iterable klaviyo lastfm"),
    (API_KEY, "launchdarkly linkedin linode loggly mailerlite mailjet mandrill mapquest messagebird nylas omdb"),
    (API_KEY, "onesignal opencage optimizely pastebin paystack pipedrive pixabay plivo postmark pubnub pushbullet"),
    (API_KEY, "pusher rapidapi razorpay recaptcha saucelabs scaleway sendbird shodan sparkpost splunk spoonacular"),
    (API_KEY, "spotify strava surveymonkey telnyx todoist tomtom trello tumblr twitch twitter virustotal vonage"),
    (API_KEY, "vultr wakatime webflow yelp youtube zapier zoho"),
)
# Of these, the ones that count only in capitals.
_ONLY_LOUD = vocabulary(
    "project write host team org root data service storage publish routing rest server function",
)
# What before the word says that it is something else.
_NOT_KEYS = vocabulary(
    "publishable site measurement",
    "primary foreign public pub cache sort partition index lookup row registry hot arrow map group hash route",
    "routing query i18n translation config feature shortcut object topic message dedup dedupe idempotency header",
    "sort order unique composite candidate natural surrogate dict json xml html css event press down up left",
    "right tab enter escape shift ctrl alt function meta modifier any each per no the this that a host known ssh",
    "option setting parameter param argument fips field column property attribute label name lang locale storage",
    "redis queue lock rate limit bucket nav menu answer",
)
_NOT_TOKENS = vocabulary(
    "csrf xsrf csrfmiddleware eos bos pad padding unk unknown sep cls mask special next page paging continuation",
    "cancellation cancel cancelation stop start begin end max min num number count prev previous cur current peek",
    "lookahead symbol input output prompt completion first last syntax punctuation keyword operator identifier",
    "comment string eof newline whitespace indent dedent literal lexer parser parse design color colour nft erc20",
    "native reward governance sync request change resume cursor antiforgery requestverification forgery image audio",
    "vision video bytes byte subword per total used cached reasoning xxh abort lock starting idempotency update",
)
# What passes there is a compiler, a wall or a loop.
_NOT_PASS = vocabulary(
    "debug multi first second third one two single last next full render compiler opt optimization forward",
    "backward back by low high band loop print analysis transform lowering codegen to the a an and or not let",
    "must can will should check test tests all this that it them function module final initial shader depth",
)
# Whose personal access tokens are called PAT; elsewhere PAT is a pattern.
_PAT_OWNERS = vocabulary(
    "github gh gitlab gl azure ado az devops git ghcr personal access databricks figma airtable jira bitbucket my",
    "ci",
)
_NOT_SECRETS = vocabulary("no non not is has use with without k8s kubernetes external sealed")


def classify(name: str, before: str = "") -> str | None:
    """The kind of value that the identifier `name` holds, or None; `before` is the word written before it."""
    if not _HINT.search(name.lower()):
        return None
    words = [word.lower() for word in _WORD.findall(name)]
    while words and words[-1].isdigit():
        words.pop()
    if not words:
        return None
    before, loud = before.lower(), name.isupper()
    kind = _of_words(words, before, loud) or _before_neutral(words, before, loud)
    return None if kind not in (None, PASSWORD) and ("public" in words or "pub" in words) else kind


def is_type(name: str) -> bool:
    """`PasswordType`, `SecretV`: the name of a type, in capitals, that begins with what it holds."""
    words = [word.lower() for word in _WORD.findall(name)]
    return name[:1].isupper() and not name.isupper() and len(words) > 1 and words[0] in _TYPES


def _before_neutral(words: list[str], before: str, loud: bool) -> str | None:
    last = words[-1]  # data of tokens are the tables of a parser
    for _ in range(2):
        if len(words) < 2 or not (words[-1] in _NEUTRAL or words[-1].isdigit()):
            return None
        words = words[:-1]
        if words == ["pass"] and not loud:
            return None  # passValue is a verb and its object
        kind = _of_words(words, before, loud)
        if kind:
            return None if kind == TOKEN and last == "data" else kind
    return None


def _of_words(words: list[str], before: str, loud: bool) -> str | None:
    last = words[-1]
    kind = _LAST.get(last) or _by_ending(last)
    qualifier = words[-2] if len(words) > 1 else before
    match kind:
        case "key":
            return _key(qualifier, words, loud)
        case "token" if qualifier in _NOT_TOKENS or last in (
            "csrftoken",
            "xsrftoken",
            "csrfmiddlewaretoken",
            "nexttoken",
            "pagetoken",
        ):
            return None
        case "secret" if last in ("salt", "pepper") and not loud:
            return None
        case "secret" if qualifier in _NOT_SECRETS:
            return None
        case "password" if last == "clave" and qualifier in ("palabra", "palabras"):
            return None
        case "password" if (last == "pass" and qualifier in _NOT_PASS) or (last == "passe" and qualifier != "de"):
            return None
        case "token" if last == "pat" and not (loud if len(words) == 1 else qualifier in _PAT_OWNERS):
            return None
        case _:
            return kind


def _by_ending(word: str) -> str | None:
    if not word.endswith(_ALL_ENDINGS):
        return None
    return next((kind for ending, kind in _ENDINGS.items() if len(word) > len(ending) and word.endswith(ending)), None)


def _key(qualifier: str, words: list[str], loud: bool) -> str | None:
    """`key` says nothing by itself: it needs a qualifier, or capitals (STRIPE_KEY)."""
    if "secret" in words[:-1]:
        return SECRET
    if qualifier in _KEY_QUALIFIERS and (loud or qualifier not in _ONLY_LOUD):
        return _KEY_QUALIFIERS[qualifier]
    if qualifier in _NOT_KEYS or not qualifier:
        return None
    if _LAST.get(qualifier) in (TOKEN, SECRET, PASSWORD):
        return SECRET
    return API_KEY if loud and len(words) > 1 else None
