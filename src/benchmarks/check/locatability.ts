import { evenly, inDependencyOrder, retrievalHops, type Task } from "#domain";
import { sharedTexts } from "../shared-texts.ts";
import type { BenchmarkCheck, CheckSubject } from "./check.ts";
import type { FoundProblems } from "./finding.ts";

/**
 * What the question alone leads to, by words. A question whose gold documents are all out of reach identifies none; one
 * of several hops whose last evidence is within reach may be answered without its chain. Questions with images point
 * with the image and are left out.
 */
export const locatabilityCheck: BenchmarkCheck = {
	name: "locatability",
	about: "the question alone, as a search by words, leads to a gold document, but not straight to the last hop's",
	async run({ tasks, search, evidence, limits, signal }) {
		if (!search || !evidence) return { skipped: "needs the knowledge base" };
		const one = sharedTexts();
		const asked: Asked[] = [];
		for await (const task of tasks) asked.push(...askedOf(task, one));
		if (asked.length === 0) return { skipped: "no task without images has a chain with evidence" };
		const drawn = evenly(asked, limits.locateMost);
		const findings: FoundProblems = [];
		let any = 0;
		let last = 0;
		let several = 0;
		for (const task of drawn) {
			signal?.throwIfAborted();
			const hops: AskedHop[] = JSON.parse(task.hops);
			const found = new Set((await search(task.question, limits.locateWithin)).map(({ document }) => document));
			const reached = await Promise.all(hops.map((hop) => reaches(hop, found, evidence)));
			if (reached.includes(true)) any += 1;
			else
				findings.push({
					...{ code: "not-locatable", severity: hops.length === 1 ? "warning" : "note", task: task.id },
					message: `task ${task.id}: none of its gold documents is among the ${limits.locateWithin} best for the question; say more of what identifies them`,
				});
			// the entry is meant to be found: only a last hop that rests on others tells of a way around them
			if (hops.length < 2 || !hops.at(-1)?.restsOnOthers) continue;
			several += 1;
			if (reached.at(-1) !== true) continue;
			last += 1;
			findings.push({
				...{ code: "last-hop-in-reach", severity: "note", task: task.id, hop: hops.at(-1)?.id ?? "" },
				message: `task ${task.id}: the document of its last hop is among the ${limits.locateWithin} best for the question itself`,
			});
		}
		const within = `among the ${limits.locateWithin} best for the question`;
		return {
			...{ looked: drawn.length, findings },
			figures: [
				{ name: `tasks with a gold document ${within}`, value: any, of: drawn.length },
				{ name: `tasks whose last hop rests on others, with its document ${within}`, value: last, of: several },
			],
			...(drawn.length < asked.length ? { notes: [`${drawn.length} of ${asked.length} questions, evenly drawn`] } : {}),
		};
	},
};

/** What of a task is held until it is known which are drawn. */
interface Asked {
	id: string;
	question: string;
	/** As JSON, which takes less than what it holds: the hops that retrieve, in order of dependency. */
	hops: string;
}

interface AskedHop {
	id: string;
	evidence: string[];
	restsOnOthers: boolean;
}

function askedOf({ id, question, chain, images }: Task, one: (text: string) => string): Asked[] {
	if (images.length > 0 || chain === undefined) return [];
	const hops = retrievalHops({ hops: inDependencyOrder(chain) }).map(
		({ id, evidence, needs }): AskedHop => ({ id, evidence, restsOnOthers: needs.length > 0 }),
	);
	return hops.length > 0 ? [{ id, question, hops: one(JSON.stringify(hops)) }] : [];
}

async function reaches(
	hop: AskedHop,
	documents: ReadonlySet<string>,
	evidence: NonNullable<CheckSubject["evidence"]>,
): Promise<boolean> {
	for (const id of hop.evidence) {
		const found = await evidence(id);
		if (found && documents.has(found.document)) return true;
	}
	return false;
}
