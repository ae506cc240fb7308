"""Episodes and rewards of a Hopscope server over HTTP, with nothing but Python's standard library.

What may pass (a connection that breaks, a server that is busy or restarts) is tried again; an episode is opened under an
id of its own and every move carries a number, so that what is sent twice is played once. What does not pass is raised as
HopscopeError: a trainer must never take a failure for a reward of 0.
"""

import http.client
import json
import math
import os
import time
import urllib.error
import urllib.request
import uuid

BUSY = (429, 502, 503, 504)


class HopscopeError(RuntimeError):
    """The server refused, or did not answer; `status` is the HTTP status, None without an answer."""

    def __init__(self, message, code="no-answer", status=None):
        super().__init__(message)
        self.code = code
        self.status = status

    def __reduce__(self):
        # trainers send errors from one process to another
        return (HopscopeError, (str(self), self.code, self.status))


class Client:
    """`url` and `token` default to HOPSCOPE_URL and HOPSCOPE_TOKEN; `patience` is how many seconds to go on trying."""

    def __init__(self, url=None, token=None, patience=120.0, timeout=120.0):
        self.url = (url or os.environ.get("HOPSCOPE_URL", "http://127.0.0.1:8000")).rstrip("/")
        self.token = token or os.environ.get("HOPSCOPE_TOKEN")
        self.patience = patience
        self.timeout = timeout

    def call(self, method, path, body=None):
        """The JSON that the server answers."""
        headers = {"content-type": "application/json", "accept": "application/json"}
        if self.token:
            headers["authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        until = time.monotonic() + self.patience
        pause = 0.25
        while True:
            request = urllib.request.Request(self.url + path, data=data, headers=headers, method=method)
            try:
                with urllib.request.urlopen(request, timeout=self.timeout) as reply:
                    return json.loads(reply.read() or b"null")
            except urllib.error.HTTPError as error:
                failure = _refusal(error)
                if error.code not in BUSY:
                    raise failure from None
            except (urllib.error.URLError, http.client.HTTPException, OSError, ValueError) as error:
                failure = HopscopeError(f"{self.url} gave no answer: {error}")
            if time.monotonic() + pause > until:
                raise failure
            time.sleep(pause)
            pause = min(pause * 2, 5.0)

    def open(self, task, seed=0):
        """Begins an episode of the task with this id."""
        return Episode(self, task, seed)

    def score(self, body):
        """The reward of a finished text or trajectory; see the server's /score."""
        return self.call("POST", "/score", body)


class Episode:
    """One episode: `opening` and `stop` as the server gives them, `turn` the last move's outcome, `reward` with its parts at the end."""

    def __init__(self, client, task, seed=0):
        self.client = client
        self.id = uuid.uuid4().hex
        opened = client.call("POST", "/v1/episodes", {"id": self.id, "task": task, "seed": seed})
        self.opening = opened["opening"]
        self.tools = opened["tools"]
        self.stop = opened["stop"]
        self.turn = None
        self.reward = None
        self._moves = 0

    def say(self, text, cut=False):
        """A reply in the protocol's own words; `cut`: a length limit ended it."""
        return self._act({"say": text, "cut": True} if cut else {"say": text})

    def call(self, name, arguments):
        """One call of a tool."""
        return self._act({"calls": [{"name": name, "arguments": arguments}]})

    def answer(self, text):
        """The final answer."""
        return self._act({"answer": text})

    def close(self):
        """Ends the episode, over or not; an episode that is gone is closed."""
        try:
            self.client.call("DELETE", f"/v1/episodes/{self.id}")
        except HopscopeError as error:
            if error.status != 404:
                raise

    @property
    def over(self):
        return bool(self.turn and self.turn["over"])

    def _act(self, move):
        self._moves += 1
        self.turn = self.client.call("POST", f"/v1/episodes/{self.id}/act", {**move, "request": str(self._moves)})
        if self.turn["over"]:
            paid = self.turn.get("reward")
            if not isinstance(paid, dict) or not isinstance(paid.get("value"), (int, float)):
                raise HopscopeError(f"episode {self.id} ended without a reward", "no-reward")
            self.reward = numbers(paid["value"], {name: paid[name] for name in paid if name != "value"})
        return self.turn


def parts_of(message):
    """The parts of a message, whose content may be one text."""
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def text_of(messages):
    """The text of messages, one part after another; images are left out."""
    return "\n".join(part["text"] for message in messages for part in parts_of(message) if part["type"] == "text")


def numbers(reward, components):
    """A reward and what it was made from, for a trainer's log; `acc` is the outcome by the name that trainers look for.

    What is not known is NaN rather than left out: trainers take the names of a batch from its first sample.
    """
    known = {name: math.nan if value is None else value for name, value in components.items()}
    parts = {name: float(value) for name, value in known.items() if isinstance(value, (int, float))}
    return {"score": float(reward), "acc": parts["outcome"], **parts}


def _refusal(error):
    try:
        told = json.loads(error.read()).get("error", {})
    except (ValueError, OSError, AttributeError):
        told = {}
    if not isinstance(told, dict):
        told = {"message": str(told)}
    message = " – ".join(str(told[key]) for key in ("message", "remedy") if told.get(key))
    return HopscopeError(message or f"HTTP {error.code}", str(told.get("code", "refused")), error.code)
