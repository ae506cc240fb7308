import { counted, plainLine, tally } from "#domain";
import type { Gathered } from "./sft-sources.ts";

const levels: Record<string, string> = {
	have: "a model answered with and without the evidence of its hops, and every hop counts",
	"have-by-rule":
		"by words alone: each hop leads on to the next, or nothing else states what it tells; no model was asked",
	rules: "rules looked at it and found no fault; no model did",
	none: "nobody looked at it, or a check failed",
};

/** What was taken, from where and under which terms, how it was verified and what was left out, for whoever trains on it. */
export function sftCard(gathered: readonly Gathered[]): string {
	return `${["# Conversations for fine-tuning", ...gathered.flatMap(sectionOf)].join("\n\n")}\n`;
}

function sectionOf({ examples, report }: Gathered): string[] {
	const { name, kind, tasks, records, about, splits, dropped, noticed } = report;
	const from = records === undefined ? counted(tasks, "chain") : `${records} trajectories`;
	const verified = tally(examples.flatMap(({ tags }) => tags.verified ?? []));
	return [
		`## ${plainLine(name)}`,
		`${counted(examples.length, "example")} from ${from} (${kind}); splits: ${counts(splits)}.`,
		kind === "trajectories"
			? "Every answer is right, every turn could be carried out as written, and the diagnosis found nothing that should not be learnt."
			: table(
					"how the chains were verified",
					Object.entries(verified).map(([level, count]) => [`${level}: ${levels[level] ?? ""}`, count]),
				),
		table("left out", Object.entries(dropped)),
		table("noticed", Object.entries(noticed)),
		`\`\`\`json\n${JSON.stringify(about, null, 1)}\n\`\`\``,
	].filter((part) => part !== "");
}

const counts = (of: Record<string, number>) =>
	Object.entries(of)
		.map(([name, count]) => `${plainLine(name)} ${count}`)
		.join(", ");

const table = (head: string, rows: [string, number][]): string =>
	rows.length === 0
		? ""
		: [
				`| ${head} | examples |`,
				"| --- | ---: |",
				...rows.map(([what, count]) => `| ${plainLine(what)} | ${count} |`),
			].join("\n");
