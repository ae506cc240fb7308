"""verl's agent loop over a Hopscope server's episodes, in tokens as they were sampled.

The policy's tokens are never decoded and encoded again: they stay as sampled, with mask 1; what the server answers is
added behind them with mask 0. What stands behind the first complete action is cut before it is added, so that neither the
history nor the loss has it. A failing server is an error of this sample, never a reward of 0. Written for verl 0.9.
"""

from uuid import uuid4

from hopscope_client import Client, text_of
from hopscope_turns import cut_behind, must_be_same, observed
from verl.experimental.agent_loop.agent_loop import AgentLoopBase, AgentLoopOutput
from verl.utils.profiler import simple_timer


class HopscopeAgentLoop(AgentLoopBase):
    """`server`, `turns` and `patience` come from the file that `agent_loop_config_path` names."""

    def __init__(self, *args, server=None, turns=200, patience=120.0, **kwargs):
        super().__init__(*args, **kwargs)
        self.client = Client(server, patience=float(patience))
        self.turns = int(turns)
        self.room = self.rollout_config.response_length

    async def run(self, sampling_params, **row):
        told = row["extra_info"]
        episode = await self._off(lambda: self.client.open(told["task"]))
        try:
            return await self._play(episode, list(row["raw_prompt"]), sampling_params, told.get("form") == "continued")
        finally:
            await self._off(episode.close)

    async def _play(self, episode, messages, sampling_params, continued):
        must_be_same(messages, episode.opening)
        images = (await self.process_multi_modal_info(messages)).get("images") or []
        self._assert_mm_supported(bool(images))
        ids = await self.ct_build_initial_tokens(messages, images=images or None)
        start, mask, logprobs = len(ids), [], []
        metrics, extra, cuts, turns = {}, {}, 0, 0
        request = uuid4().hex
        while not episode.over and turns < self.turns:
            with simple_timer("generate_sequences", metrics):
                out = await self.server_manager.generate(
                    request_id=request, prompt_ids=ids, sampling_params=sampling_params, image_data=images or None
                )
            turns += 1
            extra = {**out.extra_fields, **{k: v for k, v in extra.items() if k != "max_global_steps"}}
            tokens = cut_behind(self.tokenizer, list(out.token_ids), episode.stop)
            cuts += len(out.token_ids) - len(tokens)
            full = len(mask) + len(tokens) >= self.room
            merged, mask, logprobs = await self.ct_merge_assistant_token(
                ids,
                tokens,
                mask,
                logprobs if out.log_probs else None,
                assistant_logprobs=out.log_probs[: len(tokens)] if out.log_probs else None,
            )
            ids, logprobs = merged.token_ids, logprobs or []
            text = self.tokenizer.decode(tokens, skip_special_tokens=True)
            with simple_timer("tool_calls", metrics):
                turn = await self._off(lambda said=text, cut=full: episode.say(said, cut=cut))
            if turn["over"] or full:
                break
            seen, pictures = zip(*(observed(message) for message in turn["observation"]), strict=True)
            images += [picture for some in pictures for picture in some]
            self._assert_mm_supported(bool(images))
            if continued:
                if ids[-1] == self.tokenizer.eos_token_id:
                    # its text goes on where it ended
                    ids, mask, logprobs = ids[:-1], mask[:-1], logprobs[:-1]
                joined = "".join(f"\n\n{text_of([message])}\n\n" for message in turn["observation"])
                glue = self.tokenizer.encode(joined, add_special_tokens=False)
            else:
                # a turn that was cut has no end mark of its own
                end = self.tokenizer.eos_token_id
                glue = [] if ids[-1] == end else [end]
            ids, mask = ids + glue, mask + [0] * len(glue)
            logprobs = logprobs + [0.0] * len(glue) if logprobs else []
            said = [*messages, {"role": "assistant", "content": text}]
            messages = [*said, *seen]
            if not continued:
                merged, mask, kept = await self.ct_merge_context_msg(said, messages, ids, mask, logprobs or None)
                ids, logprobs = merged.token_ids, kept or []
            if len(mask) >= self.room:
                break
        # the trainer's length ended it, not the protocol: a policy that says nothing more, and no answer
        while not episode.over:
            await self._off(lambda: episode.say("", cut=True))
        reward = episode.reward
        extra.update(reward_extra_info={**reward, "cut_tokens": float(cuts)}, turn_scores=[], tool_rewards=[])
        return AgentLoopOutput(
            prompt_ids=ids[:start],
            response_ids=ids[start:][: self.room],
            response_mask=mask[: self.room],
            response_logprobs=logprobs[: self.room] or None,
            multi_modal_data={"images": images} if images else {},
            reward_score=reward["score"],
            num_turns=2 * turns,
            metrics={"num_preempted": -1, **metrics},
            extra_fields=extra,
        )

    async def _off(self, call):
        return await self.loop.run_in_executor(None, call)
