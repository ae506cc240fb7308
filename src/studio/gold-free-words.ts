/** What searches show without a gold chain, in sentences. */
import { type BroughtUp, clip, type Evidence, type GoldFreeReading, type PseudoHop } from "#domain";
import type { TaskPage } from "./pages.ts";

type Shown = TaskPage["withoutGold"][number];
type Line = Shown["shows"][number];

const mostSearches = 100;
const mostNames = 6;

/** Each search with what it shows, and the answer where names stand in it. */
export function searchesShown(
	{ hops, answer }: Pick<GoldFreeReading, "hops" | "answer">,
	texts: ReadonlyMap<string, Evidence | undefined>,
): Shown[] {
	const searches = hops
		.slice(0, mostSearches)
		.map((hop) => ({ steps: hop.steps.slice(0, 20), shows: linesOf(hop, texts) }));
	const answered = answer ? namesOf(answer) : [];
	return answered.length > 0 ? [...searches, { steps: [], shows: answered }] : searches;
}

function linesOf(hop: PseudoHop, texts: ReadonlyMap<string, Evidence | undefined>): Line[] {
	const { relevance, use, brings, repeated, errors, flags, judged, results } = hop;
	const flagged = (name: (typeof flags)[number]): Line["is"] => (flags.includes(name) ? "flag" : "plain");
	const line = (is: Line["is"], says: string): Line => ({ is, says: clip(says, 600) });
	const title = relevance.is === "measured" ? texts.get(relevance.best)?.title || relevance.best : "";
	return [
		...(flags.includes("nothing-came-back") ? [line("flag", "Nothing came back.")] : []),
		...(errors.length > 0
			? [line("flag", `${errors.length === 1 ? "A call" : `${errors.length} calls`} ended in an error.`)]
			: []),
		...(repeated.length > 0
			? [line("flag", `The same search as before, in step ${repeated.map((step) => step + 1).join(", ")}.`)]
			: []),
		...(flags.includes("aimless-search")
			? [line("flag", "Its words have to do with neither the question nor anything that came back.")]
			: []),
		...(results === 0
			? []
			: [
					relevance.is === "measured"
						? line(
								flagged("low-relevance"),
								`Of its words, names counting more, “${clip(title, 80)}” holds ${Math.round(relevance.value * 100)} %${relevance.missing.length > 0 ? `; in no result stand: ${relevance.missing.slice(0, mostNames).join(", ")}` : ""}.`,
							)
						: line("untold", `How relevant its results are cannot be told: ${relevance.reason}.`),
					use.is === "used"
						? line(
								"plain",
								`Its results were taken up: “${clip(use.by, 80)}” stands in ${use.step === undefined ? "the answer" : `step ${use.step + 1}`}.`,
							)
						: use.is === "unused"
							? line("flag", "Nothing that was written later takes up what only its results told.")
							: line("untold", `Whether its results were used cannot be told: ${use.reason}.`),
				]),
		...namesOf(brings),
		...(judged ? judgedLines(judged) : []),
	];
}

/** Names and numbers that are brought up, those in no result first. */
function namesOf({ entities, unread }: PseudoHop["brings"]): Line[] {
	const of = (is: BroughtUp["first"]["is"]) => entities.filter(({ first }) => first.is === is);
	const quoted = (some: readonly BroughtUp[]) =>
		some
			.slice(0, mostNames)
			.map(({ text }) => `“${clip(text, 60)}”`)
			.join(", ");
	const [unsupported, unobserved] = [of("unsupported"), of("unobserved")];
	const [open] = unobserved;
	return [
		...(unsupported.length > 0
			? [
					{
						is: "flag" as const,
						says: `In no earlier result and not in the question: ${quoted(unsupported)}. It may be right all the same.`,
					},
				]
			: []),
		...(open?.first.is === "unobserved"
			? [
					{
						is: "untold" as const,
						says: `Where ${quoted(unobserved)} comes from cannot be told: ${open.first.reason}.`,
					},
				]
			: []),
		...(unread === undefined
			? []
			: [{ is: "untold" as const, says: `Names cannot be told from other words: ${unread}.` }]),
	];
}

function judgedLines({ by, answers, answer, carried, follows, from }: NonNullable<PseudoHop["judged"]>): Line[] {
	const who = clip(by, 60);
	const is = (said: boolean | null): Line["is"] => (said === null ? "untold" : said ? "plain" : "flag");
	const quote = (words: { quote: string } | null) => (words ? `: “${clip(words.quote, 200)}”` : "");
	return [
		{
			is: is(answers),
			says: `${who}: the results ${answers === null ? "may or may not answer it" : answers ? `answer it${quote(answer)}` : "do not answer it"}.`,
		},
		...(carried === null
			? []
			: [
					{
						is: is(follows),
						says: `${who}: “${clip(carried.value, 80)}” was carried on, and ${follows === null ? "it cannot be told whether it follows" : follows ? `follows${quote(from)}` : "does not follow from the results"}.`,
					},
				]),
	];
}
