#!/bin/sh
# Search-Align as MC-Search's paper states it for Qwen2.5-VL-7B (learning rate 1e-4, 2 epochs, warm-up 0.1, cosine, one row
# a device, 8 accumulated, on 4 cards). Whether an adapter or all weights were trained it does not say: --tuner_type is our choice.
# InternVL3.5-8B: --model OpenGVLab/InternVL3_5-8B-HF --learning_rate 1e-5 --num_train_epochs 1 --tuner_type full.
set -e
cd "$(dirname "$0")"
# relative paths of images start here
export ROOT_IMAGE_DIR="$PWD"
export NPROC_PER_NODE="${NPROC_PER_NODE:-{{processes}}}"
# The longest row has about {{longest}} tokens by estimate; a row beyond max_length is left out, silently.
# loss_scale default learns what the policy says; a message with "loss": false is not learned.
swift sft \
	--model "${MODEL:-Qwen/Qwen2.5-VL-7B-Instruct}" \
	--dataset {{file}} \
	--tuner_type {{tuning}} \
	--agent_template hermes \
	--loss_scale default \
	--max_length {{cutoff}} \
	--truncation_strategy delete \
	--max_pixels {{max_pixels}} \
	--learning_rate 1e-4 \
	--num_train_epochs 2 \
	--warmup_ratio 0.1 \
	--lr_scheduler_type cosine \
	--per_device_train_batch_size 1 \
	--gradient_accumulation_steps 8 \
	{{precision}} \
	--output_dir output "$@"
