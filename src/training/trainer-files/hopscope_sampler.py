"""The paper's group filter in verl's trainer: a replay buffer to name in `trainer.v1.sampler.custom_sampler`.

It is verl's own buffer with another rule of what to throw away; it refills as that one does. For the synchronous trainer.
"""

from collections import Counter, defaultdict

import transfer_queue as tq
from hopscope_filter import dropped
from verl.trainer.ppo.v1.replay_buffer import ReplayBuffer


class RightAnswerBuffer(ReplayBuffer):
    """Throws away the groups without a right answer, read from `outcome` among the components of the reward."""

    def __init__(self, *, sampler_kwargs, **settings):
        super().__init__(
            sampler_kwargs=sampler_kwargs,
            filter_groups_metric="outcome",
            sync_refill_failed_groups=True,
            train_batch_size=int(sampler_kwargs["train_batch_size"]),
            gen_batch_size=1,
            max_inflight_gen_batches=int(sampler_kwargs.get("max_inflight_gen_batches", 1)),
            **settings,
        )

    def _dapo_filtered_keys(self, partition_id):
        finished = self.finished_keys[partition_id]
        if partition_id == "val" or not finished:
            return set(), Counter()
        known = self._dapo_classification_cache[partition_id]
        for uid in known.keys() - finished:
            del known[uid]
        new = finished - known.keys()
        keys = [key for key in self.partitions[partition_id] if key.split("_")[0] in new]
        fields = tq.kv_batch_get(keys=keys, partition_id=partition_id, select_fields=["extra_fields"]) if keys else None
        outcomes = defaultdict(list)
        for key, value in zip(keys, list(fields["extra_fields"]) if keys else [], strict=True):
            extra = getattr(value, "data", value)
            # a KeyError is right: without its outcome a group can be neither kept nor dropped
            outcomes[key.split("_")[0]].append(float(extra["reward_extra_info"]["outcome"]))
        if new - outcomes.keys():
            raise RuntimeError(f"groups without a trajectory: {sorted(new - outcomes.keys())[:5]}")
        gone = dropped(outcomes)
        known.update({uid: 0.0 if uid in gone else None for uid in outcomes})
        away = {uid for uid, value in known.items() if value is not None}
        return away, Counter({0.0: len(away)} if away else {})
