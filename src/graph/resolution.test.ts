import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildGraph, type Claim, createGraph, type GraphInput, proposeMerges } from "#graph";
import { isLong } from "../../test/long.ts";

/** A claim in short: names with their types behind a colon. */
function claim(subject: string, relation: string, object: string, at = "d#0"): Claim {
	const end = (said: string) => {
		const [name = "", type] = said.split(":");
		return { name, ...(type ? { type } : {}) };
	};
	const statement = {
		evidence: at,
		document: at.split("#")[0],
		basis: "quote" as const,
		quote: `${subject} ${relation} ${object}`,
		origin: "test",
	};
	return { subject: end(subject), relation, object: end(object), directed: true, statement };
}
/** Names of each entity, most frequent first. */
const entities = (input: GraphInput) => buildGraph(input).entities.map(({ name, aliases }) => [name, ...aliases]);
const named = (...names: string[]) =>
	entities({ claims: names.map((name, at) => claim(name, "is in", "Elsewhere:place", `d#${at}`)) }).filter(
		([name]) => name !== "Elsewhere",
	);

describe("names that are one", () => {
	test.each([
		["case", "Apple", "APPLE"],
		["joiners", "New-York", "New York"],
		["accents", "São Tomé", "Sao Tome"],
		["letters without decomposition", "Tromsø", "Tromso"],
		["punctuation", "Coca-Cola", "Coca Cola"],
		["full stops", "J. R. R. Tolkien", "J.R.R. Tolkien"],
		["quotation marks", '"Guernica"', "Guernica"],
		["possessive", "Darwin's", "Darwin"],
		["an article", "The Hague", "Hague"],
		["a small article", "el Reino Unido", "Reino Unido"],
		["forms of width", "ＩＢＭ", "IBM"],
		["marks that cannot be seen", "Li\u200bma", "Lima"],
		["and", "Johnson & Johnson", "Johnson and Johnson"],
		["an acronym in brackets", "World Health Organization (WHO)", "World Health Organization"],
		["an acronym before brackets", "WHO (World Health Organization)", "World Health Organization"],
	])("%s", (_, a, b) => {
		const [names, ...others] = named(a, b, b);
		expect(names?.[0]).toBe(b);
		expect(names).toContain(a);
		expect(others).toEqual([]);
	});
	test.each([
		["a name that begins with an article", "La Paz", "Paz"],
		["what is in brackets", "Mercury (planet)", "Mercury (element)"],
		["languages of computers", "C++", "C#"],
		["signs of numbers", "-5", "5"],
		["shares and numbers", "10%", "10"],
		["vowels of other scripts", "कमल", "कमला"],
		["emoji", "🙂", "🙃"],
	])("stay two: %s", (_, a, b) => {
		expect(named(a, b)).toHaveLength(2);
	});
});

describe("acronyms", () => {
	const who = (...more: Claim[]) => [
		claim("World Health Organization (WHO):organization", "has seat in", "Geneva:place", "a#0"),
		...more,
	];
	test("stand for what the corpus explains, with the reason", () => {
		const { entities } = buildGraph({ claims: who(claim("WHO:organization", "was founded in", "1948:time", "b#0")) });
		const entity = entities.find(({ aliases }) => aliases.includes("WHO"));
		expect(entity?.name).toBe("World Health Organization");
		const reason = 'acronym explained in "World Health Organization (WHO)"';
		expect(entity?.merges).toEqual(["WHO", "World Health Organization (WHO)"].map((alias) => ({ alias, reason })));
	});
	test("of conflicting types, or only in capitals, stay apart", () => {
		const names = entities({
			claims: who(claim("WHO:person", "sang", "Tommy:work", "b#0"), claim("Who:band", "sang", "Tommy:work", "b#1")),
		});
		expect(names.filter(([name]) => /^who$/i.test(name ?? ""))).toHaveLength(2);
	});
	test("that mean several things mean in a document what it explains, and elsewhere nothing", () => {
		const claims = [
			claim("Association for Computational Linguistics (ACL)", "met in", "Lima", "a#0"),
			claim("anterior cruciate ligament (ACL)", "lies in", "knee", "b#0"),
			claim("ACL", "was founded in", "1962", "a#1"),
			claim("ACL", "can tear", "knee joint", "b#1"),
			claim("ACL", "is", "an acronym", "c#0"),
		];
		const { entities, triples } = buildGraph({ claims });
		const subjectOf = (relation: string) => {
			const id = triples.find((triple) => triple.relation === relation)?.subject;
			return entities.find((entity) => entity.id === id)?.name;
		};
		expect(subjectOf("was founded in")).toBe("Association for Computational Linguistics");
		expect(subjectOf("can tear")).toBe("anterior cruciate ligament");
		expect(subjectOf("is")).toBe("ACL");
	});
});

