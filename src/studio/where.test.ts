import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { packTable, unpackTable } from "./packed-table.ts";
import { facetsOf, select } from "./select.ts";
import { createCategory, type Table } from "./table.ts";
import { maskOf, parseWhere, quote } from "./where.ts";

/** A row as somebody reads it. */
interface Plain {
	task: string;
	question: string;
	outcome: string | null;
	kind: string | null;
	tool: string[];
	tokens: number | null;
	hops: number | null;
}

const kinds = ["a b", "c,d", 'say "x"', "back\\slash", "plain", "-minus", "ключ", "a:b", "<script>"];
const tools = ["text_search", "page_search", "calculator"];
const words = ["railway", "Лима", "größe", "50%", "x:y", "-", "(", "a\\b"];

const plain: fc.Arbitrary<Plain> = fc.record({
	task: fc.constantFrom("t1", "t2", "../t3", "t 4"),
	question: fc.array(fc.constantFrom(...words), { maxLength: 3 }).map((some) => some.join(" ")),
	outcome: fc.constantFrom("right", "wrong", "partly-right", null),
	kind: fc.constantFrom(...kinds, null),
	tool: fc.subarray(tools),
	tokens: fc.oneof(fc.constantFrom(0, 499, 500, 5000, 0.5, null), fc.integer({ min: 0, max: 9000 })),
	hops: fc.constantFrom(1, 2, 3, 34, null),
});
const plainRows = fc.array(plain, { maxLength: 30 });

function tableOf(rows: readonly Plain[]): Table {
	const categories = (["task", "question", "outcome", "kind", "tool"] as const).map((name) => {
		const column = createCategory(rows.length, { sets: name === "tool" });
		for (const [at, row] of rows.entries())
			column.set(at, name === "tool" ? row.tool.join(" ") || null : row[name] || null);
		return [name as string, column.done()] as const;
	});
	const numbers = (["tokens", "hops"] as const).map(
		(name) => [name as string, Float64Array.from(rows, (row) => row[name] ?? Number.NaN)] as const,
	);
	return { rows: rows.length, numbers: new Map(numbers), categories: new Map(categories) };
}

/** A term as one writes it, with the same said by a function. */
interface Said {
	text: string;
	holds(row: Plain): boolean;
}

const categoryTerm: fc.Arbitrary<Said> = fc.oneof(
	...(
		[
			["outcome", ["right", "wrong", "partly-right", "RIGHT", "none"]],
			["kind", [...kinds, "none", "nothing"]],
			["tool", [...tools, "page", "none"]],
		] as const
	).map(([name, values]) =>
		fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 3 }).map((wanted): Said => {
			const lower = wanted.map((value) => value.toLowerCase());
			return {
				text: `${name}:${wanted.map(quote).join(",")}`,
				holds(row) {
					const own = name === "tool" ? row.tool : row[name] === null ? [] : [row[name]];
					if (own.length === 0) return lower.includes("none");
					return own.some((value) => lower.includes(value) || (value === "page_search" && lower.includes("page")));
				},
			};
		}),
	),
);

const comparisons: Record<string, (a: number, b: number) => boolean> = {
	">": (a, b) => a > b,
	">=": (a, b) => a >= b,
	"<": (a, b) => a < b,
	"<=": (a, b) => a <= b,
	"=": (a, b) => a === b,
	":": (a, b) => a === b,
};
const figures: [string, number][] = [
	...([0, 1, 2, 499, 500, 5000] as const).map((value): [string, number] => [String(value), value]),
	...([
		["5k", 5000],
		["0.5k", 500],
		["50%", 0.5],
		["5,000", 5000],
		["5_000", 5000],
		["0.5", 0.5],
	] as [string, number][]),
];
const numberTerm: fc.Arbitrary<Said> = fc
	.tuple(fc.constantFrom("tokens", "hops"), fc.constantFrom(...Object.keys(comparisons)), fc.constantFrom(...figures))
	// behind what asks for equal ones, commas separate several
	.filter(([, operator, [written]]) => !written.includes(",") || !["=", ":"].includes(operator))
	.map(([name, operator, [written, value]]) => ({
		text: `${name}${operator}${written}`,
		holds(row) {
			const own = name === "tokens" ? row.tokens : row.hops;
			return own !== null && (comparisons[operator]?.(own, value) ?? false);
		},
	}));
