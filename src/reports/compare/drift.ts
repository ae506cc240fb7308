/** The same agent, model and setting at two dates: what changed around it, and what changed in what it did. */
import { clip, grouped, type RunRecord, recordKey, retrievalSteps, unknownHash } from "#domain";
import { clusterOf, type Interval, interval, type RepeatSpread, repeatSpread } from "#scoring";
import { canonicalJson } from "#store";
import type { ReportRun, RunComparison } from "../report-data.ts";
import { asShare, expectedItems, short } from "../summaries.ts";

export interface Drift {
	earlier: { id: string; at: string };
	later: { id: string; at: string };
	/** What the manifests and records say of the circumstances, where they differ. */
	changed: { what: string; before: string; after: string }[];
	/** What they say is as before. */
	same: string[];
	/** Records of both runs by task and repeat. */
	pairs: number;
	/** Share of them whose answer is another one, case and spacing aside. */
	answers: Changed;
	/** Whose searches are others: another number, tool, query or order. */
	queries: Changed;
	/** Of first searches made alike in both, those that brought other results. */
	results: Interval;
	accuracy: {
		/** Later − earlier. */
		moved: number | null;
		/** What answering again does by itself, from the repeats within the runs. */
		repeats: RepeatSpread;
		/** `beyond`: moved more than repeats vary; `unknown`: nothing to tell from. */
		against: "beyond" | "within" | "unknown";
	};
}

/** How much is another between the runs, and between repeats within one run, where there are any. */
export interface Changed {
	between: Interval;
	within: Interval | null;
}

type Planned = Pick<ReportRun, "manifest">;

/** Whether two runs are of one agent, model and setting, and both plain. */
export function isDrift({ manifest: a }: Planned, { manifest: b }: Planned): boolean {
	const same = ({ agent, model, setting }: ReportRun["manifest"]) => canonicalJson([agent.name, model, setting]);
	return !a.intervention && !b.intervention && a.at !== b.at && same(a) === same(b);
}

export function driftOf({
	later,
	earlier,
	accuracy,
}: {
	later: ReportRun;
	earlier: ReportRun;
	accuracy: RunComparison | undefined;
}): Drift {
	const pairs = pairsOf(earlier, later);
	const between = (differ: Differ) => shareOf(pairs, differ);
	const within = (differ: Differ) => {
		const repeated = [earlier, later].flatMap(repeatsOf);
		return repeated.length > 0 ? shareOf(repeated, differ) : null;
	};
	const circumstances = compareCircumstances(earlier, later);
	const repeats = repeatSpread(valuesByTask(earlier, later));
	const moved = accuracy?.difference.value ?? null;
	return {
		earlier: { id: earlier.manifest.id, at: earlier.manifest.at },
		later: { id: later.manifest.id, at: later.manifest.at },
		changed: circumstances.filter(({ before, after }) => before !== after),
		same: circumstances.filter(({ before, after }) => before === after).map(({ what }) => what),
		pairs: pairs.length,
		answers: { between: between(otherAnswer), within: within(otherAnswer) },
		queries: { between: between(otherQueries), within: within(otherQueries) },
		results: shareOf(
			pairs.filter(({ a, b }) => firstCall(a) !== undefined && firstCall(a) === firstCall(b)),
			otherResults,
		),
		accuracy: {
			moved,
			repeats,
			against:
				moved === null || repeats.half === null ? "unknown" : Math.abs(moved) > repeats.half ? "beyond" : "within",
		},
	};
}

interface RecordPair {
	a: RunRecord;
	b: RunRecord;
	cluster: string;
}
type Differ = (pair: RecordPair) => boolean;

/** Records of both runs by task and repeat; what ended by an error says nothing of the agent. */
function pairsOf(earlier: ReportRun, later: ReportRun): RecordPair[] {
	const clusters = clustersOf(later);
	const before = new Map(answered(earlier).map((record) => [recordKey(record), record]));
	return answered(later).flatMap((record) => {
		const other = before.get(recordKey(record));
		return other ? [{ a: other, b: record, cluster: clusters.get(record.task) ?? record.task }] : [];
	});
}

