import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LabelledItem } from "#domain";
import { itemsFromRows, labelRows, mergeLabels, R1SearcherLine, r1SearcherItem, ragcheckerItems } from "#scoring";
import { csvRows, csvText, plainCellText } from "#store";

const text = fc.oneof(
	fc.string({ unit: "grapheme", maxLength: 40 }),
	fc.constantFrom(
		"=1+1",
		"'=x",
		"-3",
		"+49 30",
		"@me",
		'"quoted", comma; and\nline\r\nend\ttab',
		"＝SUM(A1)",
		"#1",
		" x ",
		"العربية",
		"日本語、「引用」",
	),
);
const grade = fc.record({
	is: fc.constant("grade" as const),
	grade: fc.constantFrom("right", "partly-right", "wrong"),
});
const preference = fc.record({
	is: fc.constant("preference" as const),
	name: fc.constantFrom("overall", "correctness"),
	value: fc.integer({ min: -2, max: 2 }),
});
const score = fc.record({
	is: fc.constant("score" as const),
	name: fc.constantFrom("accuracy", "a b"),
	value: fc.integer({ min: 0, max: 5 }),
});
const labels = fc.record({
	is: fc.constant("labels" as const),
	labels: fc.uniqueArray(fc.constantFrom("step-omission", "spurious-step", "drift"), { maxLength: 3 }),
});
const step = fc.record({ question: text, search: text, answer: text, found: fc.array(text, { maxLength: 2 }) });
const steps = fc.option(fc.array(step, { maxLength: 2 }), { nil: undefined });
const item = fc
	.record({
		id: fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).filter((id) => id.trim() === id),
		question: text,
		reference: fc.array(text, { maxLength: 3 }),
		submitted: fc.option(text),
		stratum: fc.option(fc.constantFrom("1", "2"), { nil: undefined }),
		steps,
		goldSteps: steps,
		weight: fc.option(fc.double({ min: 1, max: 50, noNaN: true }), { nil: undefined }),
		raters: fc.uniqueArray(
			fc.record({
				rater: fc.constantFrom("ann", "=ben", "Łucja"),
				round: fc.constantFrom(undefined, "adjudication" as const),
				labels: fc.uniqueArray(fc.oneof(grade, preference, score, labels), {
					maxLength: 3,
					selector: (label) => ("name" in label ? `${label.is} ${label.name}` : label.is),
				}),
			}),
			{ maxLength: 3, selector: ({ rater, round }) => `${rater} ${round}` },
		),
	})
	.map(({ raters, stratum, weight, steps, goldSteps, ...rest }) =>
		LabelledItem.parse({
			version: 1,
			...rest,
			...(stratum === undefined ? {} : { stratum }),
			...(weight === undefined ? {} : { weight }),
			...(steps ? { steps } : {}),
			...(goldSteps ? { goldSteps } : {}),
			tags: { language: "ar" },
			labels: raters.flatMap(({ rater, round, labels }) =>
				labels.map((label) => ({ rater, kind: "human", ...(round ? { round } : {}), label })),
			),
		}),
	);

const readBack = (csv: string) =>
	itemsFromRows(
		[...csvRows(csv, ",")].map((row) => row.map(plainCellText)),
		{ rater: "file" },
	);

