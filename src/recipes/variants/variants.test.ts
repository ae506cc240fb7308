import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { statesAnswer, type TextReading } from "#benchmarks";
import { fold, wordsOf } from "#corpus";
import { type Evidence, type Passage, Task } from "#domain";
import { hardDistractors, substituteEntityNames, unanswerableCounterparts } from "#recipes";
import { readQuantities } from "#scoring";
import { sha256 } from "#store";
import { longTest } from "../../../test/long.ts";
import { newNames } from "./exchange.ts";
import { createRenaming } from "./renaming.ts";

const reading: TextReading = {
	words: (text) => wordsOf(fold(text)),
	numbers: (text, language) => readQuantities(text, { language }).map(({ low }) => low),
};

const people = ["Ana Sousa", "Bruno Keller", "Chloé Martin", "Dario Fo", "Edith Stein", "Farid Haddad"];
const cities = ["Porto", "Basel", "Lyon", "Milan", "Breslau", "Beirut"];
const countries = ["Portugal", "Switzerland", "France", "Italy", "Poland", "Lebanon"];

const passage = (id: string, title: string, text: string): Passage => ({
	...{ kind: "passage", id, document: id, title, text, language: "en", form: "prose" },
	...{ sha256: sha256(text), provenance: { source: "test", attribution: `"${title}"` } },
});
const named = (value: string) => ({ type: "string", value, accepted: [value] });

/** Who was born where, and in which country that is: a two-hop task for each person. */
function world(size: number) {
	const evidence = new Map<string, Passage>();
	const tasks = Array.from({ length: size }, (_, at) => {
		const [person = "", city = "", country = ""] = [people[at], cities[at], countries[at]];
		const surname = person.split(" ")[1];
		evidence.set(`p/${person}`, passage(`p/${person}`, person, `${person} was born in ${city}. ${surname} wrote.`));
		evidence.set(`c/${city}`, passage(`c/${city}`, city, `${city} is a city of ${country}, by a river.`));
		return Task.parse({
			...{ id: `t${at}`, question: `In which country was ${person} born?`, answer: named(country) },
			chain: {
				sink: "h2",
				hops: [
					{
						...{ id: "h1", question: `Where was ${person} born?`, modality: "text", needs: [] },
						...{ evidence: [`p/${person}`], answer: named(city) },
					},
					{
						...{ id: "h2", question: `In which country is ${city}?`, modality: "text", evidence: [`c/${city}`] },
						...{ needs: [{ hop: "h1", role: "bridge" }], answer: named(country) },
					},
				],
			},
		});
	});
	return {
		tasks,
		passages: [...evidence.values()],
		evidence: async (id: string): Promise<Evidence | undefined> => evidence.get(id),
		/** All that shares a word with the text, most shared words first. */
		search: async (text: string, { k }: { k: number }): Promise<Evidence[]> => {
			const wanted = new Set(reading.words(text));
			const score = (one: Passage) =>
				reading.words(`${one.title} ${one.text}`).filter((word) => wanted.has(word)).length;
			return [...evidence.values()]
				.filter((one) => score(one) > 0)
				.sort((a, b) => score(b) - score(a))
				.slice(0, k);
		},
	};
}

