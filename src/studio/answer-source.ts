/** Where an answer that is not right comes from, as far as the record shows it. */
import { clip, type Diagnosis, type Evidence, type RunRecord, type ScoreRow, type Task } from "#domain";
import type { TaskHop, TaskStep } from "./pages.ts";
import { stepsSaid, textOf } from "./recorded-words.ts";
import { isRightFor } from "./task-hops.ts";
import { holds } from "./value-spans.ts";

/** A longer answer is a sentence, which stands nowhere as it is. */
const longest = 120;

/** In a sentence or two; null where the answer is right or nothing shows it. */
export function answerSource(
	{
		hops,
		steps,
		texts,
	}: { hops: readonly TaskHop[]; steps: readonly TaskStep[]; texts: ReadonlyMap<string, Evidence | undefined> },
	{
		task,
		record: { trajectory },
		row,
		diagnosis,
	}: { task: Task; record: RunRecord; row: ScoreRow | undefined; diagnosis: Diagnosis | undefined },
): string | null {
	const answer = trajectory.answer?.trim() ?? "";
	if (answer === "" || answer.length > longest || row?.outcome === "right") return null;
	if (diagnosis?.findings.some(({ is }) => is === "unsupported-answer")) return "It stands nowhere in what came back.";
	const { chain } = task;
	const other = chain?.hops.find((hop) => hop.id !== chain.sink && isRightFor(hop, answer, task));
	const place = hops.find(({ id }) => id === other?.id)?.place;
	const stated = steps.filter(({ read }) => read?.text.toLowerCase() === answer.toLowerCase());
	const written = trajectory.steps.find(({ thought }) => thought !== undefined && holds(thought, answer));
	const where = whereItStands();
	const lines = [
		...(place === undefined ? [] : [`It is the value of hop ${place}.`]),
		...(where === null ? [] : [where]),
		...(stated.length === 0 ? [] : [`It is what ${stepsSaid(stated.map(({ index }) => index))} read.`]),
		...(written ? [`The agent first wrote it in step ${written.index + 1}.`] : []),
	];
	return lines.length === 0 ? null : lines.slice(0, 2).join(" ");

	function whereItStands(): string | null {
		for (const { index, results } of steps)
			for (const { id } of results) {
				const evidence = texts.get(id);
				if (evidence && holds(`${evidence.title}\n${textOf(evidence)}`, answer))
					return `It stands in “${clip(evidence.title || id, 60)}”, which step ${index + 1} brought.`;
			}
		return null;
	}
}
