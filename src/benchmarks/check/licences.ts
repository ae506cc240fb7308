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
		const without = tasks.filter(({ rights }) => rights.trim() === "" && manifest.licence.trim() === "");
		for (const { id } of without)
			findings.push({ code: "no-rights", severity: "warning", task: id, message: `task ${id}: states no rights` });
		const counts = new Map<string, number>();
		const count = (what: string, terms: string) => {
			const name = `${what}: ${terms.trim() || "not stated"}`;
			counts.set(name, (counts.get(name) ?? 0) + 1);
		};
		for (const { rights } of tasks) count("tasks", rights || manifest.licence);
		const images = new Map(tasks.flatMap(({ images: shown }) => shown.map((image) => [image.sha256, image] as const)));
		for (const image of images.values()) count("question images", image.licence ?? "");
		if (evidence) {
			const ids = tasks.flatMap(citedBy);
			for await (const { found } of lookedUp(ids, evidence))
				if (found) count("gold evidence", found.provenance.licence ?? "");
		}
		const figures = [...counts]
			.sort(([a], [b]) => (a < b ? -1 : 1))
			.map(([name, value]): CheckFigure => ({ name, value }));
		const notes = evidence ? [] : ["gold evidence needs the knowledge base"];
		return { looked: tasks.length, findings, figures, notes };
	},
};
