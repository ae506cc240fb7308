import type { RlSetting } from "./rl-format.ts";

/**
 * verl's configuration with where each value is from: the paper's (MMhops-R1), DAPO's, which that paper builds on without
 * printing its numbers, or ours.
 */
export function verlConfiguration(splits: readonly string[], setting: RlSetting): Record<string, string> {
	const train = splits.includes("train") ? "train" : splits[0];
	const held = splits.find((split) => /^(?:validation|dev|val)$/.test(split));
	return {
		"hopscope_grpo.yaml": configuration({ train: train ?? "train", held, paper: isPaper(setting), ...setting }),
		"agent_loop.yaml": `- name: hopscope
  _target_: hopscope_agent_loop.HopscopeAgentLoop
  server: \${oc.env:HOPSCOPE_URL}
  turns: ${setting.replies}
  patience: 120
`,
		"train.sh": `#!/usr/bin/env bash
# Trains on the episodes of a Hopscope server: begin that first, then this; arguments override the configuration.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
export HOPSCOPE_FOLDER="$here"
export HOPSCOPE_URL="\${HOPSCOPE_URL:-${setting.server}}"
export PYTHONPATH="$here\${PYTHONPATH:+:$PYTHONPATH}"
python3 -m unittest -q test_hopscope_filter
exec python3 -m verl.trainer.main_ppo --config-path "$here" --config-name hopscope_grpo "$@"
`,
	};
}

/** What the paper has where the protocol is its own and as published. */
const isPaper = ({ agent, limit, k }: RlSetting) => agent === "tagged" && limit === 4 && k === 3;

function configuration({
	benchmark,
	agent,
	setting,
	limit,
	k,
	train,
	held,
	paper,
}: RlSetting & { train: string; held: string | undefined; paper: boolean }): string {
	return `# ${benchmark} with the protocol ${agent} (${setting}), for verl 0.9. Where each value is from:
# paper: MMhops-R1; DAPO: the method that the paper builds on, its numbers are not in the paper; ours: chosen here.
# The server's, if it is begun with this setting: ${k} results a search${paper ? " (paper: k = 3)" : ""}; weights of the reward as it is told, else 1, 1, 0.25 (paper).
hydra:
  searchpath: [pkg://verl.trainer.config]

defaults:
  - ppo_trainer
  - _self_

data:
  train_files: ["\${oc.env:HOPSCOPE_FOLDER}/${train}.parquet"]
  # ${held ? "ours" : "no validation split was exported: these are the training tasks, looked at never"}
  val_files: ["\${oc.env:HOPSCOPE_FOLDER}/${held ?? train}.parquet"]
  # paper
  train_batch_size: 256
  # ours: the instructions, the question and its images
  max_prompt_length: 4096
  # ours: all turns and all that was found, together
  max_response_length: 8192
  # ours
  filter_overlong_prompts: true
  truncation: error
  return_raw_chat: true
  return_multi_modal_inputs: false
  shuffle: true
  seed: 1

algorithm:
  # paper: advantages within the group, over its standard deviation (verl takes the sample's, the paper the population's)
  adv_estimator: grpo
  norm_adv_by_std_in_grpo: true
  # paper: no KL term, here nor in the loss
  use_kl_in_reward: false
  kl_ctrl:
    kl_coef: 0.0
  # paper: only groups with a right answer; the rule is hopscope_sampler.py, since verl's own metrics say something else
  filter_groups:
    enable: true
    metric: outcome

actor_rollout_ref:
  model:
    # paper
    path: \${oc.env:HOPSCOPE_MODEL,Qwen/Qwen2.5-VL-7B-Instruct}
    # ours
    enable_gradient_checkpointing: true
    use_remove_padding: true
  actor:
    optim:
      # paper: constant
      lr: 1e-6
      lr_scheduler_type: constant
      lr_warmup_steps: 0
    # ours: one update for each batch of prompts
    ppo_mini_batch_size: 256
    ppo_epochs: 1
    # ours
    ppo_micro_batch_size_per_gpu: 1
    # DAPO
    clip_ratio_low: 0.2
    clip_ratio_high: 0.28
    # paper: no dual clip. verl always has one, 3 where nothing is said, and wants a number above 1: this one is out of reach,
    # since verl keeps the ratio below e^20, about 4.9e+8
    clip_ratio_c: 1.0e+9
    # paper: the mean over tokens (verl's over the batch, the paper's over the group)
    loss_agg_mode: token-mean
    # paper
    use_kl_loss: false
    kl_loss_coef: 0.0
    # ours
    entropy_coeff: 0
  rollout:
    name: vllm
    mode: async
    # paper: the group
    n: 8
    # DAPO
    temperature: 1.0
    top_p: 1.0
    # ours
    calculate_log_probs: true
    log_prob_micro_batch_size_per_gpu: 1
    tensor_model_parallel_size: 1
    gpu_memory_utilization: 0.6
    multi_turn:
      # ${paper ? "paper: T = 4" : "the protocol's limit"}; one more, since verl never carries out what the last turn asks. Read by verl's own loop
      # only: here the server counts
      max_assistant_turns: ${limit + 1}
      # ours: the server cuts what is too long; verl's 256 are characters
      max_tool_response_length: 100000
    agent:
      default_agent_loop: hopscope
      agent_loop_config_path: \${oc.env:HOPSCOPE_FOLDER}/agent_loop.yaml

trainer:
  project_name: hopscope
  experiment_name: ${JSON.stringify(`${benchmark}-${agent}`)}
  # paper
  total_epochs: 1
  # ours
  logger: [console]
  val_before_train: ${held ? "true" : "false"}
  test_freq: ${held ? 10 : -1}
  save_freq: 20
  v1:
    sampler:
      # what the server failed at is sampled again: it counts as no reward, not as 0
      sync_refill_failed_groups: true
      custom_sampler:
        path: \${oc.env:HOPSCOPE_FOLDER}/hopscope_sampler.py
        name: RightAnswerBuffer
      sampler_kwargs:
        train_batch_size: \${data.train_batch_size}
        max_inflight_gen_batches: 1

ray_kwargs:
  ray_init:
    runtime_env:
      env_vars:
        PYTHONPATH: \${oc.env:PYTHONPATH}
        HOPSCOPE_URL: \${oc.env:HOPSCOPE_URL}
        HOPSCOPE_TOKEN: \${oc.env:HOPSCOPE_TOKEN,""}
`;
}
