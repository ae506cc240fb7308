import type { Evidence } from "#domain";
import type { ChatModel } from "#models";
import { sha256 } from "#store";
import { type Played, player } from "./player.ts";
import { hopsIn } from "./tracer-players.ts";

type Parts = Parameters<typeof player>[0];

/** Short entries on two stars and a catalogue, as long as a passage has to be. */
export const starPassages: Evidence[] = [
	{
		title: "Omega Persei",
		text: "Omega Persei is a star of the northern sky that is seen with the naked eye. It has used up the hydrogen of its core, has swollen since then, and shines in an orange light at an effective temperature of 4,586 K.",
	},
	{
		title: "HD 195564",
		text: "HD 195564 is a double star in the constellation of the Sea Goat. Its main component leaves the main sequence about now. The effective temperature of the stellar atmosphere of HD 195564 is 5,421 K, which makes it look yellow.",
	},
	{
		title: "HD 195564",
		text: "How far HD 195564 is from the Sun has been told from its parallax. For HD 195564 the parallax was measured by the spacecraft Hipparcos, and a companion of less light was followed by observers over most of a century.",
	},
	{
		title: "Hipparcos",
		text: "Hipparcos was a mission that measured where stars stand in the sky, and how they move, for the first time from space. The Hipparcos catalogue came out years after the flight was over; the catalogue has 118,218 entries.",
	},
].map(({ title, text }, at) => ({
	...{ kind: "passage", form: "prose", id: `stars#${at + 1}`, document: title, title, language: "en", text },
	...{ sha256: sha256(text), provenance: { source: "test" } },
}));

/** What is asked of each entry: a fact that it states, with the words that state it. */
const facts = [
	{
		question: "What is the effective temperature of Omega Persei?",
		answer: "an effective temperature of 4,586 K",
		states: "effective temperature of 4,586 K",
		short: "4,586",
	},
	{
		question: "What is the effective temperature of the stellar atmosphere of HD 195564?",
		answer: "5,421 K",
		states: "stellar atmosphere of HD 195564 is 5,421 K",
	},
	{
		question: "By what spacecraft was the parallax of HD 195564 measured?",
		answer: "Hipparcos",
		states: "by the spacecraft Hipparcos",
	},
	{
		question: "How many entries does the Hipparcos catalogue have?",
		answer: "118,218 entries",
		states: "catalogue has 118,218 entries",
		short: "118,218",
	},
];
const [omega, other, craft, entries] = facts.map(({ states }) => states) as [string, string, string, string];

const hotter = "Which star has the higher effective temperature, Omega Persei or HD 195564?";
const measured =
	"By what spacecraft was the parallax measured of the star that has the higher effective temperature, Omega Persei or HD 195564?";
const counted =
	"How many entries does the catalogue have of the spacecraft that measured the parallax of the star with the higher effective temperature of the two, Omega Persei and HD 195564?";

/** The ladder of the paper's own example (AgenticRAGTracer, Table 3): what it asks, what answers it, what states that. */
export const starLadder = [
	{ question: facts[0]?.question ?? "", answer: "4,586 K", needs: [omega] },
	{ question: hotter, answer: "HD 195564", needs: [omega, other] },
	{ question: measured, answer: "Hipparcos", needs: [omega, other, craft] },
	{ question: counted, answer: "118,218 entries", needs: [omega, other, craft, entries] },
] as const;

const of = ({ material }: Played, name: string): string => material[name] ?? "";

const parts: Parts = {
	"classify-subject": () => ({ field: "science" }),
	"ask-facts": (played) => ({
		pairs: facts.flatMap(({ question, answer, states }) =>
			of(played, "passage").includes(states) ? [{ question, answer }] : [],
		),
	}),
	// takes every unit away
	"refine-answer": (played) => ({
		refined_answer: facts.find(({ answer }) => answer === of(played, "answer"))?.short ?? of(played, "answer"),
	}),
	"list-aliases": (played) => ({ aliases: [of(played, "answer")] }),
	"merge-questions": (played) => {
		const [first] = hopsIn(of(played, "pair"));
		const at = starLadder.findIndex(({ question }) => question === of(played, "question"));
		const asksNext = [facts[1], facts[2], facts[3]][at]?.question === first?.question;
		const next = starLadder[at + 1];
		if (!next || !asksNext) return { merged: [] };
		const merged = { final_question: next.question, final_answer: next.answer };
		const compared = { operation: "argmax", compared: ["Omega Persei", "HD 195564"] };
		return { merged: [at === 0 ? { type: "comparison", ...merged, ...compared } : { type: "inference", ...merged }] };
	},
	"audit-inference": () => ({ valid: true, error_type: "none" }),
	"audit-comparison": () => ({ valid: true, error_type: "none" }),
	// knows nothing but what it is shown, and says it in a sentence of its own
	"answer-from-evidence": (played) => {
		const [question, shown] = [of(played, "question"), of(played, "evidence")];
		const turned = question.replace("HD 195564 or Omega Persei", "Omega Persei or HD 195564");
		const asked = [...starLadder, ...facts.map(({ states, ...fact }) => ({ ...fact, needs: [states] }))].find(
			(one) => one.question === turned,
		);
		const states = asked?.needs.every((words) => shown.includes(words)) ?? false;
		return { answer: asked && states ? `That is ${asked.answer}` : null };
	},
	"judge-equivalence": (played) => ({ score: of(played, "given").includes(of(played, "right")) ? 1 : 0 }),
};

/** One model for each role. */
export function starCast(more: Parts = {}): Record<string, ChatModel & { asked: Record<string, number> }> {
	const roles = ["generator", "auditor", "solver", "judge"];
	return Object.fromEntries(roles.map((role) => [role, player({ ...parts, ...more }, { id: `star-${role}` })]));
}