/** Every two repeats of a task within a run. */
function repeatsOf(run: ReportRun): RecordPair[] {
	const clusters = clustersOf(run);
	return [...grouped(answered(run), ({ task }) => task)].flatMap(([task, records]) =>
		records.flatMap((a, place) => records.slice(place + 1).map((b) => ({ a, b, cluster: clusters.get(task) ?? task }))),
	);
}

const answered = ({ records }: ReportRun) =>
	records.filter(({ trajectory: { stop } }) => stop !== "error" && stop !== "budget");

const clustersOf = ({ tasks }: ReportRun) => new Map(tasks.map((task) => [task.id, clusterOf(task)]));

function shareOf(pairs: readonly RecordPair[], differ: Differ): Interval {
	const clusters = pairs.map(({ cluster }) => cluster);
	return asShare(
		interval(
			pairs.map((pair) => Number(differ(pair))),
			{ clusters },
		),
	);
}

const wordsOf = ({ trajectory: { answer } }: RunRecord) =>
	answer === null ? null : clip(answer, 10_000).toLowerCase();
const otherAnswer: Differ = ({ a, b }) => wordsOf(a) !== wordsOf(b);

const callsOf = ({ trajectory }: RunRecord) =>
	retrievalSteps(trajectory).map(({ call }) => canonicalJson([call?.tool, call?.arguments]));
const otherQueries: Differ = ({ a, b }) => callsOf(a).join("\n") !== callsOf(b).join("\n");

const firstCall = (record: RunRecord) => callsOf(record)[0];
const firstResults = ({ trajectory }: RunRecord) =>
	(retrievalSteps(trajectory)[0]?.results ?? []).map(({ id }) => id).join("\n");
const otherResults: Differ = ({ a, b }) => firstResults(a) !== firstResults(b);

function valuesByTask(earlier: ReportRun, later: ReportRun): { a: number[]; b: number[] }[] {
	const values = (run: ReportRun) => {
		const byTask = new Map<string, number[]>();
		for (const { task, row } of expectedItems(run)) {
			const score = row?.scores.accuracy;
			if (score?.is === "scored") byTask.set(task.id, [...(byTask.get(task.id) ?? []), score.value]);
		}
		return byTask;
	};
	const [before, after] = [values(earlier), values(later)];
	return [...after].map(([task, b]) => ({ a: before.get(task) ?? [], b }));
}

/** Everything that may explain a change, in words; hashes by their first twelve digits. */
function compareCircumstances(earlier: ReportRun, later: ReportRun): Drift["changed"] {
	const [before, after] = [circumstancesOf(earlier), circumstancesOf(later)];
	return Object.keys(before).map((what) => ({ what, before: before[what] ?? "", after: after[what] ?? "" }));
}

function circumstancesOf({ manifest, records, rows }: ReportRun): Record<string, string> {
	const { agent, software, benchmark, knowledge, seed, repeats, tasks, price } = manifest;
	const listed = (names: Iterable<string>) => [...new Set(names)].sort().map(short).join(", ") || "none recorded";
	const served = records.flatMap(({ trajectory }) => trajectory.served ?? []);
	return {
		hopscope: short(software.hopscope),
		node: short(software.node),
		"agent version": short(agent.version),
		"prompt hash": agent.promptHash?.slice(0, 12) ?? "none recorded",
		"served models": listed(served.flatMap(({ models }) => models)),
		"parameters ignored by the server": listed(served.flatMap(({ ignored }) => ignored)),
		benchmark: benchmark.hash.slice(0, 12),
		"knowledge base": knowledge.hash === unknownHash ? "not known" : knowledge.hash.slice(0, 12),
		seed: String(seed),
		repeats: String(repeats),
		"planned tasks": String(tasks.length),
		price: price ? canonicalJson(price) : "none recorded",
		scorer: listed(rows.map(({ scorer }) => scorer)),
	};
}