describe("createRenaming", () => {
	const { rename } = createRenaming([
		{ forms: ["New York City", "New York", "NYC"], to: "São Paulo" },
		{ forms: ["York"], to: "Leeds" },
		{ forms: ["US", "United States"], to: "Peru" },
		{ forms: ["ruthenium"], to: "gold" },
		{ forms: ["Robert F. Kennedy"], to: "Ada Lovelace", parts: { Robert: "Ada", Kennedy: "Lovelace" } },
	]);

	test("takes the longest name, by whole words, aliases, case and accents aside", () => {
		expect(rename("New York City's mayor left York for NYC.")).toBe("São Paulo's mayor left Leeds for São Paulo.");
		expect(rename("Yorkshire, new york and the U.S. told us of the US")).toBe(
			"Yorkshire, new york and the U.S. told us of the Peru",
		);
		expect(rename("Ruthenium is a metal; ruthenium, not York")).toBe("Gold is a metal; gold, not Leeds");
	});

	test("a part stands for the whole only where that is named, and not within another name", () => {
		expect(rename("Robert F. Kennedy spoke. Kennedy left with Joan Kennedy.")).toBe(
			"Ada Lovelace spoke. Lovelace left with Joan Kennedy.",
		);
		expect(rename("Kennedy left.")).toBe("Kennedy left.");
		expect(rename("Kennedy left.", "Robert F Kennedy")).toBe("Lovelace left.");
	});

	test("keeps the case of its place, takes brackets whole, and doubles no article or mark", () => {
		const films = createRenaming([
			{ forms: ["Ada Lovelace"], to: "Grace Hopper" },
			{ forms: ["Ferns", "Ferns (1954 film)"], to: "The Moss" },
			{ forms: ["Night Train"], to: "Is It Day?" },
			{ forms: ["Moss"], to: "Ferns" },
		]);
		expect(films.rename("ADA LOVELACE's and Ada Lovelace's")).toBe("GRACE HOPPER's and Grace Hopper's");
		expect(films.rename("who did ada lovelace marry")).toBe("who did grace hopper marry");
		expect(films.rename("ferns grow under Moss")).toBe("ferns grow under Ferns");
		expect(films.rename("Who directed the Ferns (1954 Film)?")).toBe("Who directed The Moss?");
		expect(films.rename("Who directed Night Train?")).toBe("Who directed Is It Day?");
		expect(films.within("the Ada Lovelace Day and Ferns Review")).toMatchObject([
			{ longer: "Ada Lovelace Day" },
			{ longer: "Ferns Review" },
		]);
	});

	test("there and back is where it was, and without names nothing changes", () => {
		const text = fc.array(fc.constantFrom(...cities, ...countries, "is", "a", "city", ",", "near"), { maxLength: 20 });
		fc.assert(
			fc.property(text, fc.shuffledSubarray(cities, { minLength: cities.length }), (words, order) => {
				const said = words.join(" ");
				const pairs = cities.map((city, at) => [city, order[at] ?? city] as const);
				const there = createRenaming(pairs.map(([from, to]) => ({ forms: [from], to })));
				const back = createRenaming(pairs.map(([to, from]) => ({ forms: [from], to })));
				expect(back.rename(there.rename(said))).toBe(said);
				expect(createRenaming([]).rename(said)).toBe(said);
			}),
		);
	});
});

