import { Option } from "commander";
import { plainLine } from "#domain";
import type { SearchResult } from "#knowledge";
import { type SearchOptions, searchModes } from "#workbench";
import { type AddCommand, type CommonOptions, sayNext, wholeNumber, withWorkspace } from "../context.ts";
import { watch } from "../watch.ts";

export const addSearch: AddCommand = (command, context) =>
	withWorkspace(command)
		.argument("[query]", "what to look for")
		.option("-n, --knowledge <name>", "knowledge base: a name, a folder or an address (default: the only one)")
		.option("-i, --image <file>", "an image to look for")
		.addOption(new Option("--target <kind>", "what to look for").choices(["text", "image", "page"]).default("text"))
		.addOption(
			new Option("--mode <mode>", "how text is searched (default: as the knowledge base says)").choices(searchModes),
		)
		.option("-k, --k <n>", "how many results", wholeNumber(1, 1000), 5)
		.option("--document <name...>", "only in these documents")
		.option("--language <code...>", "only in these languages")
		.option("--exact", "compare with every vector, past any approximate index")
		.option("--through-passages", "rank pages by the best of their passages (default with a real encoder)")
		.option("--no-through-passages", "rank pages by their own texts")
		.addHelpText(
			"after",
			`
Examples:
  $ hopscope search "capital of Peru"
  $ hopscope search "net revenue 2023" --target page --document reports/annual.pdf
  $ hopscope search --image photo.jpg --target image -k 3
  $ hopscope search "population chart" --target image --json`,
		)
		.action(async (text: string | undefined, options: SearchOptions & CommonOptions) => {
			const { output } = context;
			const found = await watch(context, options, (bench) => bench.search(text, options));
			if (options.json) return output.write(JSON.stringify(found));
			if (found.results.length === 0) output.say("nothing found");
			for (const result of found.results) output.write(shown(result));
			sayNext(context, "make", options);
		});

/** Title, id and score on one line, then where it stands and what it says. */
function shown(result: SearchResult): string {
	const { rank, score, id, title, snippet } = result;
	const place = placeOf(result);
	const head = `${String(rank).padStart(2)}. ${plainLine(title)}  [${plainLine(id)}]  ${score.toFixed(4)}`;
	return `${head}\n    ${place === "" ? "" : `${place}: `}${plainLine(snippet)}`;
}

/** `page 3 (iii), box 72 100 300 140`: pages from 1, as readers of documents count them; points from the top left. */
function placeOf({ page, label, regions = [] }: SearchResult): string {
	const [first] = regions;
	const at = page ?? first?.page;
	if (at === undefined) return "";
	const number = `page ${at + 1}${label === undefined || label === String(at + 1) ? "" : ` (${plainLine(label)})`}`;
	const on = regions.filter((region) => region.page === at).map(({ box }) => box);
	if (on.length === 0) return number;
	const edge = (side: number, choose: (...values: number[]) => number) =>
		Math.round(choose(...on.map((box) => box[side] ?? 0)));
	return `${number}, box ${[edge(0, Math.min), edge(1, Math.min), edge(2, Math.max), edge(3, Math.max)].join(" ")}`;
}
