import { detectLanguage } from "#corpus";
import type { ChatModel } from "#models";
import { asking, fills, gap, gapIn, gapOf, nested, openers, plain, solved } from "./cloze.ts";
import { type Played, player } from "./player.ts";

type Parts = Parameters<typeof player>[0];

/**
 * Every part of the recipe `double-bench`, played on the material that is shown: questions leave a gap in the words of a
 * block or of a relation, a page answers one if it holds the words, and a refinement takes in more words until the other
 * pages do not hold them. `more` replaces parts. One model
 * for each role.
 */
export function doubleBenchCast(more: Parts = {}): Record<string, ChatModel & { asked: Record<string, number> }> {
	const cast = (id: string) => player({ ...doubleBenchParts, ...more }, { id });
	return { generator: cast("writer"), labeller: cast("reader"), inspector: cast("examiner"), solver: cast("solver") };
}

const of = ({ material }: Played, name: string): string => material[name] ?? "";

/** Words around a gap at first: few, so that some questions are too open. */
const firstSide = 2;

export const doubleBenchParts: Parts = {
	"describe-document": (played) => {
		const language = detectLanguage(of(played, "pages"));
		return { language: language === "und" ? "en" : language, summary: of(played, "pages").slice(0, 300) || "Nothing." };
	},
	"inspect-block": (played) => ({ keep: gapIn(of(played, "block"), { side: firstSide }) ? "yes" : "no" }),
	"ask-text": (played) => ask(of(played, "block")),
	"ask-visual": (played) => ask(`${of(played, "caption")} ${of(played, "block")}`),
	"judge-evidence": (played) => ({
		answers: fills(of(played, "question"), of(played, "answer"), of(played, "evidence")) ? "yes" : "no",
	}),
	"refine-question": (played) => {
		const run = gapOf(of(played, "question")) ?? "";
		const answer = of(played, "answer");
		return { reason: "more of its words", question: asking(widened(run, { answer, ...sides(played) })) };
	},
	"inspect-question": (played) => {
		const stated = fills(of(played, "question"), of(played, "answer"), of(played, "evidence"));
		return { reason: "looked up", keep: stated ? "yes" : "no", fault: stated ? "none" : "unsupported" };
	},
	"extract-relations": (played) => ({ triples: relationsIn(of(played, "text")), aliases: [] }),
	"infer-intent": (played) => ({ intent: `What is said of ${of(played, "entity")}?` }),
	"choose-relation": (played) => ({
		reasoning: "the first",
		selected_index: of(played, "candidates").trim() === "" ? null : 0,
	}),
	"ask-relation": (played) => {
		const [subject = "", relation = "", object = ""] = of(played, "fact").split(" | ");
		const asked = of(played, "asked");
		const run = asked === object ? `${subject} ${relation} ${gap}` : `${gap} ${relation} ${object}`;
		return { question: asking(run), answer: asked };
	},
	"nest-questions": (played) => {
		const inner = gapOf(of(played, "inner")) ?? "";
		return { chained_question: of(played, "outer").replace(of(played, "entity"), nested(inner)) };
	},
	"inspect-walk": (played) => {
		const leaks = fills(of(played, "question"), of(played, "answer"), of(played, "question"));
		return { reason: "gone through", keep: leaks ? "no" : "yes", failed: leaks ? "clarity" : "none" };
	},
	"answer-from-evidence": (played) => ({
		answer: solved(of(played, "question"), of(played, "evidence")) ?? null,
	}),
};

function ask(text: string) {
	const made = gapIn(text, { side: firstSide, pick: plain(text).length });
	return { question: asking(made?.run ?? `${gap} of this`), answer: made?.answer ?? "nothing" };
}

/** The page's words and the others'. */
const sides = (played: Played) => ({ truth: of(played, "truth"), others: of(played, "others") });

/** The run with words of the truth on both sides until the others do not hold it. */
function widened(run: string, { answer, truth, others }: { answer: string; truth: string; others: string }): string {
	const words = truth.split(/\s+/);
	const filled = plain(run.replace(gap, ` ${answer} `));
	const from = words.findIndex((_, at) => plain(words.slice(at, at + 12).join(" ")).startsWith(filled));
	if (from < 0) return run;
	const size = run.split(" ").length;
	for (let more = 2; more <= 10; more += 2) {
		const start = Math.max(0, from - more);
		const wide = words.slice(start, from + size + more);
		if (` ${plain(others)} `.includes(` ${plain(wide.join(" "))} `)) continue;
		const at = wide.findIndex((word) => plain(word) === plain(answer));
		return wide.map((word, index) => (index === at ? gap : word.replace(/[“”]/g, ""))).join(" ");
	}
	return run;
}

const name = "\\p{Lu}[\\p{L}\\p{N}-]*[\\p{L}\\p{N}](?: \\p{Lu}[\\p{L}\\p{N}-]*[\\p{L}\\p{N}])*";
const related = new RegExp(`(${name})((?:[ \\n]+\\p{Ll}[\\p{Ll}-]*){1,5})[ \\n]+(?=(${name}))`, "gu");

/** Two names with a few words between them, one of which says something. */
function relationsIn(text: string) {
	const all = [...text.matchAll(related)].flatMap(([match, subject = "", between = "", object = ""]) => {
		const relation = between.replace(/\s+/g, " ").trim();
		const telling = relation.split(" ").some((word) => word.length > 4);
		const named = [subject, object].every((one) => !openers.has(one));
		return telling && named && subject !== object && subject.length > 2 && object.length > 2
			? [{ subject, relation, object, quote: `${match}${object}`, types: ["concept", "concept"] }]
			: [];
	});
	return all.slice(0, 100);
}
