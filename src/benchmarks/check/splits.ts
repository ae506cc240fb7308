import { keysOf, type SplitLink } from "../split/linked.ts";
import { defaultLinks } from "../split/split-tasks.ts";
import type { BenchmarkCheck } from "./check.ts";
import type { CheckFigure, FoundProblems } from "./finding.ts";

/** A task that has a split. */
interface Parted {
	id: string;
	split: string;
}

/** What tasks of different splits share: by training on one part the other is partly known. */
export const splitsCheck: BenchmarkCheck = {
	name: "splits",
	about:
		"tasks of different splits share no evidence, image, question, sub-question, nested question series or cluster",
	async run({ tasks, reading }) {
		const users = new Map<SplitLink, Map<string, Parted[]>>(defaultLinks.map((link) => [link, new Map()]));
		let parted = 0;
		for await (const task of tasks) {
			const { split } = task.tags;
			if (split === undefined) continue;
			parted += 1;
			const one = { id: task.id, split };
			for (const { link, key } of keysOf(task, defaultLinks, reading)) {
				const known = users.get(link)?.get(key);
				if (known) known.push(one);
				else users.get(link)?.set(key, [one]);
			}
		}
		if (parted === 0) return { skipped: "no task has the tag split" };
		const figures: CheckFigure[] = [];
		const findings: FoundProblems = [];
		for (const [link, sharers] of users) {
			const crossing = new Set<Parted>();
			for (const [key, sharing] of sharers) {
				const splits = [...new Set(sharing.map(({ split }) => split))].sort();
				if (splits.length < 2) continue;
				for (const task of sharing) crossing.add(task);
				const [task, ...others] = sharing.map(({ id }) => id).sort();
				findings.push({
					...{ code: `shared-${link}`, severity: "warning", ...(task === undefined ? {} : { task }), others },
					message: `${key.trim()} stands in ${sharing.length} tasks of ${splits.join(", ")}; split anew (hopscope benchmark split)`,
				});
			}
			figures.push({ name: `tasks that share ${link} across splits`, value: crossing.size, of: parted });
		}
		return { looked: parted, findings, figures };
	},
};