describe("a table of labels", () => {
	test("comes back from CSV as it was: formulas, quotes, line ends, any script", () => {
		fc.assert(
			fc.property(fc.uniqueArray(item, { minLength: 1, maxLength: 5, selector: ({ id }) => id }), (items) => {
				const { items: rows, problems } = readBack(csvText(labelRows(items)));
				expect(problems).toEqual([]);
				const merged = mergeLabels(rows);
				expect(merged.problems).toEqual([]);
				const sorted = (one: LabelledItem) => ({
					...one,
					labels: one.labels.map((label) => JSON.stringify(label)).sort(),
				});
				expect(merged.items.map(sorted)).toEqual(items.map(sorted));
			}),
		);
	});

	test("no cell begins a formula", () => {
		const csv = csvText(
			labelRows([LabelledItem.parse({ version: 1, id: "=cmd", question: "+1", reference: ["@x"], submitted: "-1+2" })]),
		);
		for (const row of csvRows(csv, ",")) for (const cell of row) expect(cell).not.toMatch(/^[=+@＝]|^-(?!\d+$)/);
	});

	const head = "id,question,reference,submitted,grade,score accuracy,rater";
	test("partly filled, with several raters and the rater's own spelling", () => {
		const { items, problems } = readBack(
			`# read me\n${head}\nx,q,r,s,Right,4,ann\nx,q,r,s,partly right,,ben\ny,q,r,s,,,\nz,q,r,s,WRONG,"2,5",\n`,
		);
		expect(problems).toEqual([]);
		const merged = mergeLabels(items).items;
		expect(merged.map(({ id, labels }) => [id, labels.length])).toEqual([
			["x", 3],
			["y", 0],
			["z", 2],
		]);
		expect(merged[0]?.labels[2]).toEqual({
			rater: "ben",
			kind: "human",
			label: { is: "grade", grade: "partly-right" },
		});
		expect(merged[2]?.labels.map(({ rater }) => rater)).toEqual(["file", "file"]);
		expect(merged[2]?.labels[1]?.label).toMatchObject({ value: 2.5 });
	});

	test("labels in a rater's own spelling: several, none, and not said", () => {
		const { items, problems } = readBack(
			'id,question,reference,submitted,labels\nx,q,r,s,"Step omission; spurious_step,"\ny,q,r,s,None\nz,q,r,s,\nw,q,r,s,"a/b"\n',
		);
		expect(items.map(({ labels: [rating] }) => rating?.label)).toEqual([
			{ is: "labels", labels: ["step-omission", "spurious-step"] },
			{ is: "labels", labels: [] },
			undefined,
		]);
		expect(problems).toEqual(['row 5: labels: "a/b" is no list of labels']);
	});

	test("names the rows that cannot be read and reads the others", () => {
		const { items, problems } = readBack(
			`${head}\nx,q,r,s,maybe,,ann\n,q,r,s,right,,ann\ny,q,r,s,,many,ann\nz,q,r,s,right,1e9,ann\nok,q,r,s,right,,ann\n`,
		);
		expect(items.map(({ id }) => id)).toEqual(["ok"]);
		expect(problems).toEqual([
			'row 2: grade: "maybe" is none of right, partly-right, wrong',
			expect.stringMatching(/^row 3: id: /),
			'row 4: score accuracy: "many" is not such a number',
			'row 5: score accuracy: "1e9" is not such a number',
		]);
		expect(readBack("a,b\n1,2\n").problems).toEqual(["the table has no column called id"]);
	});

	test("who changes their mind is taken at the last word, and told of", () => {
		const { items } = readBack(`${head}\nx,q,r,s,right,,ann\nx,q,r,s,wrong,,ann\nx,q,r,s,wrong,,ann\n`);
		const {
			items: [only],
			problems,
		} = mergeLabels(items);
		expect(only?.labels).toEqual([{ rater: "ann", kind: "human", label: { is: "grade", grade: "wrong" } }]);
		expect(problems).toEqual(["x: ann gives two labels for grade; the last one counts"]);
	});

	test("rubbish is read as far as it goes and never throws", () => {
		fc.assert(
			fc.property(fc.string({ unit: "binary" }), (rubbish) => {
				const { items } = readBack(`${head}\n${rubbish}`);
				for (const one of items) expect(LabelledItem.safeParse(one).success).toBe(true);
			}),
		);
	});
});

describe("foreign files", () => {
	const row = {
		...{ instance_id: 7, dataset: "d", query_id: "1", query: "q?", gt_answer: "a" },
		...{ model1: { model_name: "m1", response: "x" }, model2: { model_name: "m2", response: "y" } },
		...{ correctness_label: 1, completeness_label: -2, overall_label: 0 },
	};
	test("RAGChecker: two rows of one pair are two annotators, model2 is the other answer", () => {
		const [item] = ragcheckerItems([row, { ...row, overall_label: 2 }]);
		expect(item).toMatchObject({ submitted: "x", other: "y", system: "m1", otherSystem: "m2", cluster: "d 1" });
		expect(item?.labels).toHaveLength(6);
		expect(item?.labels[5]).toEqual({
			rater: "annotator 2",
			kind: "human",
			label: { is: "preference", name: "overall", value: 2 },
		});
	});
	test.each([
		[{}, /RAGChecker's file/],
		[[{ ...row, overall_label: 3 }], /at 0.overall_label/],
		[[{ ...row, model1: "x" }], /at 0.model1/],
		[[row, { ...row, model2: { model_name: "m2", response: "z" } }], /same two answers/],
	])("RAGChecker: %j is refused in words", (json, problem) => {
		expect(() => ragcheckerItems(json)).toThrow(problem);
	});
	test("R1-Searcher: the recorded verdict is a model's, and one that is none gives no label", () => {
		const line = { question: "q", answer: "a", pred_ans: " a ", gpt4o_output: "True" };
		const read = (gpt4o_output: string) => r1SearcherItem(R1SearcherLine.parse({ ...line, gpt4o_output }), 1);
		expect(read("True")).toMatchObject({
			submitted: "a",
			labels: [{ rater: "gpt-4o", kind: "model", label: { grade: "right" } }],
		});
		expect(read("false.").labels[0]?.label).toEqual({ is: "grade", grade: "wrong" });
		expect(read("It is unclear").labels).toEqual([]);
	});
});