describe("substituteEntityNames", () => {
	longTest("every hop's new answer stands in its new evidence, and no old answer is accepted", async () => {
		await fc.assert(
			fc.asyncProperty(fc.integer({ min: 2, max: 6 }), fc.nat(1000), async (size, seed) => {
				const { tasks, evidence, passages } = world(size);
				const substitution = await substituteEntityNames(tasks, { evidence, reading, seed });
				expect(substitution.refused).toEqual([]);
				expect(substitution.tasks).toHaveLength(size);
				const corpus = new Map(passages.map((one) => substitution.passage(one)).map((one) => [one.id, one]));
				expect(corpus.size).toBe(passages.length);
				substitution.tasks.forEach((task, at) => {
					const before = tasks[at];
					expect(task.answer.accepted).not.toContain(before?.answer.value);
					for (const hop of task.chain?.hops ?? []) {
						const held = corpus.get(hop.evidence[0] ?? "");
						expect(held && statesAnswer(held.text, hop.answer, reading)).toBe(true);
					}
					const [first, last] = task.chain?.hops ?? [];
					expect(last?.question).toContain(first?.answer.value);
					expect(task.question).not.toBe(before?.question);
				});
				// nobody is lost: the same names, worn by others
				const titles = (list: Iterable<Passage>) => [...list].map(({ title }) => title).sort();
				expect(titles(corpus.values())).toEqual(titles(passages));
				expect(await substituteEntityNames(tasks, { evidence, reading, seed })).toMatchObject({
					tasks: substitution.tasks,
				});
			}),
			{ numRuns: 25 },
		);
	});

	test("surnames go with their names, and ids, documents and native fields tell nothing", async () => {
		const { tasks, evidence, passages } = world(3);
		const [task, ...others] = tasks;
		const substitution = await substituteEntityNames(
			[{ ...(task as Task), native: { answer: "Portugal" } }, ...others],
			{
				evidence,
				reading,
				seed: 1,
			},
		);
		const ana = substitution.passage(passages[0] as Passage);
		const surname = ana.title.split(" ")[1];
		expect(ana.text).toContain(`. ${surname} wrote.`);
		expect(JSON.stringify(ana)).not.toMatch(/p\/Ana|Sousa wrote/);
		expect(ana.provenance.attribution).toBe('"Ana Sousa"; changed: names are exchanged');
		expect(substitution.tasks[0]).toMatchObject({ id: "t0", tags: { swapped: "answer" } });
		expect(substitution.tasks[0]?.native).toBeUndefined();
	});

	/** Who made what, and where its maker was born: a task for each work. */
	async function substitutedWorks(
		texts: Readonly<Record<string, string>>,
		makers: readonly [string, string, string][],
	) {
		const passages = new Map(
			Object.entries(texts).map(([title, text]) => [title, passage(title, title, text)] as const),
		);
		const works = makers.map(([work, maker, town], at) =>
			Task.parse({
				...{ id: `t${at}`, question: `Where was the director of ${work} born?`, answer: named(town) },
				chain: {
					sink: "h2",
					hops: [
						{
							...{ id: "h1", question: `Who is the director of ${work}?`, modality: "text", needs: [] },
							...{ evidence: [work], answer: named(maker) },
						},
						{
							...{ id: "h2", question: `Where was ${maker} born?`, modality: "text", evidence: [maker] },
							...{ needs: [{ hop: "h1", role: "bridge" }], answer: named(town) },
						},
					],
				},
			}),
		);
		const evidence = async (id: string) => passages.get(id);
		return substituteEntityNames(works, { evidence, reading, seed: 1, sameAnswers: true });
	}

	test("exchanges within a kind only, and not what two things of different kinds are called", async () => {
		const { exchanges, refused } = await substitutedWorks(
			{
				Fern: "Fern is a 1954 comedy film directed by Ana Sousa.",
				Moss: "Moss is an album by Bruno Keller.",
				Reed: "Reed is a drama film directed by Reed Vale.",
				"Ana Sousa": "Ana Sousa was a Portuguese director. She was born in Porto.",
				"Bruno Keller": "Bruno Keller is a Swiss singer. He was born in Basel.",
				"Reed Vale": "Reed Vale is a director. She was born in Leeds.",
				"Moss (singer)": "Moss is a singer. He was born in Bern.",
			},
			[
				["Fern", "Ana Sousa", "Porto"],
				["Moss", "Bruno Keller", "Basel"],
				["Reed", "Reed Vale", "Leeds"],
				["Moss (singer)", "Ana Sousa", "Porto"],
			],
		);
		expect(exchanges.map(({ from, to, kind }) => `${from.name} > ${to.name}: ${kind}`).sort()).toEqual([
			"Ana Sousa > Reed Vale: person, female",
			"Fern > Reed: film",
			"Reed > Fern: film",
			"Reed Vale > Ana Sousa: person, female",
		]);
		expect(refused.find(({ task }) => task === "t1")).toMatchObject({ why: "no-exchange" });
	});

	test("exchanges other names and acronyms, and refuses a name at birth and a person who may be he or she", async () => {
		const films = {
			"Fern Club": 'Fern Club (German: Farne im Wald) is a film directed by Ana Sousa. "Farne im Wald" won.',
			"Reed Song": "Reed Song is a film directed by Dora Vale, his first.",
			"Ivy Street": "Ivy Street is a film directed by Kim Holm, her last.",
			"Ana Sousa": "Ana Sousa was a director. She was born in Porto.",
			"Dora Vale": "Dora Vale was a director. She was born in Leeds as Dora Mary Stone.",
			"Kim Holm": "Kim Holm is a director, born in Oslo.",
			"Lee Storm": "Lee Storm is a director, born in Rome.",
			"Oak Lane": "Oak Lane is a film directed by Lee Storm.",
		};
		const {
			tasks,
			refused,
			passage: renamed,
		} = await substitutedWorks(films, [
			["Fern Club", "Ana Sousa", "Porto"],
			["Reed Song", "Dora Vale", "Leeds"],
			["Ivy Street", "Kim Holm", "Oslo"],
			["Oak Lane", "Lee Storm", "Rome"],
		]);
		expect(refused.map(({ task, why }) => [task, why])).toEqual([
			["t1", "name-left"],
			["t2", "kind-unsure"],
		]);
		expect(tasks.map(({ id }) => id)).toEqual(["t0", "t3"]);
		expect(renamed(passage("Fern Club", "Fern Club", films["Fern Club"])).text).not.toMatch(/Fern|Farne/);
	});

	test("a surname never becomes a number", () => {
		const ana = { name: "Ana Sousa", forms: ["Ana Sousa"], kind: "person" };
		const henry = { name: "Henry IV", forms: ["Henry IV"], kind: "person" };
		const { rename } = createRenaming(newNames([{ from: ana, to: henry, kind: "person" }]));
		expect(rename("Ana Sousa wrote; Sousa painted.")).toBe("Henry IV wrote; Henry IV painted.");
	});

	test("nothing to exchange: no task, no change, and why", async () => {
		const { tasks, evidence, passages } = world(1);
		const substitution = await substituteEntityNames(tasks, { evidence, reading, seed: 1 });
		expect(substitution.exchanges).toEqual([]);
		expect(substitution.refused).toMatchObject([{ task: "t0", why: "no-exchange" }]);
		const [one] = passages;
		expect(substitution.passage(one as Passage)).toMatchObject({ title: one?.title, text: one?.text });
	});

	test("refuses what would not hold", async () => {
		const { tasks, evidence } = world(4);
		const [a, b, c, d] = tasks as [Task, Task, Task, Task];
		const letter = {
			id: "h3",
			question: "What is the first letter?",
			modality: "compute",
			evidence: [],
			answer: named("P"),
		};
		const computed = Task.parse({
			...{ ...a, answer: named("P") },
			chain: { sink: "h3", hops: [...(a.chain?.hops ?? []), { ...letter, needs: [{ hop: "h2", role: "operand" }] }] },
		});
		const image = { id: "i", file: "i.png", width: 1, height: 1, sha256: "0".repeat(64) };
		const { chain: _chain, ...bare } = c;
		const elsewhere = async (id: string) =>
			id === "c/Milan" ? passage(id, "Milan", "A city of the north.") : evidence(id);
		const substitution = await substituteEntityNames([computed, { ...b, images: [image] }, bare as Task, d], {
			evidence: elsewhere,
			reading,
			seed: 1,
		});
		expect(substitution.refused.map(({ task, why }) => [task, why])).toEqual([
			["t0", "computed-from-names"],
			["t1", "images"],
			["t2", "no-chain"],
			["t3", "not-stated"],
		]);
	});
});

