"""Episodes as TRL's `environment_factory` takes them: a class whose methods are the tools, and the reward of an episode."""

import inspect
import json
import math

from hopscope_client import Client, HopscopeError, parts_of
from hopscope_turns import must_be_same, picture

PYTHON = {"string": str, "integer": int, "number": float, "boolean": bool, "array": list, "object": dict}


def environment_class(tools, server=None):
    """The class: one method for each declared tool, with the types and the documentation that TRL's schema is made of."""

    class HopscopeEpisode:
        def __init__(self):
            self._client = Client(server)
            self._episode = None
            self._carried = []

        def reset(self, task=None, prompt=None, **_):
            if self._episode is not None:
                self._episode.close()
            self._carried = []
            self._episode = self._client.open(task)
            if prompt is not None:
                must_be_same(prompt, self._episode.opening)

        def _call(self, name, given):
            arguments = {key: value for key, value in given.items() if value is not None}
            self._carried.append((name, arguments))
            return shown(self._episode.call(name, arguments))

    for tool in tools:
        setattr(HopscopeEpisode, tool["name"], method_of(tool))
    return HopscopeEpisode


def method_of(tool):
    """A method that calls a declared tool; what is optional there defaults to None."""
    properties = tool["parameters"].get("properties", {})
    required = [name for name in properties if name in tool["parameters"].get("required", [])]
    names = required + [name for name in properties if name not in required]

    def method(self, *given, **named):
        return self._call(tool["name"], {**dict(zip(names, given, strict=False)), **named})

    types = {name: python_type(properties[name]) for name in names}
    types = {name: kind if name in required else kind | None for name, kind in types.items()}
    keyword = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [inspect.Parameter("self", keyword)] + [
        inspect.Parameter(
            name, keyword, annotation=types[name], default=inspect.Parameter.empty if name in required else None
        )
        for name in names
    ]
    method.__name__ = method.__qualname__ = tool["name"]
    method.__signature__ = inspect.Signature(parameters)
    method.__annotations__ = types
    told = [f"    {name}: {' '.join(properties[name].get('description', name).split())}" for name in names]
    method.__doc__ = "\n".join([" ".join(tool["description"].split()), "", "Args:", *told])
    return method


def python_type(schema):
    """The type that a schema stands for, of what tools take: plain ones, and lists of one."""
    kind = PYTHON.get(schema.get("type"), str)
    return list[python_type(schema["items"])] if kind is list and "items" in schema else kind


def shown(turn):
    """What a tool brings back: text, or blocks where there are images."""
    parts = [part for message in turn["observation"] for part in parts_of(message)]
    if all(part["type"] == "text" for part in parts):
        return "\n".join(part["text"] for part in parts) or "The episode is over: no more calls are taken."
    return [
        {"type": "text", "text": part["text"]} if part["type"] == "text" else {"type": "image", "image": picture(part)}
        for part in parts
    ]


def episode_reward(completions, environments, log_metric=None, **_):
    """The server's reward of each episode; the last reply without calls is its answer. Raises rather than give a 0."""
    rewards = []
    for completion, environment in zip(completions, environments, strict=True):
        rewards.append(finished(environment, completion))
    if log_metric:
        for name in sorted(rewards[0]) if rewards else []:
            known = [one[name] for one in rewards if not math.isnan(one[name])]
            if known:
                log_metric(f"hopscope/{name}", sum(known) / len(known))
    return [one["score"] for one in rewards]


def finished(environment, completion):
    """Ends the episode as the policy ended it. Calls that TRL could not carry out are calls that the protocol refuses."""
    episode, carried = environment._episode, list(environment._carried)
    for message in completion:
        for call in message.get("tool_calls") or []:
            function = call.get("function", call)
            arguments = function.get("arguments") or {}
            arguments = json.loads(arguments) if isinstance(arguments, str) else arguments
            made = (function["name"], {key: value for key, value in arguments.items() if value is not None})
            if made in carried:
                carried.remove(made)
            elif not episode.over:
                episode.call(*made)
    last = completion[-1] if completion else {}
    if not episode.over and last.get("role") == "assistant" and last.get("content") and not last.get("tool_calls"):
        content = last["content"]
        text = content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
        episode.say(text)
    # its length ended the rest: a policy that says nothing more
    while not episode.over:
        episode.say("", cut=True)
    if episode.reward is None:
        raise HopscopeError(f"episode {episode.id} has no reward", "no-reward")
    return episode.reward