const severalNumbers: fc.Arbitrary<Said> = fc
	.subarray([1, 2, 3, 34], { minLength: 2 })
	.map((wanted) => ({ text: `hops:${wanted.join(",")}`, holds: ({ hops }) => hops !== null && wanted.includes(hops) }));

const stands = (text: string, { task, question }: Plain) =>
	[task, question].some((own) => own.toLowerCase().includes(text.toLowerCase()));
const textTerm: fc.Arbitrary<Said> = fc.oneof(
	fc.constantFrom("railway", "RAIL", "größe", "лима", "t3", "50%", "(", ".*").map((text) => ({
		text,
		holds: (row: Plain) => stands(text, row),
	})),
	fc.constantFrom("railway größe", "t 4", "x:y", "-", "a\\b", "t1", "nowhere").map((text) => ({
		text: `"${text.replace(/["\\]/g, "\\$&")}"`,
		holds: (row: Plain) => stands(text, row),
	})),
);
const term = fc
	.tuple(fc.boolean(), fc.oneof(categoryTerm, numberTerm, severalNumbers, textTerm))
	.map(([not, { text, holds }]): Said => (not ? { text: `-${text}`, holds: (row) => !holds(row) } : { text, holds }));

describe("the filter language", () => {
	test("selects what a reading of its terms, row by row, selects", () => {
		fc.assert(
			fc.property(plainRows, fc.array(term, { maxLength: 4 }), (rows, terms) => {
				const where = terms.map(({ text }) => text).join("  ");
				const { rows: chosen, problems } = select({ where, sort: "" }, tableOf(rows));
				const wanted = rows.flatMap((row, at) => (terms.every(({ holds }) => holds(row)) ? [at] : []));
				expect([problems, [...chosen]], where).toEqual([[], wanted]);
			}),
			{ numRuns: 400 },
		);
	});

	test("takes any string: nothing throws, and none of the longest takes long", () => {
		const table = tableOf([{ ...blank, tool: ["page_search"] }]);
		const piece = fc.constantFrom(
			...'"\\,:->=<k% \u00a0\n',
			"outcome",
			"tokens",
			"hop1",
			"9",
			"a",
			"__proto__",
			"\u202e",
			"𝒳",
		);
		const where = fc.oneof(
			fc.string({ unit: "binary", maxLength: 120 }),
			fc.array(piece, { maxLength: 60 }).map((all) => all.join("")),
		);
		fc.assert(
			fc.property(where, fc.string(), (text, sort) => {
				const { rows, problems } = select({ where: text, sort }, table);
				expect(rows.length).toBeLessThanOrEqual(1);
				for (const problem of problems) expect(problem.length).toBeGreaterThan(10);
			}),
			{ numRuns: 400 },
		);
		for (const text of ['"a,', 'x:"', "-", 'a"', "kind:a,", '\\"', 'kind:"a"b', '"a",'])
			select({ where: text.repeat(2000 / text.length), sort: "" }, table);
	});

	test("tells names and numbers that it does not know, and leaves them out", () => {
		const table = tableOf([blank]);
		for (const [where, says] of [
			["tokns>5", /no column "tokns"; there is .*tokens/],
			["tokens>many", /no number/],
			["tokens>5,00", /no number/],
			["hops:2,x", /no number/],
			["outcome>5", /outcome:VALUE/],
			["constructor:x", /no column "constructor"/],
			["__proto__:x", /no column|^$/],
		] as const) {
			const { rows, problems } = select({ where, sort: "" }, table);
			expect([where, problems.join()]).toEqual([where, expect.stringMatching(says)]);
			if (problems.length > 0) expect(rows.length).toBe(1);
		}
		expect(select({ where: "", sort: "-nothing" }, table).problems).toEqual([expect.stringContaining('"nothing"')]);
		expect(parseWhere("a ".repeat(60), table).problems).toHaveLength(1);
	});

	test("takes for a text what looks like a column and begins with a digit", () => {
		const table = tableOf([{ ...blank, question: "at 12:30" }, blank]);
		for (const where of ["12:30", '"12:30"', "-9:15 12:30"])
			expect([where, [...select({ where, sort: "" }, table).rows]]).toEqual([where, [0]]);
	});

	test("says a value so that it is found again, whatever it holds", () => {
		fc.assert(
			fc.property(fc.string({ unit: "binary", minLength: 1 }), (value) => {
				const column = createCategory(2);
				column.set(0, value);
				const table = { rows: 2, numbers: new Map(), categories: new Map([["kind", column.done()]]) };
				const { terms, problems } = parseWhere(`kind:${quote(value)} -kind:"other, one"`, table);
				expect(problems).toEqual([]);
				expect(maskOf(terms, table)[0]).toBe(1);
			}),
		);
	});
});

