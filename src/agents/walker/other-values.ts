/** Wrong values for a hop: another one of its kind that stands in a text, or a name that stands in none. */
import type { Answer, Hop, Task } from "#domain";
import { retrievalHops } from "#domain";
import { partsOf } from "../reading/passage-parts.ts";
import { dayNumber } from "../reading/quantities.ts";
import { type Span, spansOf } from "../reading/spans.ts";
import { readValue } from "../reading/values.ts";
import { nameKey, tokens } from "../reading/words.ts";

/** What a reader has before it. */
export interface Text {
	text: string;
	language: string;
}

/** Names by the kind of hop whose answer they are. */
export type Names = ReadonlyMap<string, readonly string[]>;

/** The answers of a benchmark's retrieving hops, by kind and language; the kind is the relation, else how it is asked for. */
export function namesByKind(tasks: readonly Task[]): Names {
	const kinds = new Map<string, Set<string>>();
	for (const task of tasks)
		for (const hop of task.chain ? retrievalHops(task.chain) : []) {
			if (hop.answer.type !== "string") continue;
			for (const kind of [kindOf(hop, task), task.tags.language])
				kinds.set(kind, (kinds.get(kind) ?? new Set()).add(hop.answer.value));
		}
	return new Map([...kinds].map(([kind, names]) => [kind, [...names].sort()]));
}

const kindOf = (hop: Hop, task: Task) =>
	`${task.tags.language} ${hop.relation ?? nameKey(hop.question).split(" ").slice(0, 2).join(" ")}`;

/** Names of a hop's kind, in an order of their own; those of the same language where its kind has too few. */
export function namesLike(hop: Hop, { task, names }: { task: Task; names: Names }): readonly string[] {
	const own = names.get(kindOf(hop, task)) ?? [];
	return own.length > 3 ? own : (names.get(task.tags.language) ?? own);
}

/**
 * Values of the same kind as a hop's answer that stand in the texts and are wrong for it: figures (of the same unit where
 * there are any), dates, names of the kind where any of them stands there and other names otherwise. Left to right.
 */
export function otherValues(hop: Hop, texts: readonly Text[], { task, names }: { task: Task; names: Names }): string[] {
	const { answer } = hop;
	const spans = texts.flatMap(spansIn).filter(({ text }) => !says(hop.question, text) && !isAccepted(answer, text));
	const written = (found: Span[]) => [...new Set(found.map(({ text }) => text))];
	switch (answer.type) {
		case "number": {
			const gold = answer.number;
			const numbers = spans.filter(({ quantity }) => quantity && !near(quantity.value, gold.value));
			const unit = gold.unit ?? readValue(answer.value).unit ?? "";
			const same = numbers.filter(({ quantity }) => quantity?.unit === unit);
			return written(same.length > 0 ? same : numbers);
		}
		case "time": {
			const gold = readValue(answer.value).date;
			const dates = spans.filter(({ date }) => date && (!gold || dayNumber(date) !== dayNumber(gold)));
			const same = dates.filter(({ date }) => (date?.day === undefined) === (gold?.day === undefined));
			return written(same.length > 0 ? same : dates);
		}
		case "string": {
			const whole = texts.map(({ text }) => text).join("\n");
			const listed = namesLike(hop, { task, names }).filter(
				(name) => says(whole, name) && !isAccepted(answer, name) && !says(hop.question, name),
			);
			return listed.length > 0 ? [...listed] : written(spans.filter(({ kind }) => kind === "name"));
		}
		default:
			return [];
	}
}

function spansIn({ text, language }: Text): Span[] {
	const { sentences, rows } = partsOf(text);
	const values = rows.map(({ value, index }) => ({ text: value, tokens: tokens(value), index }));
	return [...sentences, ...values].flatMap((sentence) => spansOf(sentence, { language }));
}

/** Whether a text holds a name, as whole words. */
export const says = (text: string, name: string): boolean => ` ${nameKey(text)} `.includes(` ${nameKey(name)} `);

/** Whether a value is the answer, or another form or a part of one. */
export function isAccepted(answer: Answer, value: string): boolean {
	return answer.accepted.some((form) => says(form, value) || says(value, form));
}

/** Within a twentieth: what a lenient reader might still call the same. */
const near = (a: number, b: number) => Math.abs(a - b) <= 0.05 * Math.abs(b);
