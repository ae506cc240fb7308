import type { Task } from "#domain";
import { saidIn } from "../text-reading.ts";
import type { BenchmarkCheck } from "./check.ts";
import { isChoice } from "./choice.ts";
import type { FoundProblems } from "./finding.ts";

/**
 * Questions that say their answer, an answer on the way to it, or what their image hides. Yes and no, comparisons and
 * choices name their candidates and are exempt from the first. Forms of fewer than three letters are not looked for.
 */
export const answerLeaksCheck: BenchmarkCheck = {
	name: "answer-leaks",
	about: "no question says its answer, an answer on the way, or the name of what its image hides",
	async run({ tasks, reading }) {
		const findings: FoundProblems = [];
		let looked = 0;
		let exempt = 0;
		for await (const task of tasks) {
			looked += 1;
			const said = (forms: readonly string[]) => saidIn(task.question, forms, reading);
			const choice = isChoice(task, reading);
			const answer = task.answer.type === "none" ? undefined : said(task.answer.accepted);
			if (answer !== undefined && choice) exempt += 1;
			else if (answer !== undefined)
				findings.push({
					...{ code: "answer-in-question", severity: "error", task: task.id },
					message: `task ${task.id}: the question says its answer ("${answer}"); reword or drop it`,
				});
			findings.push(...onTheWay(task, said));
			for (const image of task.images) {
				const name = said(image.hides ?? []);
				if (name !== undefined)
					findings.push({
						...{ code: "names-hidden", severity: "error", task: task.id },
						message: `task ${task.id}: the question names what image "${image.id}" hides ("${name}"); reword it`,
					});
			}
		}
		const count = (code: string) => findings.filter((finding) => finding.code === code).length;
		return {
			...{ looked, findings },
			figures: [
				{ name: "questions that say their answer", value: count("answer-in-question"), of: looked },
				{ name: "choices that name it among the candidates", value: exempt, of: looked },
				{
					...{ name: "questions that say an answer on the way" },
					...{ value: new Set(findings.flatMap(({ code, task }) => (code === "hop-in-question" && task) || [])).size },
					of: looked,
				},
			],
		};
	},
};

/** Answers of other hops than the sink: a question that says one lets a reader begin behind that hop. */
function onTheWay(task: Task, said: (forms: readonly string[]) => string | undefined): FoundProblems {
	return (task.chain?.hops ?? []).flatMap((hop) => {
		const { answer } = hop;
		if (hop.id === task.chain?.sink || hop.modality === "compute") return [];
		if (answer.type === "boolean" || answer.type === "none") return [];
		const name = said(answer.accepted);
		if (name === undefined) return [];
		return [
			{
				...{ code: "hop-in-question", severity: "warning" as const, task: task.id, hop: hop.id },
				message: `task ${task.id}: the question says the answer of hop "${hop.id}" ("${name}"), so that hop can be skipped; reword it`,
			},
		];
	});
}
