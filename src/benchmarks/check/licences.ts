import { citedBy } from "../cited-by.ts";
import { lookedUp } from "../looked-up.ts";
import type { BenchmarkCheck } from "./check.ts";
import type { CheckFigure, FoundProblems } from "./finding.ts";

/** Under which terms the tasks, their images and their gold evidence stand, as they state it themselves. */
export const licencesCheck: BenchmarkCheck = {
	name: "licences",
	about: "benchmark, tasks, question images and gold evidence state their terms (a summary, not legal advice)",
	async run({ manifest, tasks, evidence }) {
		const findings: FoundProblems = [];
		if (manifest.licence.trim() === "")
			findings.push({ code: "no-licence", severity: "error", message: "benchmark.json states no licence" });
		const counts = new Map<string, number>();
		const count = (what: string, terms: string) => {
			const name = `${what}: ${terms.trim() || "not stated"}`;
			counts.set(name, (counts.get(name) ?? 0) + 1);
		};
		const images = new Map<string, string>();
		const cited = new Set<string>();
		let looked = 0;
		for await (const task of tasks) {
			looked += 1;
			const { id, rights } = task;
			if (rights.trim() === "" && manifest.licence.trim() === "")
				findings.push({ code: "no-rights", severity: "warning", task: id, message: `task ${id}: states no rights` });
			count("tasks", rights || manifest.licence);
			for (const { sha256, licence = "" } of task.images) images.set(sha256, licence);
			if (evidence) for (const one of citedBy(task)) cited.add(one);
		}
		for (const licence of images.values()) count("question images", licence);
		if (evidence) {
			for await (const { found } of lookedUp(cited, evidence))
				if (found) count("gold evidence", found.provenance.licence ?? "");
		}
		const figures = [...counts]
			.sort(([a], [b]) => (a < b ? -1 : 1))
			.map(([name, value]): CheckFigure => ({ name, value }));
		const notes = evidence ? [] : ["gold evidence needs the knowledge base"];
		return { looked, findings, figures, notes };
	},
};
