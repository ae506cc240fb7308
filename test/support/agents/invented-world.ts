/** An invented world with chains of hops, as large as wanted: to inject faults into where a test must be quick. */
import { createHash } from "node:crypto";
import { Evidence, Task } from "#domain";

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");
const text = (value: string) => ({ type: "string" as const, value, accepted: [value] });

const beginnings = ["Vel", "Ost", "Kar", "Mir", "Tol", "Bren", "Sul", "Dag", "Fen", "Lor", "Pash", "Quin"];
const name = (n: number, ending: string) =>
	`${beginnings[n % beginnings.length]}${["a", "e", "i", "o", "u"][Math.floor(n / beginnings.length) % 5]}${ending}`;

/** `count` countries (at most 60), each with a flag, an article, and a capital with its founder; three tasks of each. */
export function inventedWorld(count: number): { evidence: Evidence[]; tasks: Task[] } {
	const countries = Array.from({ length: count }, (_, n) => ({
		n,
		country: name(n, "land"),
		capital: name(n, "ville"),
		founder: `Anna ${name(n, "sson")}`,
		area: 1000 + 37 * n,
	}));
	const evidence = countries.flatMap(({ n, country, capital, founder, area }) => [
		passage(
			`country/${n}`,
			country,
			`${country} is a country. The capital of ${country} is ${capital}. The area of ${country} is ${area} km², and ${area + 500} people live there.`,
		),
		passage(
			`city/${n}`,
			capital,
			`${capital} is a city. It was founded by ${founder}. Its mayor is Berta ${name(n + 7, "berg")}.`,
		),
		Evidence.parse({
			...{ kind: "image", ...common(`flag/${n}`, `Flag of ${country}`), caption: `Flag of ${country}` },
			...{ file: `images/${n}.png`, width: 1, height: 1 },
		}),
	]);
	const tasks = countries.flatMap(({ n, country, capital, founder, area }) => {
		const other = countries[(n + 1) % count] ?? { n: 0, country: "", area: 0 };
		const capitalHop = hop("b", `What is the capital of ${country}?`, text(capital), {
			evidence: [`country/${n}`],
			relation: "capital",
		});
		const founderHop = hop("c", `Who founded ${capital}?`, text(founder), {
			evidence: [`city/${n}`],
			needs: ["b"],
			relation: "founder",
		});
		const areaHop = (id: string, of: { n: number; country: string; area: number }) =>
			hop(id, `How large is the area of ${of.country} in km²?`, figure(of.area), {
				evidence: [`country/${of.n}`],
				relation: "area",
			});
		return [
			{
				...{ id: `founder-${n}`, question: `Who founded the capital of ${country}?`, answer: text(founder) },
				chain: { hops: [capitalHop, founderHop], sink: "c" },
			},
			{
				...{
					id: `flag-${n}`,
					question: "Who founded the capital of the country that flies this flag?",
					answer: text(founder),
				},
				images: [{ id: "q", file: "question.png", width: 1, height: 1, sha256: hashOf("q"), hides: [country] }],
				chain: {
					hops: [
						hop("a", "Which country flies this flag?", text(country), {
							evidence: [`flag/${n}`],
							modality: "image",
							relation: "flag",
						}),
						{ ...capitalHop, needs: [{ hop: "a", role: "bridge" }] },
						founderHop,
					],
					sink: "c",
				},
			},
			{
				...{
					id: `sum-${n}`,
					question: `How large are ${country} and ${other.country} together?`,
					answer: figure(area + other.area),
				},
				chain: {
					hops: [
						areaHop("a", { n, country, area }),
						areaHop("b", other),
						{
							...hop("c", `What is the sum of ${area} km² and ${other.area} km²?`, figure(area + other.area), {
								modality: "compute",
							}),
							...{ needs: ["a", "b"].map((id) => ({ hop: id, role: "operand" })), compute: { op: "add" } },
						},
					],
					sink: "c",
				},
			},
		].map((task) => Task.parse({ ...task, tags: { language: "en" } }));
	});
	return { evidence, tasks };
}

const common = (id: string, title: string) => ({
	...{ id, document: id, title, language: "en", sha256: hashOf(id), provenance: { source: "invented" } },
});

const passage = (id: string, title: string, words: string) =>
	Evidence.parse({ kind: "passage", ...common(id, title), text: words });

function figure(value: number) {
	const written = `${value} km²`;
	return { type: "number" as const, value: written, accepted: [written], number: { value, unit: "km²" } };
}

function hop(
	id: string,
	question: string,
	answer: object,
	{
		evidence = [],
		modality = "text",
		needs = [],
		relation,
	}: { evidence?: string[]; modality?: string; needs?: string[]; relation?: string },
) {
	const bridges = needs.map((needed) => ({ hop: needed, role: "bridge" }));
	return { id, question, modality, evidence, answer, needs: bridges, ...(relation === undefined ? {} : { relation }) };
}
