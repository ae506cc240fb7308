import { groupedByAll, type Task } from "#domain";
import { keysOf } from "../split/linked.ts";
import { defaultLinks } from "../split/split-tasks.ts";
import type { BenchmarkCheck } from "./check.ts";
import type { CheckFigure, FoundProblems } from "./finding.ts";

/** What tasks of different splits share: by training on one part the other is partly known. */
export const splitsCheck: BenchmarkCheck = {
	name: "splits",
	about:
		"tasks of different splits share no evidence, image, question, sub-question, nested question series or cluster",
	run({ tasks, reading }) {
		const parted = tasks.filter(({ tags }) => tags.split !== undefined);
		if (parted.length === 0) return { skipped: "no task has the tag split" };
		const figures: CheckFigure[] = [];
		const findings: FoundProblems = [];
		for (const link of defaultLinks) {
			const users = groupedByAll(parted, (task) => keysOf(task, [link], reading).map(({ key }) => key));
			const crossing = new Set<Task>();
			for (const [key, sharing] of users) {
				const splits = [...new Set(sharing.map(({ tags }) => tags.split))].sort();
				if (splits.length < 2) continue;
				for (const task of sharing) crossing.add(task);
				const [task, ...others] = sharing.map(({ id }) => id).sort();
				findings.push({
					...{ code: `shared-${link}`, severity: "warning", ...(task === undefined ? {} : { task }), others },
					message: `${key.trim()} stands in ${sharing.length} tasks of ${splits.join(", ")}; split anew (hopscope benchmark split)`,
				});
			}
			figures.push({ name: `tasks that share ${link} across splits`, value: crossing.size, of: parted.length });
		}
		return { looked: parted.length, findings, figures };
	},
};
