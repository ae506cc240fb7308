import type { DiagnosedRecord } from "#diagnosis";
import { grouped, type RunManifest, type Task, tally } from "#domain";
import type { ToolDeclaration } from "#models";
import { canonicalJson, sha256 } from "#store";
import { tasksToTrainOn } from "../conversations/held-out.ts";
import { type ImageSources, trainingMessages } from "../conversations/training-messages.ts";
import type { PreferencePair } from "./pair.ts";
import { isCarriedOut, sideOf } from "./pair-sides.ts";
import { type Apart, type Partner, type Played, partnerOf } from "./partner.ts";
import { turnsOf } from "./turns.ts";

/** Diagnosed records of one run; causes of misses among the diagnoses, or misses make no pairs. */
export interface PairedRun extends Omit<ImageSources, "task"> {
	manifest: Pick<RunManifest, "id" | "agent" | "setting" | "benchmark">;
	/** All of the benchmark: their splits say which may be trained on. */
	tasks: readonly Task[];
	diagnosed: readonly DiagnosedRecord[];
	/** Functions that were offered in the provider's form; none where calls are made in text. */
	tools?: ((task: DiagnosedRecord["task"]) => Promise<readonly ToolDeclaration[]>) | undefined;
}

export interface PreferenceOptions {
	/** What is made of two that part before the hop was broken; default `skip`. */
	apart?: Apart | undefined;
	/** How much of a side is given where they part at the broken hop: the one turn (default), or all that followed. */
	extent?: "turn" | "rest" | undefined;
	/** Pairs of one task at most, default 8. */
	most?: number | undefined;
	/** Splits that may be trained on; without them as `tasksToTrainOn` has it. */
	splits?: readonly string[] | undefined;
	signal?: AbortSignal | undefined;
}

export interface PreferencePairs {
	pairs: PreferencePair[];
	/** Pairs by the verdict of the hop that the rejected side broke, and by place. */
	byVerdict: Record<string, number>;
	byPlace: Record<string, number>;
	/** Records that stand on no side, by reason. */
	noSide: Record<string, number>;
	/** Wrong records that no pair came of, by reason. */
	noPair: Record<string, number>;
}

interface Candidate extends Played {
	run: PairedRun;
}

/**
 * Preference pairs from trajectories of the same task by the same agent: right against wrong at the first broken hop.
 *
 * Both must have been shown the same opening, and all that both had said and read up to where they part must be the same,
 * character for character, for a pair that stands at one turn; what they do there must differ, not the words alone. Every
 * wrong record makes at most one pair, with the right one that went with it longest.
 */
export async function preferencePairs(
	runs: readonly PairedRun[],
	options: PreferenceOptions = {},
): Promise<PreferencePairs> {
	const { most = 8, splits, signal } = options;
	const pairs: PreferencePair[] = [];
	const noSide: string[] = [];
	const noPair: string[] = [];
	const seen = new Set<string>();
	const all = runs.flatMap((run) => run.diagnosed.map((diagnosed) => ({ run, diagnosed })));
	const allowed = new Map(
		runs.map((run) => [run, new Set(tasksToTrainOn(run.tasks, splits).tasks.map(({ id }) => id))]),
	);
	for (const group of grouped(all, groupOf).values()) {
		signal?.throwIfAborted();
		const right: Candidate[] = [];
		const wrong: Candidate[] = [];
		for (const { run, diagnosed } of group) {
			const read = turnsOf(diagnosed.record.trajectory);
			const side = allowed.get(run)?.has(diagnosed.task.id) ? sideOf(diagnosed) : heldOut;
			if (side.is === "neither") noSide.push(side.reason);
			else if ("not" in read) noSide.push(read.not);
			else (side.is === "right" ? right : wrong).push({ run, diagnosed, read });
		}
		let made = 0;
		for (const one of wrong) {
			const found = right.length === 0 ? "no right one of the task" : partnerOf(one, right, options);
			if (typeof found === "string") noPair.push(found);
			else if (made >= most) noPair.push(`over ${most} of a task`);
			else {
				const pair = await pairOf(one, found, options);
				if (typeof pair === "string") noPair.push(pair);
				else if (seen.has(pair.id)) noPair.push("the same pair again");
				else {
					seen.add(pair.id);
					pairs.push(pair);
					made += 1;
				}
			}
		}
	}
	return {
		pairs,
		byVerdict: tally(pairs.map(({ verdict }) => verdict)),
		byPlace: tally(pairs.map(({ place }) => place)),
		noSide: tally(noSide),
		noPair: tally(noPair),
	};
}

const heldOut = { is: "neither", reason: "held out of training by its split" } as const;

const groupOf = ({ run: { manifest }, diagnosed: { task } }: { run: PairedRun; diagnosed: DiagnosedRecord }) => {
	const { agent, setting, benchmark } = manifest;
	return canonicalJson([task.id, benchmark.hash, agent.name, agent.version, agent.promptHash ?? null, setting]);
};

async function pairOf(
	rejected: Candidate,
	{ chosen, turn, place, span }: Partner<Candidate>,
	{ extent = "turn" }: PreferenceOptions,
): Promise<PreferencePair | string> {
	const { task } = chosen.diagnosed;
	const { manifest, tools } = chosen.run;
	const begin = place === "whole" ? 0 : turn;
	const one = place === "broken-hop" && extent === "turn";
	if (!isCarriedOut(chosen.read.turns.slice(begin, one ? begin + 1 : undefined)))
		return "what the right one said could not be carried out as written";
	const after = ({ read }: Candidate) => {
		const at = read.turns[begin]?.message ?? 0;
		return read.messages.slice(at, one ? at + 1 : undefined);
	};
	const before = chosen.read.messages.slice(0, chosen.read.turns[begin]?.message ?? 0);
	const [right, wrong] = [after(chosen), after(rejected)];
	const read = await trainingMessages([...before, ...right, ...wrong], { task, ...chosen.run });
	if (read.is === "lost") return "a picture of the conversation is gone";
	const { system, messages, images } = read;
	const ends = messages.length - wrong.length;
	const prompt = messages.slice(0, ends - right.length).map((message) => ({ ...message, train: false }));
	const sides = { prompt, chosen: messages.slice(ends - right.length, ends), rejected: messages.slice(ends) };
	const calls = messages.some((message) => message.calls);
	const declared = calls ? ((await tools?.(task)) ?? []) : [];
	if (calls && declared.length === 0) return "the functions that were offered cannot be told";
	return {
		id: sha256(canonicalJson([task.id, system ?? null, sides])).slice(0, 16),
		task: task.id,
		place,
		hop: span.hop,
		verdict: span.verdict,
		turn,
		source: {
			benchmark: manifest.benchmark.name,
			agent: manifest.agent.name,
			setting: manifest.setting.name,
			chosen: recordOf(chosen),
			rejected: recordOf(rejected),
		},
		...(system === undefined ? {} : { system }),
		...(calls ? { tools: [...declared] } : {}),
		...sides,
		images,
		tags: { ...task.tags },
	};
}

const recordOf = ({ run, diagnosed: { record } }: Candidate) => ({
	run: run.manifest.id,
	repeat: record.repeat,
	attempt: record.attempt,
});
