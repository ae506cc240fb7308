/** The conformance kit of `Encyclopedia`: what every source, local, live or recorded, must do. Free of any test framework. */
import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { sha256 } from "#store";
import type { Edge, Encyclopedia } from "./encyclopedia.ts";

/** The sample that a source under test must hold: two cities of one name, a country, what joins them. */
export const encyclopediaSample = {
	subjects: [
		{ id: "Q419", name: "Peru", aliases: ["Republic of Peru"], type: "country", sitelinks: 299 },
		{ id: "Q2868", name: "Lima", aliases: ["Ciudad de los Reyes"], type: "city", sitelinks: 200 },
		{ id: "Q132840", name: "Lima", aliases: [], type: "city in Ohio", sitelinks: 30 },
		{ id: "Q5582862", name: "Cusco", aliases: ["Cuzco"], type: "city", sitelinks: 100 },
	],
	facts: [
		{ subject: "Q419", property: "P36", label: "capital", object: "Q2868" },
		{ subject: "Q2868", property: "P17", label: "country", object: "Q419" },
		{ subject: "Q5582862", property: "P17", label: "country", object: "Q419" },
		{ subject: "Q419", property: "P571", label: "inception", value: "1821-07-28" },
	],
	page: {
		title: "Peru",
		subject: "Q419",
		sections: [
			{ title: "", text: "Peru is a country in South America." },
			{ title: "History", text: "Its independence was declared on 28 July 1821." },
		],
		licence: "CC BY-SA 4.0",
	},
	image: {
		file: "Flag of Peru.png",
		data: Buffer.from(
			"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
			"base64",
		),
		licence: "Public domain",
	},
} as const;

/** The cases to run, each by itself: `for (const { name, run } of encyclopediaCases(make)) test(name, run)`. */
export function encyclopediaCases(
	make: () => Promise<{ encyclopedia: Encyclopedia; close?(): Promise<void> }>,
): { name: string; run(): Promise<void> }[] {
	return Object.entries(cases).map(([name, check]) => ({
		name,
		async run() {
			const { encyclopedia, close } = await make();
			try {
				await check(encyclopedia);
			} finally {
				await close?.();
			}
		},
	}));
}

const nameOf = ({ object }: Edge) => ("value" in object ? object.value : object.name);
const told = (edges: readonly Edge[]) => edges.map((edge) => `${edge.direction} ${edge.label} ${nameOf(edge)}`).sort();

const cases: Record<string, (encyclopedia: Encyclopedia) => Promise<void>> = {
	async "names its kind and state"({ id }) {
		ok(/^(local|wikimedia|recorded):./.test(id));
	},
	async "resolves a name to everything of that name, and an alias to its subject"({ resolve }) {
		deepStrictEqual((await resolve("Lima")).map(({ id }) => id).sort(), ["Q132840", "Q2868"]);
		const [peru, ...others] = await resolve("republic of peru");
		strictEqual(others.length, 0);
		strictEqual(peru?.id, "Q419");
		strictEqual(peru?.name, "Peru");
		deepStrictEqual(peru?.types, ["country"]);
		deepStrictEqual(await resolve("Nowhere at all"), []);
	},
	async "tells familiarity between 0 and 1, more for what is better known"({ resolve }) {
		const [peru] = await resolve("Peru");
		const [cusco] = await resolve("Cusco");
		for (const subject of [peru, cusco]) ok((subject?.familiarity ?? -1) >= 0 && (subject?.familiarity ?? 2) <= 1);
		ok((peru?.familiarity ?? 0) > (cusco?.familiarity ?? 1));
	},
	async "gives a page in sections with its revision and terms"({ page }) {
		const { title, subject, sections, licence } = encyclopediaSample.page;
		const found = await page(title);
		strictEqual(found?.title, title);
		strictEqual(found?.subject, subject);
		deepStrictEqual(found?.sections, sections);
		strictEqual(found?.licence, licence);
		ok((found?.revision ?? "") !== "");
		strictEqual(await page("Nowhere at all"), undefined);
	},
	async "gives statements both ways, in the source's words"({ neighbours }) {
		const all = await neighbours("Q419");
		deepStrictEqual(told(all), [
			"in country Cusco",
			"in country Lima",
			"out capital Lima",
			"out inception 28 July 1821",
		]);
		for (const { subject } of all) strictEqual(subject, "Q419");
		deepStrictEqual(told(await neighbours("Q419", { direction: "out" })), [
			"out capital Lima",
			"out inception 28 July 1821",
		]);
		deepStrictEqual(told(await neighbours("Q2868")), ["in capital Peru", "out country Peru"]);
		deepStrictEqual(await neighbours("Q999999999"), []);
	},
	async "counts the ends of a property, and gives no more edges than asked for"({ neighbours }) {
		const all = await neighbours("Q419");
		const values = (label: string) => all.find((edge) => edge.label === label)?.values;
		strictEqual(values("capital"), 1);
		strictEqual(values("country"), 2);
		strictEqual((await neighbours("Q419", { limit: 2 })).length, 2);
	},
	async "types values"({ neighbours }) {
		const edge = (await neighbours("Q419", { direction: "out" })).find(({ label }) => label === "inception");
		ok(edge && "value" in edge.object && edge.object.answer.type === "time");
		deepStrictEqual(edge.object.answer.time, { iso: "1821-07-28", precision: "day" });
	},
	async "counts subjects of a name, among those of a class where one is given"({ sameName }) {
		strictEqual((await sameName("Lima")).count, 2);
		deepStrictEqual(await sameName("Lima", { type: "city" }), { count: 1, ids: ["Q2868"] });
		strictEqual((await sameName("Nowhere at all")).count, 0);
	},
	async "gives a picture with its hash and terms"({ image }) {
		const { file, data, licence } = encyclopediaSample.image;
		const found = await image(file);
		ok(found?.data.equals(data));
		strictEqual(found?.sha256, sha256(data));
		strictEqual(found?.licence, licence);
		strictEqual(found?.mediaType, "image/png");
		strictEqual(await image("No such file.png"), undefined);
	},
	async "gives the same answer again"({ resolve, page, neighbours, sameName }) {
		deepStrictEqual(await resolve("Lima"), await resolve("Lima"));
		deepStrictEqual(await page("Peru"), await page("Peru"));
		deepStrictEqual(await neighbours("Q419"), await neighbours("Q419"));
		deepStrictEqual(await sameName("Lima"), await sameName("Lima"));
	},
	async "rejects with the reason of an abort"({ resolve, page, neighbours, sameName, image }) {
		const signal = AbortSignal.abort(new Error("stopped"));
		await rejects(resolve("Cuzco", { signal }), /stopped/);
		await rejects(page("Lima", { signal }), /stopped/);
		await rejects(neighbours("Q5582862", { signal }), /stopped/);
		await rejects(sameName("Cuzco", { signal }), /stopped/);
		await rejects(image("Another.png", { signal }), /stopped/);
	},
};