describe("types", () => {
	test("that conflict keep namesakes apart; wide and missing ones do not", () => {
		const apart = buildGraph({
			claims: [claim("Mercury:planet", "orbits", "Sun:star"), claim("Mercury:element", "melts at", "-39 °C:number")],
		});
		expect(apart.entities.map(({ id }) => id)).toEqual(expect.arrayContaining(["mercury~planet", "mercury~element"]));
		expect(named("Apple:company", "Apple:Organization", "Apple:concept", "Apple")).toEqual([["Apple"]]);
	});
	test("an untyped namesake of several types belongs to none of them", () => {
		expect(named("Darwin:person", "Darwin:city", "Darwin")).toHaveLength(3);
	});
	test("only a confirmed merge joins what conflicts", () => {
		const claims = [
			claim("Chelsea:place", "lies in", "London:place"),
			claim("Chelsea:team", "plays in", "London:place"),
		];
		const alias = { name: "Chelsea FC", alias: "Chelsea", evidence: "x#0", quote: "Chelsea FC, called Chelsea" };
		expect(buildGraph({ claims, aliases: [alias] }).entities).toHaveLength(3);
		const merged = buildGraph({ claims, merges: [{ a: "chelsea~place", b: "chelsea~organization", reason: "asked" }] });
		expect(merged.entities).toHaveLength(2);
		expect(merged.triples.map(({ subject }) => subject)).toEqual(["chelsea~organization", "chelsea~organization"]);
	});
});

test("aliases that a text gives join entities, in whatever language, with the quote as reason", () => {
	const claims = [
		claim("Leo Tolstoy:person", "wrote", "War and Peace:work"),
		claim("Лев Толстой:person", "wrote", "Anna Karenina:work", "e#0"),
	];
	const aliases = [{ name: "Leo Tolstoy", alias: "Лев Толстой", evidence: "f#0", quote: "Leo Tolstoy (Лев Толстой)" }];
	const author = buildGraph({ claims, aliases }).entities.find(({ name }) => name === "Leo Tolstoy");
	expect(author).toMatchObject({
		aliases: ["Лев Толстой"],
		merges: [{ alias: "Лев Толстой", reason: "f#0 says: Leo Tolstoy (Лев Толстой)" }],
	});
});

test("what states one edge is one triple with every place, page and wording; the reverse and other relations are others", () => {
	const paged = (one: Claim, pages: number[]): Claim => ({
		...one,
		...(one.statement ? { statement: { ...one.statement, pages } } : {}),
	});
	const { triples, rejected } = buildGraph({
		claims: [
			paged(claim("Ann", "was born in", "Oslo", "a#1"), [3, 4]),
			paged(claim("ANN", "Born in", "Oslo", "a#0"), [1]),
			claim("Ann", "was born in", "oslo", "b#0"),
			claim("Oslo", "was born in", "Ann"),
			claim("Ann", "left", "Oslo"),
			claim("The Ann", "is", "Ann"),
		],
	});
	expect(triples).toHaveLength(3);
	const born = triples.find(({ statements }) => statements.length === 3);
	expect(born).toMatchObject({ relation: "was born in", wordings: ["Born in"], directed: true });
	expect(born?.statements.map(({ evidence, pages }) => [evidence, pages])).toEqual([
		["a#0", [1]],
		["a#1", [3, 4]],
		["b#0", undefined],
	]);
	expect(rejected).toMatchObject([{ reason: "same-ends" }]);
});

