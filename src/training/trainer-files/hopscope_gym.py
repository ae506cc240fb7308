"""Episodes as ms-swift's gym environment: --external_plugins hopscope_gym.py --use_gym_env true --gym_env hopscope."""

import asyncio

from hopscope_client import Client, parts_of, text_of
from hopscope_turns import must_be_same
from swift.rollout.gym_env import Env, envs


class HopscopeEnv(Env):
    """One episode for one rollout; the row's `env_config` names its task. For protocols whose observations are text."""

    def __init__(self, env_config):
        super().__init__(env_config)
        self.client = Client(env_config.get("server"))
        self.episode = None

    async def reset(self, config):
        self.episode = await asyncio.to_thread(self.client.open, self.env_config["task"])
        messages = [message for message in config.messages if message["role"] != "assistant"]
        must_be_same(messages, self.episode.opening)
        system = next((message["content"] for message in messages if message["role"] == "system"), "")
        asked = next(message["content"] for message in messages if message["role"] == "user")
        return asked, {}, system

    async def step(self, action):
        turn = await asyncio.to_thread(self.episode.say, action[-1]["content"])
        if turn["over"]:
            return "", self.episode.reward["score"], True, self.episode.reward
        if any(part["type"] != "text" for message in turn["observation"] for part in parts_of(message)):
            raise ValueError("ms-swift's gym takes observations of text only: choose a protocol that brings back no images")
        return text_of(turn["observation"]), 0.0, False, {}

    async def close(self):
        if self.episode is not None:
            await asyncio.to_thread(self.episode.close)


envs["hopscope"] = HopscopeEnv
