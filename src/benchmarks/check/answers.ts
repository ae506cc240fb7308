import { lineOf } from "../text-reading.ts";
import type { BenchmarkCheck } from "./check.ts";
import type { FoundProblems } from "./finding.ts";

/** Answers that agree with themselves: the value among the accepted forms, and the sink's forms those of the task. */
export const answersCheck: BenchmarkCheck = {
	name: "answers",
	about: "the answer is among its accepted forms and accepts what the last hop accepts; the share that has none",
	async run({ tasks, reading }) {
		const findings: FoundProblems = [];
		let looked = 0;
		let none = 0;
		for await (const task of tasks) {
			looked += 1;
			const { answer } = task;
			if (answer.type === "none") none += 1;
			const forms = new Set(answer.accepted.map((form) => lineOf(form, reading)));
			if (!forms.has(lineOf(answer.value, reading)))
				findings.push({
					...{ code: "value-not-accepted", severity: "error", task: task.id },
					message: `task ${task.id}: its answer "${answer.value}" is not among the accepted forms`,
				});
			const sink = task.chain?.hops.find(({ id }) => id === task.chain?.sink);
			if (!sink) continue;
			if (sink.answer.type !== answer.type)
				findings.push({
					...{ code: "sink-type", severity: "warning", task: task.id, hop: sink.id },
					message: `task ${task.id}: its answer is of type ${answer.type}, that of its last hop of type ${sink.answer.type}`,
				});
			const other = sink.answer.accepted.find((form) => !forms.has(lineOf(form, reading)));
			if (other !== undefined && sink.answer.value === answer.value)
				findings.push({
					...{ code: "sink-forms", severity: "note", task: task.id, hop: sink.id },
					message: `task ${task.id}: its last hop accepts "${other}", the task does not`,
				});
		}
		const figures = [{ name: "unanswerable tasks", value: none, of: looked }];
		return { looked, findings, figures };
	},
};
