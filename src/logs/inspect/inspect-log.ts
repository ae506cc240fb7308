import { addUsage, noUsage, type RunManifest, software } from "#domain";
import { sha256 } from "#store";
import { headline, type LoggedRun, spanOf } from "../logged-run.ts";
import { type InspectSample, inspectModel, sampleOf, time, usageOf } from "./sample.ts";

/** The version of Inspect's log files that is written. */
const version = 2;

/** A sample as lists of samples show it: without messages and events, and no text longer than Inspect's own. */
const mostShown = 1024;

/**
 * A run as an Inspect log, piece by piece: what stands at its start, its samples one by one, and what follows from them.
 * Written from `EvalLog` of inspect_ai 0.3.285 (`log/_log.py`), whose files have been of version 2 since 2024.
 */
export function inspectLog(run: LoggedRun) {
	const start = startOf(run);
	const summaries: ReturnType<typeof summaryOf>[] = [];
	async function* samples(): AsyncGenerator<InspectSample> {
		for (const answer of run.answers) {
			const sample = await sampleOf(answer, run);
			summaries.push(summaryOf(sample));
			yield sample;
		}
	}
	return {
		start,
		samples: samples(),
		/** Known when all samples were made. */
		end: () => ({ header: headerOf(run, start, summaries), reductions: reductionsOf(summaries), summaries }),
	};
}

function startOf({ manifest }: LoggedRun) {
	const idOf = (what: string) => sha256(`${manifest.id} ${what}`).slice(0, 22);
	const { agent, setting, benchmark, knowledge, repeats, seed } = manifest;
	return {
		version,
		eval: {
			...{ eval_id: idOf("eval"), run_id: idOf("run"), created: secondsOf(manifest), task: benchmark.name },
			...{ task_id: idOf("task"), task_version: 0, task_display_name: benchmark.name, task_attribs: {} },
			...{ task_args: {}, task_args_passed: {}, solver: agent.name, solver_args: setting, tags: [] },
			dataset: {
				...{ name: benchmark.name, samples: manifest.tasks.length, sample_ids: manifest.tasks, shuffled: false },
			},
			...{ model: inspectModel(manifest), model_generate_config: {}, model_args: {} },
			config: { epochs: repeats, epochs_reducer: ["mean"], log_samples: true },
			packages: { hopscope: software().hopscope },
			metadata: { run: manifest.id, benchmark, knowledge, agent, seed, software: manifest.software },
		},
		plan: {
			name: "plan",
			steps: [{ solver: agent.name, params: setting, params_passed: {} }],
			config: {},
		},
	};
}

/** Inspect writes the times of an evaluation without fractions. */
const secondsOf = ({ at }: RunManifest): string => at.replace(/\.\d+Z$/, "+00:00").replace(/Z$/, "+00:00");

function headerOf(
	{ manifest, answers }: LoggedRun,
	start: ReturnType<typeof startOf>,
	summaries: readonly ReturnType<typeof summaryOf>[],
) {
	const ends = answers.map(spanOf);
	const usage = answers.map(({ record }) => record.trajectory.usage).reduce(addUsage, noUsage);
	const numbers = valuesByScore(summaries);
	return {
		...start,
		status: answers.length < manifest.tasks.length * manifest.repeats ? "cancelled" : "success",
		results: {
			total_samples: manifest.tasks.length * manifest.repeats,
			completed_samples: summaries.filter(({ error }) => error === undefined).length,
			scores: [...numbers].map(([name, values]) => ({
				...{ name, scorer: name, reducer: "mean", params: {} },
				...{ scored_samples: values.length, unscored_samples: summaries.length - values.length },
				metrics: { mean: { name: "mean", value: mean(values.map(({ value }) => value)), params: {} } },
			})),
			...(numbers.has(headline)
				? { headline: { scorer: headline, score: headline, metric: "mean", reducer: "mean" } }
				: {}),
		},
		stats: {
			started_at: time(least(ends.map(({ start: began }) => began))),
			completed_at: time(-least(ends.map(({ end }) => -end))),
			model_usage: usage.calls > 0 ? { [inspectModel(manifest)]: usageOf(usage) } : {},
			role_usage: {},
		},
	};
}

const least = (values: readonly number[]): number =>
	values.reduce((low, value) => Math.min(low, value), values[0] ?? 0);
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The numbers of every score, each with its sample. */
function valuesByScore(summaries: readonly ReturnType<typeof summaryOf>[]) {
	const found = new Map<string, { id: string; value: number }[]>();
	for (const { id, scores } of summaries)
		for (const [name, { value }] of Object.entries(scores)) {
			if (typeof value !== "number") continue;
			const values = found.get(name) ?? [];
			values.push({ id, value });
			found.set(name, values);
		}
	return found;
}

/** Every score of a sample over its epochs: their mean. */
function reductionsOf(summaries: readonly ReturnType<typeof summaryOf>[]) {
	return [...valuesByScore(summaries)].map(([scorer, values]) => {
		const bySample = new Map<string, number[]>();
		for (const { id, value } of values) bySample.set(id, [...(bySample.get(id) ?? []), value]);
		const samples = [...bySample].map(([id, all]) => ({ value: mean(all), history: [], sample_id: id }));
		return { scorer, reducer: "mean", samples };
	});
}

function summaryOf({ id, epoch, input, target, scores, metadata, error, limit, messages, ...sample }: InspectSample) {
	const { model_usage, role_usage, started_at, completed_at, total_time, working_time, uuid, turn_count } = sample;
	return {
		...{ id, epoch, input: shown(input), target: [target].flat().map(shown) },
		metadata: Object.fromEntries(Object.entries(metadata).filter(([, value]) => typeof value !== "object")),
		scores: Object.fromEntries(
			Object.entries(scores).map(([name, { value, answer, explanation, history }]) => [
				name,
				{
					...{ value, ...(answer === undefined ? {} : { answer: shown(answer) }) },
					...{ ...(explanation === undefined ? {} : { explanation: shown(explanation) }), history },
				},
			]),
		),
		...{ model_usage, role_usage, started_at, completed_at, total_time, working_time, uuid },
		...(error ? { error: shown(error.message) } : {}),
		...(limit ? { limit: limit.type, limit_reason: limit.reason } : {}),
		...{ retries: 0, completed: true, message_count: messages.length, turn_count },
	};
}

const shown = (text: string): string => text.slice(0, mostShown);
