/** What an agent takes for an answer where the right one is out of reach: other facts, other values, guesses. */
import type { Hop, Task } from "#domain";
import { readValue } from "../reading/values.ts";
import { fold, plainTitle } from "../reading/words.ts";
import type { Observation } from "../tools/tools.ts";
import { drawn, oneOf } from "../walker/drawn.ts";
import { isAccepted, type Names, namesByKind, namesLike, otherValues, says } from "../walker/other-values.ts";

export type Result = Observation["results"][number];

/** What a benchmark's gold chains say of the world: right answers to questions that a task asks by mistake. */
export interface World {
	names: Names;
	facts: ReadonlyMap<string, { value: string; evidence: readonly string[] }>;
}

export function worldOf(tasks: readonly Task[]): World {
	const facts = new Map<string, { value: string; evidence: readonly string[] }>();
	for (const { chain } of tasks)
		for (const { question, answer, evidence } of chain?.hops ?? [])
			if (evidence.length > 0) facts.set(fold(question), { value: answer.value, evidence });
	return { names: namesByKind(tasks), facts };
}

/** Whom or what a hop's wrong value may not be: the right answers of the whole chain. */
const rightSomewhere = (task: Task, value: string) =>
	isAccepted(task.answer, value) || (task.chain?.hops ?? []).some(({ answer }) => isAccepted(answer, value));

/** The fact about a wrong entity, as far as what came back states it or anything of its kind. */
export function readElsewhere(
	hop: Hop,
	{
		asked,
		about,
		results,
		seen,
		task,
		world,
		seedKey,
	}: {
		asked: string;
		/** The wrong values that the question holds. */
		about: readonly string[];
		results: readonly Result[];
		seen: ReadonlyMap<string, Result>;
		task: Task;
		world: World;
		seedKey: string;
	},
): string | undefined {
	const fact = world.facts.get(fold(asked));
	if (fact?.evidence.some((id) => seen.has(id))) return fact.value;
	const page = results.slice(0, 3).find(({ text, title }) => about.some((name) => says(`${title} ${text}`, name)));
	if (!page) return undefined;
	const others = otherValues(hop, [page], { task, names: world.names }).filter(
		(value) => !about.includes(value) && isName(value, [page]),
	);
	return oneOf(others, seedKey, "elsewhere", hop.id);
}

/** Whether a word run that was taken for a name is more than the beginning of a sentence. */
function isName(value: string, texts: readonly Result[]): boolean {
	if (!/^\p{Lu}/u.test(value)) return true;
	const place = new RegExp(`[\\p{L}\\p{N},)’'"] ["“«(]?${value.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}`, "u");
	return texts.some(({ title, text }) => plainTitle(title) === value || place.test(text));
}

/** Another value of the hop's kind in what came back, the hop's own evidence first. */
export function misreading(
	hop: Hop,
	{ brought, task, world, seedKey }: { brought: readonly Result[]; task: Task; world: World; seedKey: string },
): string | undefined {
	for (const texts of [brought.slice(0, 1), brought]) {
		const others = otherValues(hop, texts, { task, names: world.names }).filter(
			(value) =>
				!rightSomewhere(task, value) && !says(task.question, value) && value.length > 1 && isName(value, texts),
		);
		const value = oneOf(others, seedKey, "misread", hop.id);
		if (value !== undefined) return value;
	}
	return undefined;
}

const firstNames = "Alvin Berta Carlos Dora Emil Farida Goran Helga Ines Jorma Karim Lotte".split(" ");
const surnames =
	"Brandvik Castellon Dorfmann Eskelund Fairlough Grabowitz Halvorsen Ibarrola Jankovich Kirkbright".split(" ");
const madeUpPlaces = "Valdorra Kerstania Ostrelle Mirendal Tarvonia Belquist Sorvane Dunmarra Quillova Hestrade".split(
	" ",
);

/** A name of the hop's kind, real or made up, that stands in nothing that came back. */
export function invented(
	hop: Hop,
	{ task, world, seen, seedKey }: { task: Task; world: World; seen: Iterable<Result>; seedKey: string },
): string | undefined {
	if (hop.answer.type !== "string") return undefined;
	const texts = [task.question, hop.question, ...[...seen].flatMap(({ title, text }) => [title, text])];
	const person = /^(?:who|¿?quién)\b/i.test(hop.question);
	const made = person
		? `${oneOf(firstNames, seedKey, "first")} ${oneOf(surnames, seedKey, "last")}`
		: (oneOf(madeUpPlaces, seedKey, "place") ?? "");
	const real = namesLike(hop, { task, names: world.names }).filter((name) => !rightSomewhere(task, name));
	const foreign = oneOf(
		real.filter((name) => !texts.some((text) => says(text, name))),
		...[seedKey, "foreign", hop.id],
	);
	return drawn(seedKey, "made up", hop.id) < 0.4 ? made : (foreign ?? made);
}