describe("whatever was extracted", () => {
	const name = fc.oneof(
		fc.constantFrom(
			"WHO",
			"Who",
			"the who",
			"World Health Organization (WHO)",
			"World Health Organization",
			"W.H.O.",
			"Wide Horizon Office (WHO)",
			"Paris",
			"PARIS",
			"Páris",
			"Paris's",
			"1998",
			"-1998",
			"10 %",
			"🙂",
			"Ōsaka",
			"大阪",
			"La Paz",
			"=1998",
			"a~b",
			"a",
		),
		fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }).filter((one) => /\S/.test(one)),
	);
	const type = fc.option(fc.constantFrom("person", "city", "place", "concept", "time", "number", "planet"), {
		nil: undefined,
	});
	const end = fc.record({ name, type }).map(({ name, type }) => ({ name, ...(type ? { type } : {}) }));
	const document = fc.constantFrom("a", "b", "c");
	const one: fc.Arbitrary<Claim> = fc
		.record({
			subject: end,
			relation: fc.constantFrom("in", "is in", "of"),
			object: end,
			document,
			n: fc.nat(3),
			directed: fc.boolean(),
		})
		.map(({ document, n, ...rest }) => ({
			...rest,
			statement: { evidence: `${document}#${n}`, document, basis: "source", origin: "test" },
		}));
	const alias = fc
		.record({
			name,
			alias: name,
			evidence: fc.constantFrom("a#0", "b#0"),
			document,
			quote: fc.option(fc.constant("says so"), { nil: undefined }),
		})
		.map(({ quote, ...rest }) => ({ ...rest, ...(quote ? { quote } : {}) }));
	const input = fc.record({ claims: fc.array(one, { maxLength: 25 }), aliases: fc.array(alias, { maxLength: 6 }) });

	test("the order does not matter, nor does saying it twice; no entity and no statement is lost", {
		tags: "longer",
	}, () => {
		fc.assert(
			fc.property(input, fc.integer(), ({ claims, aliases }, seed) => {
				const built = buildGraph({ claims, aliases });
				const shuffled = [...claims, ...claims]
					.map((claim, at) => [Math.sin(seed + at), claim] as const)
					.sort(([a], [b]) => a - b);
				const again = buildGraph({ claims: shuffled.map(([, claim]) => claim), aliases: [...aliases].reverse() });
				expect(again.entities).toEqual(built.entities);
				expect(again.triples).toEqual(built.triples);

				const names = new Set(built.entities.flatMap(({ name, aliases }) => [name, ...aliases]));
				const tidy = (name: string) => name.normalize("NFC").replace(/\s+/gu, " ").trim();
				for (const { subject, object } of claims)
					for (const { name } of [subject, object]) expect(names).toContain(tidy(name));
				expect(new Set(built.entities.map(({ id }) => id)).size).toBe(built.entities.length);

				const ids = new Set(built.entities.map(({ id }) => id));
				for (const { subject, object } of built.triples)
					expect(ids.has(subject) && ids.has(object) && subject !== object).toBe(true);
				const stated = new Set(built.triples.flatMap(({ statements }) => statements.map(({ evidence }) => evidence)));
				for (const one of built.rejected) if (one.evidence) stated.add(one.evidence);
				for (const { statement } of claims) expect(stated).toContain(statement?.evidence);
			}),
			{ numRuns: isLong ? 300 : 100 },
		);
	});

	test("entities of types that conflict are never joined without confirmation", { tags: "longer" }, () => {
		fc.assert(
			fc.property(input, ({ claims, aliases }) => {
				const { entities } = buildGraph({ claims, aliases });
				const family: Record<string, string> = {
					person: "person",
					city: "place",
					place: "place",
					time: "time",
					number: "number",
					planet: "planet",
				};
				for (const { types } of entities)
					expect(new Set(types.flatMap((type) => family[type] ?? [])).size).toBeLessThanOrEqual(1);
			}),
			{ numRuns: isLong ? 200 : 60 },
		);
	});
});

describe("proposals", () => {
	const graph = createGraph(
		buildGraph({
			claims: [
				claim("Albert Einstein:person", "was born in", "Ulm:place"),
				claim("Einstein:person", "died in", "Princeton:place"),
				claim("Einstein:place", "lies near", "Ulm:place"),
				claim("Firenze:place", "lies on", "Arno:place"),
				claim("Florence:place", "lies on", "Arno:place"),
			],
		}),
	);
	test("are names whose words are among another's, of types that do not conflict", async () => {
		const pairs = await proposeMerges(graph);
		expect(pairs.map(({ a, b }) => [a.id, b.id])).toEqual([["albert einstein", "einstein~person"]]);
	});
	test("are names whose vectors are close, too", async () => {
		const similar = async (names: string[]) =>
			names.map((name) => Float32Array.from(/^F[il]/.test(name) ? [1, 0] : [0, name.length > 40 ? 1 : 0]));
		const pairs = await proposeMerges(graph, { similar });
		expect(pairs.map(({ a, b }) => [a.id, b.id])).toContainEqual(["firenze", "florence"]);
	});
});
