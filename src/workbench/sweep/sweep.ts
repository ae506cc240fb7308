import { existsSync } from "node:fs";
import { join } from "node:path";
import { counted, type Usage } from "#domain";
import { costOf } from "#models";
import { isSummarised, type RacedSetting, type SweepReport, summarised, sweepReport } from "#reports";
import { keepSweep } from "#runs";
import { looksOver, losers, type ScoredItem, seededRandom } from "#scoring";
import { tagRun } from "../manage-runs.ts";
import type { SuiteRun } from "../plan-suite.ts";
import { runAgent } from "../run-agent.ts";
import { boundsFrom, boundsLeft } from "../run-options.ts";
import { answeredBy } from "../run-queue.ts";
import { described, type PlannedSuite, sumOf, usedBefore, withPlanned } from "../run-suite.ts";
import { scorersOf } from "../scorer-files.ts";
import { openReported } from "../summarised-run.ts";
import type { Bench, RunEnded } from "../work.ts";
import { type KeptDecisions, openDecisions } from "./decisions.ts";
import { type AskedSweep, askedSweep, mustRace, type SweepLists, type SweepOptions } from "./plan-sweep.ts";

/** What came of a sweep, which may have been stopped: given again, it resumes. */
export interface SweepOutcome {
	report: SweepReport;
	/** Of each setting that was asked this time, how its last block ended. */
	ended: RunEnded[];
}

/**
 * Runs settings over the same tasks in blocks and stops those that are surely worse than the best. Each is a run of the
 * workspace; given again, the sweep takes up what was answered and what was decided.
 */
export async function sweepSettings(
	asked: string | SweepLists,
	options: SweepOptions,
	bench: Bench,
): Promise<SweepOutcome> {
	const sweep = await askedSweep(asked, options, { make: true }, bench);
	const { suite, answersOnly } = sweep.chunked;
	if (answersOnly !== undefined) bench.say(answersOnly);
	return withPlanned(suite, options, bench, async (parts) => {
		mustRace(parts.runs, sweep);
		const decisions = await openDecisions(bench.workspace.suite(suite.name), { runs: parts.runs, sweep });
		const { ended, over } = await race(parts, { sweep, decisions, options }, bench);
		const settings = await Promise.all(parts.runs.map((run) => racedSetting(run, decisions, bench)));
		const tasks = parts.runs[0]?.manifest.tasks.length ?? 0;
		const { rules, margin } = sweep;
		const report = sweepReport(settings, {
			...{ name: suite.name, rules: { ...rules, settings: parts.runs.length, tasks }, margin, over },
			...{ looks: looksOver(tasks), answersOnly },
		});
		return { report, ended };
	});
}

interface Race {
	sweep: AskedSweep;
	decisions: KeptDecisions;
	options: SweepOptions;
}

