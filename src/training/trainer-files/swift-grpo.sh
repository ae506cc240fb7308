#!/usr/bin/env bash
# GRPO with ms-swift's gym scheduler on the episodes of a Hopscope server. Values as in the paper (MMhops-R1) where it prints
# them: learning rate, constant schedule, group, one epoch, no KL. The paper's batch of 256 prompts is for you to reach by
# devices and accumulation. The two epsilons are DAPO's, the rest ours. Without --delta there is no dual clip, as in the paper.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
export PYTHONPATH="$here${PYTHONPATH:+:$PYTHONPATH}"
exec swift rlhf --rlhf_type grpo \
  --model "${HOPSCOPE_MODEL:-Qwen/Qwen2.5-VL-7B-Instruct}" --dataset "$here/{{train}}.jsonl" \
  --external_plugins "$here/hopscope_gym.py" --use_gym_env true --gym_env hopscope \
  --remove_unused_columns false \
  --multi_turn_scheduler gym_scheduler --max_turns {{turns}} \
  --use_vllm true --vllm_mode colocate \
  --learning_rate 1e-6 --lr_scheduler_type constant --warmup_ratio 0 --num_train_epochs 1 \
  --num_generations 8 --beta 0.0 --epsilon 0.2 --epsilon_high 0.28 --loss_type dapo --temperature 1.0 \
  --max_completion_length 2048 "$@"
