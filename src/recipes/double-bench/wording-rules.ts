import { questionOf } from "#domain";
import { fail, pass, type RuleCheck } from "../engine/check.ts";
import { rule } from "../rules/rule.ts";
import { lacksWalk, walkOf } from "./walk.ts";

const artificial =
	/\bthe (?:entity|thing|one|item|object|concept) (?:that|which|who|whose)\b|\bla (?:entidad|cosa) que\b|\bl['’](?:entité|élément) qui\b/i;

/** Neither the question nor a step speaks of "the entity that …". */
export function naturalPhrasing(): RuleCheck {
	return rule({ name: "natural-phrasing" }, (item) => {
		const found = [questionOf(item), ...item.chain.hops.map(({ question }) => question)]
			.map((text) => artificial.exec(text)?.[0])
			.find((phrase) => phrase !== undefined);
		return found === undefined ? pass() : fail("fluency", `"${found}"`);
	});
}

/** Every step's relation leads to few things from where it starts. */
export function determinedSteps({ most }: { most: number }): RuleCheck {
	return rule({ name: "determined-steps", params: { most }, lacks: lacksWalk }, (item) => {
		const wide = walkOf(item).steps.find(({ targets }) => targets > most);
		if (!wide) return pass();
		const detail = `${wide.from.name} ${wide.relation}: ${wide.targets} things`;
		return fail("many_valued", detail, { score: wide.targets, threshold: most });
	});
}

/** Words that any document could be asked about, and words of asking. */
const general = new Set(
	"what which who whom whose when where why how much many number name date title heading value year percent percentage total amount page table figure document text letter report paper author corporation company organization person people person's study section first second third fourth last left right top bottom margin leftside rightside bold mentioned given shown written present presented according is are was were be been do does did has have had can could will would should of in on at to from for by with about into than and or not this that these those it its their his her the a an as per there being after before between during part parts type types kind".split(
		" ",
	),
);
/** Places on a page rather than in a subject. */
const layout =
	/\b(?:left|right|top|bottom|first|second|third|last|leftside|rightside)\b[^?]{0,12}\b(?:margin|page|table|figure|column|row|line|paragraph)\b|\b(?:at|on|in) the (?:top|bottom|margin)\b|\bthis (?:letter|document|report|page|table|form|memo)\b/i;

/**
 * The question names what it is about, so that a document can be found by it: it points to no place on a page, and holds
 * a code or a name, or two words of a subject. Languages that are written without spaces are not judged by words.
 */
export function namesItsSubject(): RuleCheck {
	return rule({ name: "names-its-subject" }, (item) => {
		const question = questionOf(item);
		const place = layout.exec(question)?.[0];
		if (place) return fail("under_specified", `"${place}"`);
		if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(question)) return pass();
		const [, ...words] = question.match(/[\p{L}\p{M}\p{N}'’-]+/gu) ?? [];
		const named = words.some((word) => /\p{Lu}/u.test(word) || (/\p{N}/u.test(word) && word.length > 1));
		const telling = words.filter((word) => word.length > 2 && !general.has(word.toLowerCase()));
		return named || telling.length > 1 ? pass() : fail("under_specified", "no name, no code, no subject");
	});
}