/** A wrong value out of the air: a name of the kind, or a figure or date some way off. */
export function guessed(
	hop: Pick<Hop, "answer" | "question"> & Partial<Hop>,
	{ task, world, seedKey }: { task: Task; world: World; seedKey: string },
): string {
	const { answer } = hop;
	const id = hop.id ?? "answer";
	switch (answer.type) {
		case "boolean":
			return answer.value === "yes" ? "no" : "yes";
		case "number":
			return offBy(answer.value, 0.6 + 0.9 * drawn(seedKey, "guess", id)) ?? "12";
		case "time":
			return offBy(answer.value, 1) ?? "1912";
		default: {
			if (/^\d+([.,]\d+)?$/.test(answer.value))
				return offBy(answer.value, 0.6 + 0.9 * drawn(seedKey, "guess", id)) ?? "12";
			if (/^\p{L}$/u.test(answer.value))
				return (
					oneOf(
						[..."aeilmnorst"].filter((letter) => letter !== answer.value),
						seedKey,
						id,
					) ?? "a"
				);
			const names = namesLike({ ...hop, id } as Hop, { task, names: world.names });
			return (
				oneOf(
					names.filter((name) => !rightSomewhere(task, name)),
					seedKey,
					"guess",
					id,
				) ?? "Valdorra"
			);
		}
	}
}

/** A figure read off a chart with the wrong bar or a slip of the ruler: 8 to 45 % off, in the answer's own unit. */
export function misjudged(hop: Hop, seedKey: string): string | undefined {
	const size = 0.08 + 0.37 * drawn(seedKey, "off", hop.id);
	return offBy(hop.answer.value, drawn(seedKey, "side", hop.id) < 0.5 ? 1 - size : 1 + size);
}

/** A written figure times a factor, year by year where it is a date; undefined where none stands there. */
function offBy(written: string, factor: number): string | undefined {
	const year = /\b(1[0-9]{3}|20[0-9]{2})\b/.exec(written);
	const { unit, number } = readValue(written);
	if (year && (unit === undefined || unit === "")) {
		const shift = Math.round((factor - 1) * 20) || 13;
		return written.replace(year[0], String(Number(year[0]) + shift));
	}
	const digits = /\d[\d.,\u00a0\u202f ]*\d|\d/.exec(written)?.[0];
	if (number === undefined || digits === undefined) return undefined;
	// digits after a lone comma or point that are not three are decimals
	const decimals = /[.,](\d{1,2}|\d{4,})$/.exec(digits)?.[1]?.length ?? 0;
	const plain = (decimals > 0 ? `${digits.slice(0, -decimals - 1)}§${digits.slice(-decimals)}` : digits)
		.replace(/[^\d§]/g, "")
		.replace("§", ".");
	const scaled = (Number(plain) * factor).toFixed(decimals);
	const other = scaled === plain ? String(Number(plain) + 3) : scaled;
	return written.replace(digits, digits.includes(",") && decimals > 0 ? other.replace(".", ",") : other);
}

/** What another image shows: the country of a flag or map; nothing of other images. */
export function shownBy({ kind, title }: Result): string[] {
	const country = /^(?:Flag|Outline map|Bandera|Mapa) (?:of|de) (?:the )?(.+)$/i.exec(plainTitle(title))?.[1];
	return kind === "image" && country !== undefined ? [country] : [];
}

/** What a transformation named in words makes of a wrong operand; undefined for those that need more than a rule. */
export function transformed(question: string, operand: string): string | undefined {
	const parts = operand.split(/\s+/);
	if (/first name/i.test(question)) return parts[0];
	if (/last name|surname/i.test(question)) return parts.at(-1);
	if (/first letter/i.test(question)) return operand[0];
	if (/last letter/i.test(question)) return operand.at(-1);
	if (/reverse/i.test(question)) return [...operand].reverse().join("").toLowerCase();
	if (/how many (?:unique |distinct )?letters|number of letters/i.test(question))
		return String(operand.replace(/[^\p{L}]/gu, "").length);
	return undefined;
}
