import { z } from "zod";
import { freeRecord, grouped, inDependencyOrder, Json, retrievalHops, type Task } from "#domain";
import { conversionWarnings } from "./define-format.ts";
import type { Written } from "./format.ts";
import { writtenAnswer } from "./given-answer.ts";
import { nativeOf } from "./native.ts";
import { textOf } from "./passage.ts";

const Kept = z.object({ level: freeRecord(Json), rest: freeRecord(Json).optional() });
type Fields = Record<string, unknown>;

/** One record a nested question series, in the order of the first task of each; a task without one is a record of its own. */
export async function* tracerRows(
	{ tasks, evidence }: Written,
	tell: (warning: string) => void,
): AsyncGenerator<Fields> {
	const series = grouped(tasks, ({ id, ladder }) => (ladder ? `ladder ${ladder.id}` : `task ${id}`));
	for (const levels of series.values()) {
		const sorted = [...levels].sort((a, b) => (a.ladder?.level ?? 1) - (b.ladder?.level ?? 1));
		let row: Fields = {};
		let count = 0;
		for (const [index, task] of sorted.entries()) {
			const before = sorted[index - 1];
			for (const what of conversionWarnings(task, "images")) tell(`${task.id}: ${what}`);
			const kept = Kept.safeParse(nativeOf(task, "tracer")).data;
			const expected = (before?.ladder?.level ?? 0) + 1;
			if (kept && task.ladder && task.ladder.level !== expected)
				tell(`${task.id}: level ${expected} is not in the benchmark: the record continues without it`);
			for (const level of await levelsOf(task, { evidence, before })) {
				count += 1;
				row[`hop_${count}`] = level;
				if (level.final_question === undefined) tell(`${task.id}: hop_${count} has no question of its own level`);
			}
			row = { ...row, ...kept?.rest };
		}
		if (Object.keys(row).length > 0) yield row;
		else tell(`${sorted[0]?.id}: has neither a chain nor a record of its own: left out`);
	}
}

/** The levels that a task adds to the one before it; all of them where there is none. */
async function levelsOf(
	task: Task,
	{ evidence, before }: Pick<Written, "evidence"> & { before: Task | undefined },
): Promise<Fields[]> {
	const kept = Kept.safeParse(nativeOf(task, "tracer")).data?.level;
	const docOf = async (id: string | undefined) => {
		const found = id === undefined ? undefined : await evidence(id);
		return found ? `"${found.title}"\n${textOf(found)}` : "";
	};
	const gold = task.chain ? retrievalHops(task.chain) : [];
	if (kept) {
		const id = task.chain ? gold.at(-1)?.evidence[0] : task.supporting?.at(-1);
		const final = { final_question: task.question, final_answer: writtenAnswer(task.answer) };
		const stated = Object.fromEntries(Object.entries(final).filter(([name]) => Object.hasOwn(kept, name)));
		const same = kept.final_question === undefined ? { question: task.question } : {};
		return [{ doc: await docOf(id), ...kept, ...stated, ...same }];
	}
	const known = new Set(before?.chain?.hops.map((hop) => hop.question));
	const added = task.chain
		? inDependencyOrder(task.chain).filter((hop) => hop.evidence.length > 0 && !known.has(hop.question))
		: [];
	const compared = comparedIn(task);
	const levels: Fields[] = [];
	for (const [index, hop] of added.entries()) {
		const last = index === added.length - 1;
		const first = index === 0 && before === undefined;
		levels.push({
			question: hop.question,
			answer: writtenAnswer(hop.answer),
			doc: await docOf(hop.evidence[0]),
			...(last
				? {
						...{ final_question: task.question, final_answer: writtenAnswer(task.answer) },
						...{ optional_answers: task.answer.accepted },
					}
				: first
					? { final_question: hop.question, final_answer: writtenAnswer(hop.answer) }
					: {}),
			...(first && added.length > 1 ? {} : first ? {} : { qa_type: compared.has(hop.id) ? "comparison" : "inference" }),
		});
	}
	return levels;
}

/** The hops that are put beside what was known before them: the last operand of each computation over several. */
function comparedIn({ chain }: Task): Set<string> {
	const order = new Map((chain ? inDependencyOrder(chain) : []).map(({ id }, at) => [id, at]));
	const place = (id: string) => order.get(id) ?? -1;
	return new Set(
		(chain?.hops ?? []).flatMap(({ evidence, needs }) => {
			if (evidence.length > 0 || needs.length < 2) return [];
			const operands = needs.map(({ hop }) => hop).sort((a, b) => place(a) - place(b));
			return operands.slice(-1);
		}),
	);
}
