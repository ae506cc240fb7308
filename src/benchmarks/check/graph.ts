import { chainProblems, inDependencyOrder, type Task } from "#domain";
import { problemsOf } from "../problems.ts";
import { formsOf, lineOf, type TextReading } from "../text-reading.ts";
import type { BenchmarkCheck } from "./check.ts";
import type { FoundProblems } from "./finding.ts";

/** Lines that parse, unique ids, chains that are one graph with one sink, and hops that say what they need. */
export const graphCheck: BenchmarkCheck = {
	name: "graph",
	about: "every line parses, ids are unique, each chain is a graph with one sink that answers the task",
	async run({ dir, tasks, unusable, reading }) {
		const broken: FoundProblems = [];
		const unmentioned: FoundProblems = [];
		const problemsIn = problemsOf(dir);
		let looked = 0;
		let needs = 0;
		let mentioned = 0;
		for await (const task of tasks) {
			looked += 1;
			const problems = problemsIn(withoutImages(task));
			for (const { code, message } of problems) broken.push({ code, severity: "error", task: task.id, message });
			if (!task.chain || (problems.length > 0 && chainProblems(task).length > 0)) continue;
			for (const { hop, need, says } of mentionsOf(task, reading)) {
				needs += 1;
				if (says) mentioned += 1;
				else
					unmentioned.push({
						...{ code: "answer-not-mentioned", severity: "note", task: task.id, hop },
						message: `task ${task.id}: hop "${hop}" needs "${need}" but mentions none of its accepted answers; name the answer, or drop the need`,
					});
			}
		}
		const findings: FoundProblems = [];
		// what reading found carries the line; of a benchmark that was handed over as tasks there is none
		const told = new Set<string>();
		for (const { task, code, message } of unusable) {
			told.add(`${task} ${code}`);
			if (!imageCodes.has(code))
				findings.push({ code, severity: "error", ...(task === undefined ? {} : { task }), message });
		}
		for (const problem of broken) if (!told.has(`${problem.task} ${problem.code}`)) findings.push(problem);
		for (const finding of unmentioned) findings.push(finding);
		const figures = [{ name: "needed answers that the next sub-question mentions", value: mentioned, of: needs }];
		return { looked, findings, figures };
	},
};

/** Those are the media check's. */
const imageCodes = new Set(["missing-image", "unsafe-image", "image-too-large"]);
const withoutImages = (task: Task): Task => ({ ...task, images: [] });

/**
 * Of each need, whether the needing hop's question mentions the needed answer, in any accepted form. A computing hop works
 * on values and may name their origin instead; an answer of yes or no is never mentioned; both are left out.
 */
function mentionsOf({ chain }: Task, reading: TextReading): { hop: string; need: string; says: boolean }[] {
	if (!chain) return [];
	const answers = new Map(chain.hops.map((hop) => [hop.id, hop.answer]));
	return inDependencyOrder(chain).flatMap((hop) => {
		if (hop.modality === "compute") return [];
		const line = lineOf(hop.question, reading);
		return hop.needs.flatMap((need) => {
			const answer = answers.get(need.hop);
			if (!answer || answer.type === "boolean" || need.role === "constraint") return [];
			const forms = [...formsOf(answer), ...(answer.type === "list" ? answer.items : [])];
			const says = forms.some((form) => {
				const wanted = lineOf(form, reading);
				return wanted.trim() !== "" && line.includes(wanted);
			});
			return [{ hop: hop.id, need: need.hop, says }];
		});
	});
}
