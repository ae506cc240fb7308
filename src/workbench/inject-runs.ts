import { join } from "node:path";
import { type FaultyWalker, faultyWalker, settingFor } from "#agents";
import type { Benchmark } from "#benchmarks";
import {
	type Fault,
	HopscopeError,
	InjectedLine,
	type Intervention,
	interventionName,
	type RunManifest,
} from "#domain";
import type { KnowledgeBase } from "#knowledge";
import type { ReportRun } from "#reports";
import { planRun } from "#runs";
import { type Appender, canonicalJson, openAppender, readAllJsonl, sha256, type Workspace } from "#store";
import { runAgent } from "./run-agent.ts";
import type { Bench } from "./work.ts";

/** What every run of one `inject` shares. */
export interface InjectParts {
	workspace: Workspace;
	benchmark: Benchmark;
	knowledge: KnowledgeBase;
	share: number;
	seed: number;
	/** Only so many tasks, evenly spread. */
	limit?: number | undefined;
	k?: number | undefined;
	concurrency: number;
	bench: Bench;
}

/** A run with faults injected, with the injector's log. */
export interface InjectedRun {
	run: ReportRun;
	dir: string;
	lines: InjectedLine[];
}

const logName = "injected.jsonl";

/** Runs the walker with some faults, or resumes that run; what was injected is kept beside its records. */
export async function runInjected(faults: readonly Fault[], parts: InjectParts): Promise<InjectedRun> {
	const { benchmark, share, seed, limit } = parts;
	let log: Promise<Appender> | undefined;
	let dir = "";
	const injected = faultyWalker({
		...{ tasks: benchmark.tasks, faults, share, seed },
		async log(line) {
			// the run holds its folder by then
			log ??= openAppender(join(dir, logName));
			await (await log).append(line);
		},
	});
	const manifest = named(planManifest(injected, parts, limit === undefined ? {} : { limit }), "injected");
	dir = parts.workspace.run(manifest.id);
	try {
		const run = await finished(manifest, { injected, dir, parts });
		return { run, dir, lines: await readLog(dir, run) };
	} finally {
		await (await log)?.close();
	}
}

/** Runs the same faults once more with a part of the world made perfect, on some tasks; nothing is logged. */
export async function runIntervened(
	faults: readonly Fault[],
	{ of, what, tasks }: { of: RunManifest; what: Intervention; tasks: readonly string[] },
	parts: InjectParts,
): Promise<ReportRun> {
	const { benchmark, share, seed } = parts;
	const injected = faultyWalker({ tasks: benchmark.tasks, faults, share, seed });
	const intervention = { of: of.id, what };
	const manifest = named(
		planManifest(injected, parts, { only: tasks, intervention }),
		`injected-${interventionName(what).replaceAll(" ", "-")}`,
	);
	return finished(manifest, { injected, dir: parts.workspace.run(manifest.id), parts });
}

/** What each tool of the walker searches: those for which there is nothing are not offered. */
const targets = {
	text_search: "passage",
	page_search: "page",
	image_search_by_text: "image",
	image_search_by_image: "image",
} as const;

function planManifest(
	{ agent }: FaultyWalker,
	{ benchmark, knowledge, seed, k }: InjectParts,
	rest: Pick<Parameters<typeof planRun>[0], "limit" | "only" | "intervention">,
): RunManifest {
	const { counts } = knowledge.manifest;
	const searched = Object.entries(targets).flatMap(([tool, kind]) => (counts[kind] !== 0 ? [tool] : []));
	const setting = settingFor(agent, { overrides: { tools: searched, ...(k === undefined ? {} : { k }) } });
	return planRun({ agent, setting, benchmark, knowledge, seed, ...rest });
}

/** A run's name by what its numbers depend on: injecting the same again resumes it. */
function named(manifest: RunManifest, what: string): RunManifest {
	const { agent, setting, benchmark, knowledge, tasks, seed, intervention } = manifest;
	const parts = { agent, setting, benchmark: benchmark.hash, knowledge: knowledge.hash, tasks, seed, intervention };
	const faults = agent.name.replace(/^walker(?: with )?/, "").replaceAll(" ", "-") || "nothing";
	return { ...manifest, id: `${benchmark.name}-${what}-${faults}-${sha256(canonicalJson(parts)).slice(0, 8)}` };
}

async function finished(
	manifest: RunManifest,
	{ injected, dir, parts }: { injected: FaultyWalker; dir: string; parts: InjectParts },
): Promise<ReportRun> {
	const { benchmark, knowledge, concurrency, bench } = parts;
	const { agent, tools: below } = injected;
	const { ended, whole } = await runAgent({ dir, manifest, agent, benchmark, knowledge, below, concurrency }, bench);
	if (ended.reason === "complete") return whole();
	bench.signal.throwIfAborted();
	throw new HopscopeError(
		"injected-run-failed",
		`the run ${manifest.id} is not whole: ${ended.commonest?.message ?? ended.reason}`,
		"Run the same command again; it resumes where it stopped.",
	);
}

async function readLog(dir: string, { records }: ReportRun): Promise<InjectedLine[]> {
	const file = join(dir, logName);
	const lines = await readAllJsonl(file, InjectedLine, { ifThere: true });
	const logged = new Set(lines.map(({ task, repeat }) => `${repeat} ${task}`));
	const without = records.filter(({ task, repeat }) => !logged.has(`${repeat} ${task}`)).length;
	if (without > 0)
		throw new HopscopeError(
			"injected-log-incomplete",
			`${file} says nothing of ${without} records`,
			`Remove the folder ${dir} and run the same command again.`,
		);
	return lines;
}
