import { describe, expect, it } from "vitest";
import { chainProblems, topologyOf } from "#domain";
import { readRowsAs } from "../../../test/support/benchmarks/rows-read.ts";
import { multimodalqa } from "./multimodalqa.ts";
import { readProgram } from "./question-program.ts";

/** All programs of the set's development questions. */
const programs = [
	...["TextQ", "TableQ", "ImageQ", "ImageListQ"],
	...["Compose(TableQ,ImageListQ)", "Compose(TextQ,ImageListQ)", "Compose(ImageQ,TableQ)"],
	...["Compose(ImageQ,TextQ)", "Compose(TextQ,TableQ)", "Compose(TableQ,TextQ)"],
	...["Intersect(TableQ,TextQ)", "Intersect(ImageListQ,TableQ)", "Intersect(ImageListQ,TextQ)"],
	...["Compare(Compose(TableQ,ImageQ),TableQ)", "Compare(Compose(TableQ,ImageQ),Compose(TableQ,TextQ))"],
	"Compare(TableQ,Compose(TableQ,TextQ))",
];
const one = (answer: string, modality: string) => ({ answer, type: "string", modality });
const question = (type: string, before: unknown[] = [], answers: unknown[] = [one("Obern", "table")]) => ({
	qid: type,
	question: "Which town has the taller tower?",
	answers,
	metadata: {
		type,
		modalities: ["table"],
		pseudo_language_question: "In [Towns] which [Town] has {the tower with a green clock?}",
		intermediate_answers: before,
		...{ image_doc_ids: ["i1", "i2"], text_doc_ids: ["t1"], table_id: "b1" },
	},
	supporting_context: [
		{ doc_id: "t1", doc_part: "text" },
		{ doc_id: "b1", doc_part: "table" },
		{ doc_id: "i1", doc_part: "image" },
	],
});
/** As many told answers of each kind as the program has single questions of it, but for the last. */
function told(type: string): unknown[] {
	const kinds = (type.match(/\w+Q\b/g) ?? []).map((word) =>
		word.startsWith("Image") ? "image" : word.replace("Q", "").toLowerCase(),
	);
	const last = type.startsWith("Compose") ? kinds.slice(1) : kinds;
	return /^(Compare|Intersect|Compose)/.test(type) ? last.map((kind, place) => [one(`${kind} ${place}`, kind)]) : [];
}

describe("MultiModalQA", () => {
	it("makes a sound graph of each of the 16 programs", async () => {
		expect(programs).toHaveLength(16);
		const { tasks, refused, losses } = await readRowsAs(
			multimodalqa,
			programs.map((type) => question(type, told(type))),
		);
		expect([refused, losses]).toEqual([[], []]);
		for (const task of tasks)
			expect([task.tags.program, chainProblems(task), task.chain !== undefined]).toEqual([task.tags.program, [], true]);
		const shapes = Object.fromEntries(
			tasks.map((task) => [
				task.tags.program,
				task.chain?.hops
					.map(({ modality, needs }) => `${modality}(${needs.map(({ hop }) => hop).join(",")})`)
					.join(" "),
			]),
		);
		expect(shapes).toMatchObject({
			ImageListQ: "image()",
			"Compose(TextQ,ImageListQ)": "image() text(h1)",
			"Intersect(ImageListQ,TableQ)": "image() table() compute(h1,h2)",
			"Compare(Compose(TableQ,ImageQ),TableQ)": "image() table(h1) table() compute(h2,h3)",
			"Compare(Compose(TableQ,ImageQ),Compose(TableQ,TextQ))": "image() table(h1) text() table(h3) compute(h2,h4)",
			"Compare(TableQ,Compose(TableQ,TextQ))": "table() text() table(h2) compute(h1,h3)",
		});
		const compose = tasks.find((task) => task.tags.program === "Compose(TableQ,ImageListQ)");
		expect(compose?.chain?.hops[0]).toMatchObject({
			question: "the tower with a green clock?",
			answer: { value: "image 0" },
		});
		expect(compose?.chain && topologyOf(compose.chain)).toBe("image-initiated-chain");
	});

	it("leaves single questions whose answers are not told within the comparison, and else gives no chain", async () => {
		const { tasks, losses } = await readRowsAs(multimodalqa, [
			question("Compare(Compose(TableQ,ImageQ),TableQ)", [[one("The Salt Tower", "image")]]),
			question("Intersect(ImageListQ,TableQ)", [[one("a", "image"), one("b", "image")]]),
			question("Intersect(ImageListQ,TextQ)"),
		]);
		expect(tasks[0]?.chain?.hops.map(({ modality, needs }) => [modality, needs.length])).toEqual([
			["image", 0],
			["table", 1],
		]);
		expect(tasks[1]?.chain?.hops).toHaveLength(2);
		expect(tasks[2]).toMatchObject({ supporting: ["mmqa#t1", "mmqa#b1", "mmqa#i1"] });
		expect(losses).toEqual([
			"Intersect(ImageListQ,TextQ): which answers its parts (Intersect(ImageListQ,TextQ)) have is not told: kept without a chain",
		]);
	});

	it("reads several answers as members, and contexts as evidence", async () => {
		const rows = [
			question("TableQ", [], [one("Obern", "table"), one("Vale", "table")]),
			{ id: "t1", title: "Obern", url: "https://example.org/o", text: "Obern has a tower." },
			{
				id: "b1",
				title: "Towns",
				url: "",
				table: {
					table_name: "Largest",
					header: [{ column_name: "Town" }, { column_name: "Year" }],
					table_rows: [[{ text: "Obern", links: [] }, { text: "1611" }]],
				},
			},
			{ id: "i1", title: "Tower", url: "", path: "tower.jpg" },
			{ id: "t2", title: "empty", text: "" },
		];
		const { tasks, evidence, refused, waiting } = await readRowsAs(multimodalqa, rows);
		expect(tasks[0]?.answer).toMatchObject({ type: "list", items: ["Obern", "Vale"] });
		expect(evidence).toMatchObject([
			{ id: "mmqa#b1", form: "table", section: "Largest", text: "Town | Year\nObern | 1611" },
			{ id: "mmqa#t1", form: "prose" },
		]);
		expect(waiting).toMatchObject([{ id: "mmqa#i1", sourceName: "tower.jpg", title: "Tower" }]);
		expect(refused.map(({ row }) => row)).toEqual([5]);
	});

	it("refuses programs that it does not understand, and hidden answers", async () => {
		for (const text of [
			"Compose(TableQ)",
			"Merge(TextQ,TextQ)",
			"Compose(TextQ,TableQ) TextQ",
			"",
			"Compose(TextQ,TableQ",
			`${"Compose(TextQ,".repeat(20)}TextQ${")".repeat(20)}`,
		])
			expect(readProgram(text), text).toHaveProperty("problem");
		const { refused } = await readRowsAs(multimodalqa, [question("Merge(TextQ,TextQ)"), question("TextQ", [], [])]);
		expect(refused.map(({ id }) => id)).toEqual(["Merge(TextQ,TextQ)", "TextQ"]);
	});
});
