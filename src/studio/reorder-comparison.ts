/** A comparison of the same runs named in another order: an export holds the differences of each set of runs once. */
import { letterAt } from "./join-runs.ts";
import type { ComparedPair, ComparePage, Flips } from "./pages.ts";

/** `before` and `after`: the same runs by name, as the page has them and as they are wanted. */
export function reorderComparison(
	page: ComparePage,
	{ before, after }: { before: readonly string[]; after: readonly string[] },
): ComparePage {
	const from = after.map((run) => before.indexOf(run));
	const letters = new Map(from.map((old, place) => [letterAt(old), letterAt(place)]));
	const lettered = (letter: string) => letters.get(letter) ?? letter;
	const rewritten = (where: string) => where.split(" ").map(term).join(" ");
	/** `flip:right-wrong` names the runs by their order, `b.broken:2` and `a:right` by their letters. */
	function term(one: string): string {
		const [, flip] = /^flip:(.+)$/.exec(one) ?? [];
		if (flip === undefined) return one.replace(/^[a-z](?=[.:])/, lettered);
		const words = flip.split("-");
		return `flip:${from.map((old) => words[old]).join("-")}`;
	}
	const linked = <Counted extends { where: string }>(one: Counted): Counted => ({
		...one,
		where: rewritten(one.where),
	});
	const flips = (one: Flips): Flips => ({ ...linked(one), breaks: one.breaks.map(linked) });
	const pair = (one: ComparedPair): ComparedPair => ({
		...one,
		...{ a: lettered(one.a), b: lettered(one.b) },
		...{ won: flips(one.won), lost: flips(one.lost), alike: one.alike.map(linked) },
	});
	const inOrder = ({ a, b }: ComparedPair) => [a, b].sort().join("");
	return {
		...page,
		runs: from.flatMap((old, place) => {
			const run = page.runs[old];
			return run ? [{ ...run, letter: letterAt(place) }] : [];
		}),
		pairs: page.pairs.map(pair).sort((x, y) => (inOrder(x) < inOrder(y) ? -1 : 1)),
	};
}
