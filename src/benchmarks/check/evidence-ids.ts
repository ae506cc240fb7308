import { attachCommand, type Task, waitingIn, waitingWords } from "#domain";
import { citedBy } from "../cited-by.ts";
import type { BenchmarkCheck } from "./check.ts";
import type { FoundProblems, Severity } from "./finding.ts";

/** Evidence ids that the knowledge base does not hold: every hop that rests on one alone would score 0. */
export const evidenceIdsCheck: BenchmarkCheck = {
	name: "evidence-ids",
	about: "the knowledge base holds every evidence that a hop, a support or a context names",
	async run({ manifest, tasks, missing }) {
		if (!missing) return { skipped: "needs the knowledge base" };
		const waiting = new Set<string>();
		const named = new Set<string>();
		for await (const { pending, chain, supporting, context = [] } of tasks) {
			for (const id of [...(pending?.pictures ?? []), ...(pending?.evidence ?? [])]) waiting.add(id);
			for (const id of [...citedBy({ chain, supporting }), ...context]) named.add(id);
		}
		const absent = new Set((await missing(named)).filter((id) => !waiting.has(id)));
		const findings: FoundProblems = [];
		// a second pass only where there is something to find
		if (waiting.size > 0 || absent.size > 0)
			for await (const task of tasks)
				for (const finding of [...waitingFinding(task, manifest.name), ...absentIn(task, absent)])
					findings.push(finding);
		const left = [...waiting].filter((id) => named.has(id)).length;
		const figures = [
			{ name: "evidence ids that resolve", value: named.size - absent.size - left, of: named.size },
			...(left > 0 ? [{ name: "evidence ids that wait to be attached", value: left, of: named.size }] : []),
		];
		return { looked: named.size, findings, figures };
	},
};

/** What the knowledge base does not hold of a task. */
function absentIn(task: Task, absent: ReadonlySet<string>): FoundProblems {
	return [
		...(task.chain?.hops ?? []).flatMap((hop) => {
			const gone = hop.evidence.filter((id) => absent.has(id));
			if (gone.length === 0) return [];
			const whole = gone.length === hop.evidence.length;
			return [
				{
					...{ code: "unknown-evidence", severity: whole ? ("error" as const) : ("warning" as const) },
					...{ task: task.id, hop: hop.id, evidence: gone },
					message: `task ${task.id}: the knowledge base does not hold ${whole ? "any" : `${gone.length} of ${hop.evidence.length}`} evidence of hop "${hop.id}" (${gone[0]}${gone.length > 1 ? ", …" : ""}); rebuild it or mend the ids`,
				},
			];
		}),
		...absentFinding(
			task.id,
			(task.supporting ?? []).filter((id) => absent.has(id)),
			{
				code: "unknown-supporting",
				severity: "error",
				says: (evidence) => `its supporting evidence (${evidence}); rebuild it or mend the ids`,
			},
		),
		...absentFinding(
			task.id,
			(task.context ?? []).filter((id) => absent.has(id)),
			{
				code: "unknown-context",
				severity: "warning",
				says: (evidence) => `the evidence that its source hands out (${evidence})`,
			},
		),
	];
}

/** What a task names and its benchmark came without; it is neither wrong nor there. */
function waitingFinding({ id, pending }: Task, name: string): FoundProblems {
	const evidence = [...(pending?.pictures ?? []), ...(pending?.evidence ?? [])];
	if (evidence.length === 0) return [];
	const waiting = waitingIn([{ pending: { ...pending, images: undefined } }]);
	const message = `task ${id}: waits for ${waitingWords(waiting)}; hopscope ${attachCommand(name, waiting)}`;
	return [{ code: "evidence-waits", severity: "note", task: id, evidence, message }];
}

/** One finding of all evidence of a kind that the knowledge base does not hold; none where it holds all. */
function absentFinding(
	task: string,
	gone: string[],
	{ code, severity, says }: { code: string; severity: Severity; says(evidence: string): string },
): FoundProblems {
	if (gone.length === 0) return [];
	const what = says(`${gone[0]}${gone.length > 1 ? ", …" : ""}`);
	const message = `task ${task}: the knowledge base does not hold ${gone.length} of ${what}`;
	return [{ code, severity, task, evidence: gone, message }];
}