const blank: Plain = { task: "t1", question: "", outcome: null, kind: null, tool: [], tokens: null, hops: null };

describe("the order", () => {
	test("is stable, both ways; rows without a value come last either way", () => {
		const collator = new Intl.Collator("en", { numeric: true });
		fc.assert(
			fc.property(plainRows, fc.constantFrom("tokens", "hops", "outcome", "kind", "task"), (rows, name) => {
				const shown = (at: number) => rows[at]?.[name as "tokens" | "kind"] ?? null;
				for (const sign of [1, -1]) {
					const sorted = [...select({ where: "", sort: sign < 0 ? `-${name}` : name }, tableOf(rows)).rows];
					expect([...sorted].sort((a, b) => a - b)).toEqual(rows.map((_, at) => at));
					for (const [place, row] of sorted.entries()) {
						const next = sorted[place + 1];
						if (next === undefined) continue;
						const [x, y] = [shown(row), shown(next)];
						if (x === null) expect(y).toBeNull();
						if (y === null && x !== null) continue;
						const order =
							x === null || y === null ? 0 : typeof x === "number" ? x - Number(y) : collator.compare(x, String(y));
						expect(sign * order).toBeLessThanOrEqual(0);
						if (order === 0) expect(row).toBeLessThan(next);
					}
				}
			}),
			{ numRuns: 300 },
		);
	});
});

describe("facets", () => {
	const facets = ["outcome", "kind", "tool"].map((name) => ({ name, title: name, titles: {} }));

	test("count what each of their filters selects beside the other terms, and add up", () => {
		fc.assert(
			fc.property(plainRows, fc.array(term, { maxLength: 2 }), (rows, some) => {
				const table = tableOf(rows);
				const where = some.map(({ text }) => text).join(" ");
				const { terms } = parseWhere(where, table);
				for (const { name, values } of facetsOf(terms, table, facets)) {
					const others = some
						.filter(({ text }) => !text.replace("-", "").startsWith(`${name}:`))
						.map(({ text }) => text);
					const beside = select({ where: others.join(" "), sort: "" }, table).rows.length;
					const sum = values.reduce((all, { count }) => all + count, 0);
					if (name === "tool") expect(sum).toBeGreaterThanOrEqual(beside);
					else expect(sum).toBe(beside);
					for (const { where: own, count } of values)
						expect(select({ where: [...others, own].join(" "), sort: "" }, table).rows.length, own).toBe(count);
				}
			}),
			{ numRuns: 300 },
		);
	});
});

test("a table that is packed and unpacked is the same", () => {
	fc.assert(
		fc.property(plainRows, (rows) => {
			const table = tableOf(rows);
			const text = JSON.stringify(packTable(table, (bytes) => Buffer.from(bytes).toString("base64")));
			const unpacked = unpackTable(JSON.parse(text), (packed) => Uint8Array.from(Buffer.from(packed, "base64")).buffer);
			expect(unpacked).toEqual(table);
		}),
		{ numRuns: 100 },
	);
});
