#!/usr/bin/env bash
# Trains on the episodes of a Hopscope server: begin that first, then this; arguments override the configuration.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
export HOPSCOPE_FOLDER="$here"
export HOPSCOPE_URL="${HOPSCOPE_URL:-{{server}}}"
export PYTHONPATH="$here${PYTHONPATH:+:$PYTHONPATH}"
python3 -m unittest -q test_hopscope_filter
exec python3 -m verl.trainer.main_ppo --config-path "$here" --config-name hopscope_grpo "$@"
