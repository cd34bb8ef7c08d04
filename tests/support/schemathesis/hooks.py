"""What Schemathesis does beside its own checks: it keeps to this machine, removes what it makes, and
drops the failures that exceptions.json explains. The addresses and files come in ATOLL_* variables."""

import json
import os
import re
from pathlib import Path

import requests
import schemathesis

BASE_URL = os.environ["ATOLL_URL"]
CLOSED_ADDRESS = os.environ["ATOLL_CLOSED_ADDRESS"]
KEPT_IDS = set(json.loads(os.environ["ATOLL_KEPT_IDS"]))
SESSION_ID = os.environ["ATOLL_SESSION_ID"]
OUTCOME = Path(os.environ["ATOLL_OUTCOME"])
EXCEPTIONS = json.loads(Path(__file__).with_name("exceptions.json").read_text())

@schemathesis.hook
def before_call(context, case, kwargs):
    """Keeps what a request does on this machine, and short."""
    if not isinstance(case.body, dict):
        return
    if case.path == "/settings":
        keep_settings_local(case.body)
    if case.path == "/sandboxes" and case.body.get("runtime") in ("docker", "routed", "pyodide"):
        case.body["runtime"] = "local"
    if case.path.endswith(("/commands", "/python")):
        case.body.setdefault("timeout_ms", 2000)
    if re.fullmatch(r"[A-Za-z0-9_-]{6,80}", str(case.body.get("session_id"))):
        case.body["session_id"] = SESSION_ID


def keep_settings_local(body):
    """No model outside is asked, and no later answer waits for an approval."""
    address = body.get("base_url")
    if isinstance(address, str) and re.match(r"https?:", address, re.IGNORECASE):
        body["base_url"] = CLOSED_ADDRESS
    keys = body.get("keys")
    if isinstance(keys, dict):
        for provider in ("anthropic", "google"):
            if isinstance(keys.get(provider), str):
                keys[provider] = None
    for rule in body.get("approval_rules") or []:
        if isinstance(rule, dict) and rule.get("permission") in ("ask", "deny"):
            rule["permission"] = "allow"


@schemathesis.hook
def after_call(context, case, response):
    """A made sandbox or thread is removed at once: a thousand of them would not fit this machine."""
    if case.method != "POST" or not 200 <= response.status_code < 300 or is_in_session(case):
        return
    text = response.content.decode("utf-8", "replace")
    for kind, path in (("sandbox_id", "/sandboxes/{}"), ("thread_id", "/thread/{}?now=true")):
        for made in set(re.findall(rf'"{kind}": ?"([A-Za-z0-9_-]+)"', text)) - KEPT_IDS:
            requests.delete(BASE_URL + path.format(made), timeout=60)


def is_in_session(case):
    """All requests by a session's name share one thread."""
    return SESSION_ID in (case.query.get("session_id"), isinstance(case.body, dict) and case.body.get("session_id"))


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """False drops the failure: exceptions.json says why it is none."""
    operation = case.operation.definition.raw.get("operationId", case.operation.label)
    found = next((one for one in EXCEPTIONS if explains(one, failure, operation, response)), None)
    record(found["name"] if found else "", failure, operation, response, case)
    return found is None


def explains(exception, failure, operation, response):
    return (
        exception["failure"] == type(failure).__name__
        and re.search(exception.get("operation", ""), operation) is not None
        and response.status_code in exception.get("statuses", [response.status_code])
        and re.search(exception.get("answer", ""), response.content.decode("utf-8", "replace")) is not None
    )


def record(name, failure, operation, response, case):
    line = {
        "exception": name,
        "failure": type(failure).__name__,
        "operation": operation,
        "status": response.status_code,
        "message": failure.message[:1500],
        "answer": response.content.decode("utf-8", "replace")[:600],
        "request": f"{case.method} {response.request.url}"[:600],
        "body": repr(response.request.body)[:600],
    }
    with OUTCOME.open("a") as file:
        file.write(json.dumps(line) + "\n")