/** Drives the race from where it stands to its end, or to where it is stopped. */
async function race(
	{ runs, folder, models, configuration, web, opener }: PlannedSuite,
	{ sweep, decisions, options }: Race,
	bench: Bench,
): Promise<{ ended: RunEnded[]; over: boolean }> {
	const { workspace } = bench;
	const { rules, chunked } = sweep;
	const scorers = await scorersOf(options);
	const started = performance.now();
	const used = new Map<string, Usage>();
	for (const { manifest } of runs) used.set(manifest.id, await usedBefore(workspace.run(manifest.id)));
	const tasks = runs[0]?.manifest.tasks ?? [];
	const order = shuffled(tasks, sweep.seed);
	const ended = new Map<string, RunEnded>();
	const out = new Set(decisions.looks.flatMap(({ dropped, failed }) => [...dropped, ...failed]));
	const looks = looksOver(tasks.length);

	for (const [at, look] of looks.entries()) {
		if (at < decisions.looks.length) continue;
		const still = runs.filter(({ manifest }) => !out.has(manifest.id));
		if (still.length < 2 && at > 0) break;
		const block = new Set(order.slice(0, look));
		const racers: { name: string; items: ScoredItem[] }[] = [];
		const failed: string[] = [];
		for (const [place, run] of still.entries()) {
			const { manifest } = run;
			const work = `look ${at + 1} of ${looks.length} · ${place + 1} of ${still.length} · ${described(manifest)}`;
			const result = await answerBlock(run, { block, work });
			ended.set(manifest.id, result.ended);
			if (result.ended.reason === "interrupted" || result.ended.reason === "budget")
				return { ended: [...ended.values()], over: false };
			if (result.ended.reason === "refused" || result.ended.reason === "unseen") failed.push(manifest.id);
			else racers.push({ name: manifest.id, items: result.items.filter(({ task }) => block.has(task.id)) });
		}
		const lost = look === tasks.length ? [] : losers(racers, { ...rules, settings: runs.length, tasks: tasks.length });
		for (const { name } of lost)
			await keepSweep(workspace.run(name), { name: chunked.suite.name, stopped: { after: look } });
		await decisions.keep({ tasks: look, dropped: lost.map(({ name }) => name), failed });
		for (const name of [...lost.map(({ name }) => name), ...failed]) out.add(name);
		bench.say(
			`after ${counted(look, "task")}: ${lost.length > 0 ? `dropped ${lost.map(({ name }) => name).join(", ")}` : "none dropped"}; ${runs.length - out.size} of ${runs.length} still in`,
		);
	}
	return { ended: [...ended.values()], over: true };

	async function answerBlock(
		run: SuiteRun,
		{ block, work }: { block: ReadonlySet<string>; work: string },
	): Promise<{ ended: RunEnded; items: readonly ScoredItem[] }> {
		const { manifest, agent, model, upstream } = run;
		const dir = workspace.run(manifest.id);
		const isFirst = !ended.has(manifest.id);
		if (isFirst) for (const note of run.notes) bench.say(note);
		await folder.keep(manifest);
		const opened = await opener.open(run.benchmark, { knowledge: run.knowledge });
		const elsewhere = sumOf([...used].flatMap(([id, usage]) => (id === manifest.id ? [] : [usage])));
		const bounds = boundsLeft(boundsFrom(options), { elsewhere, ms: performance.now() - started });
		const { pace = models.pace } = answeredBy(options, { bench, configuration });
		const parts = { dir, manifest, agent, model, upstream, web, ...opened, ...bounds, only: block };
		const { ended: end, shown } = await runAgent(parts, bench, {
			...{ pace, money: models.money(manifest.model), scorers, work },
		});
		used.set(manifest.id, end.used);
		await keepSweep(dir, { name: chunked.suite.name });
		if (isFirst) await tagRun(dir, { add: [sweepTag(chunked.suite.name)] }, bench);
		return { ended: end, items: isSummarised(shown) ? shown.items : summarised(shown).items };
	}
}

const sweepTag = (name: string) => `sweep:${name}`.slice(0, 60);

/** Tasks in an order drawn from a seed (Fisher and Yates). */
function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
	const random = seededRandom(seed);
	const order = [...items];
	for (let at = order.length - 1; at > 0; at -= 1) {
		const other = Math.floor(random() * (at + 1));
		[order[at], order[other]] = [order[other] as Item, order[at] as Item];
	}
	return order;
}

/** What stands in a setting's run, with what was decided of it. */
async function racedSetting(run: SuiteRun, { looks }: KeptDecisions, bench: Bench): Promise<RacedSetting> {
	const { manifest, chunk } = run;
	const dropped = looks.find((look) => look.dropped.includes(manifest.id))?.tasks;
	const failed = looks.some((look) => look.failed.includes(manifest.id));
	const told = { manifest, chunk, failed, ...(dropped === undefined ? {} : { dropped }) };
	if (!existsSync(join(bench.workspace.run(manifest.id), "run.json"))) return { ...told, items: [], spent: [] };
	const opened = await openReported(manifest.id, { diagnosed: false }, bench);
	try {
		const items = (isSummarised(opened) ? opened : summarised(opened)).items.filter(({ head }) => head);
		const { price } = manifest;
		// what is answered from cached replies costs as much as it did
		const spent = items.flatMap(({ head }) => {
			if (!head) return [];
			const { usage, ms } = head;
			const tokens = usage.inputTokens + usage.outputTokens;
			const money = price
				? costOf(usage, { ...price, cached: price.cached ?? price.input })
				: (usage.cost ?? (usage.calls === 0 && tokens === 0 ? 0 : undefined));
			return [{ money, tokens, calls: usage.calls, ms }];
		});
		return { ...told, items, spent };
	} finally {
		await opened.close();
	}
}
