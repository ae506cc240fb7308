import type { Task } from "#domain";
import { type CheckLimits, type CheckSubject, defaultLimits } from "./check.ts";
import { benchmarkChecks } from "./checks.ts";
import { type CheckFigure, type CheckFinding, type Severity, severities } from "./finding.ts";
import { readTogether } from "./read-together.ts";

/** What one check found, in numbers. */
export interface CheckSummary {
	name: string;
	about: string;
	/** Why it was not made; then nothing else is said. */
	skipped?: string;
	/** Tasks, hops or files that it looked at. */
	looked: number;
	/** Findings by code. */
	codes: { code: string; severity: Severity; count: number; tasks: number }[];
	figures: CheckFigure[];
	notes: string[];
}

/** A report of everything that was looked at: findings gravest first within their check, numbers, what was skipped. */
export interface CheckReport {
	benchmark: { name: string; hash: string; tasks: number };
	counts: Record<Severity, number>;
	checks: CheckSummary[];
	findings: CheckFinding[];
}

/**
 * Looks at a benchmark in every way, or in those that are named. What a check lacks makes it skipped, never passed. The
 * checks go through the tasks in step, so that a file of them is read once or twice for all.
 */
export async function checkBenchmark(
	given: Omit<CheckSubject, "limits" | "tasks"> & {
		tasks: Iterable<Task> | AsyncIterable<Task>;
		limits?: Partial<CheckLimits>;
	},
	{
		only,
		onRead,
	}: {
		only?: readonly string[] | undefined;
		/** How many tasks of a pass were read. */
		onRead?: (done: number) => void;
	} = {},
): Promise<CheckReport> {
	const { signal } = given;
	const chosen = benchmarkChecks.filter(({ name }) => !only || only.includes(name));
	let tasks = 0;
	async function* counted() {
		tasks = 0;
		for await (const task of given.tasks) {
			if (tasks % toldEvery === 0) {
				signal?.throwIfAborted();
				onRead?.(tasks);
			}
			tasks += 1;
			yield task;
		}
	}
	const { items, done } = readTogether({ [Symbol.asyncIterator]: counted }, chosen.length);
	const subject: CheckSubject = { ...given, tasks: items, limits: { ...defaultLimits, ...given.limits } };
	const made = chosen.map(async ({ run }) => run(subject)).map((outcome) => outcome.finally(done));
	// none goes on when this has ended
	await Promise.allSettled(made);
	const outcomes = await Promise.all(made);
	const checks: CheckSummary[] = [];
	const findings: CheckFinding[] = [];
	for (const [at, { name, about }] of chosen.entries()) {
		const outcome = outcomes[at];
		if (!outcome) continue;
		if ("skipped" in outcome) {
			checks.push({ name, about, skipped: outcome.skipped, looked: 0, codes: [], figures: [], notes: [] });
			continue;
		}
		const found = outcome.findings.map((finding): CheckFinding => ({ check: name, ...finding })).sort(byGravity);
		for (const finding of found) findings.push(finding);
		checks.push({
			...{ name, about, looked: outcome.looked, codes: codesOf(found) },
			...{ figures: outcome.figures ?? [], notes: outcome.notes ?? [] },
		});
	}
	const { name, hash } = subject.manifest;
	const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length;
	return {
		benchmark: { name, hash, tasks },
		counts: { error: count("error"), warning: count("warning"), note: count("note") },
		...{ checks, findings },
	};
}

/** Tasks between two tellings of how far it is. */
const toldEvery = 1000;

const place = (severity: Severity) => severities.indexOf(severity);

/** By severity, code, task and hop, so that the report does not depend on the order of the file. */
function byGravity(a: CheckFinding, b: CheckFinding): number {
	const key = ({ code, task = "", hop = "" }: CheckFinding) => `${code}\n${task}\n${hop}`;
	if (a.severity !== b.severity) return place(a.severity) - place(b.severity);
	const [one, other] = [key(a), key(b)];
	return one < other ? -1 : one > other ? 1 : 0;
}

function codesOf(findings: readonly CheckFinding[]): CheckSummary["codes"] {
	const codes = new Map<string, { code: string; severity: Severity; count: number; named: Set<string> }>();
	for (const { code, severity, task } of findings) {
		const key = `${code} ${severity}`;
		const known = codes.get(key) ?? { code, severity, count: 0, named: new Set() };
		known.count += 1;
		if (task !== undefined) known.named.add(task);
		codes.set(key, known);
	}
	return [...codes.values()].map(({ named, ...code }) => ({ ...code, tasks: named.size }));
}