describe("unanswerableCounterparts", () => {
	test("one hop of each is stated nowhere, all others keep their evidence", async () => {
		await fc.assert(
			fc.asyncProperty(fc.integer({ min: 1, max: 6 }), fc.nat(1000), async (size, seed) => {
				const { tasks, passages, ...sources } = world(size);
				const counterparts = await unanswerableCounterparts(tasks, { ...sources, reading, seed });
				expect(counterparts.tasks).toHaveLength(size);
				const left = passages.filter(({ id }) => !counterparts.removed.has(id));
				for (const task of tasks) {
					const gone = counterparts.without.get(task.id);
					for (const hop of task.chain?.hops ?? []) {
						const states = left.some((one) => hop.evidence.includes(one.id));
						expect(states).toBe(hop.id !== gone?.hop);
					}
				}
				expect(counterparts.tasks[0]).toMatchObject({
					answer: { type: "none" },
					cluster: "t0",
					tags: { twin: "unanswerable" },
				});
			}),
			{ numRuns: 25 },
		);
	});

	test("another passage that says so goes too; one that says it of somebody else stays", async () => {
		const { tasks, search, evidence } = world(1);
		const also = passage(
			"also",
			"Portuguese writers",
			"Ana Sousa, a native of Porto, also painted. Porto is in Portugal.",
		);
		const other = passage("other", "Rui", "Rui was born in Porto.");
		const more = async (text: string, options: { k: number }) => [...(await search(text, options)), also, other];
		const counterparts = await unanswerableCounterparts(tasks, { evidence, search: more, reading, seed: 1 });
		expect(counterparts.removed).toContain("also");
		expect(counterparts.removed).not.toContain("other");
	});

	test("two tasks over the same evidence: a hop that another counterpart needs stays", async () => {
		const { tasks, ...sources } = world(1);
		const [task] = tasks as [Task];
		const [, last] = task.chain?.hops ?? [];
		const short = Task.parse({ ...task, id: "short", chain: { sink: "h2", hops: [{ ...last, needs: [] }] } });
		const hops = new Set<string | undefined>();
		for (let seed = 0; seed < 8; seed += 1) {
			const counterparts = await unanswerableCounterparts([task, short], { ...sources, reading, seed });
			const gone = counterparts.without.get(task.id)?.hop;
			hops.add(gone);
			// the short task can only lose what the long one lost
			if (gone === "h1") expect(counterparts.refused).toMatchObject([{ task: "short", why: "needed-elsewhere" }]);
			else expect(counterparts.tasks).toHaveLength(2);
		}
		expect(hops).toEqual(new Set(["h1", "h2"]));
	});
});

describe("hardDistractors", () => {
	test("states no hop, is no gold, comes with the gold, and the names are masked", async () => {
		const { tasks, evidence, search } = world(6);
		for (const task of tasks) {
			const handed = await hardDistractors(task, { evidence, search, reading, count: 4, seed: 1 });
			if ("why" in handed) throw new Error(handed.why);
			const gold = task.chain?.hops.flatMap((hop) => hop.evidence) ?? [];
			expect(handed.distractors).toHaveLength(4);
			expect([...handed.context].sort()).toEqual([...gold, ...handed.distractors].sort());
			expect(gold.some((id) => handed.distractors.includes(id))).toBe(false);
			expect(handed.queries.join(" ")).not.toContain(task.chain?.hops[0]?.answer.value);
			expect(handed.queries[0]).toBe("In which country was born?");
		}
	});

	test("what says an answer is none", async () => {
		const { tasks, evidence } = world(1);
		const found = passage("x", "Rivers", "A river of Portugal.");
		const options = { evidence, search: async () => [found], reading, count: 3, seed: 1 };
		expect(await hardDistractors(tasks[0] as Task, options)).toEqual({ why: "none-found" });
	});
});
