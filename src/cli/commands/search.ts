import { Option } from "commander";
import { exitCodes, HopscopeError, plainLine } from "#domain";
import { openKnowledge, type Query, type SearchMode, type SearchResult } from "#knowledge";
import { openWorkspace } from "#store";
import {
	type AddCommand,
	type CommonOptions,
	exists,
	locate,
	theOnlyKnowledge,
	wholeNumber,
	withWorkspace,
} from "../context.ts";

interface SearchOptions extends CommonOptions {
	knowledge?: string;
	image?: string;
	target: "text" | "image" | "page";
	mode?: SearchMode;
	k: number;
	document?: string[];
	language?: string[];
	exact?: boolean;
	throughPassages?: boolean;
}

const modes: SearchMode[] = ["lexical", "dense", "joint", "late", "graph", "hybrid"];
const targets = { text: "passage", image: "image", page: "page" } as const;

export const addSearch: AddCommand = (command, { output }) =>
	withWorkspace(command)
		.argument("[query]", "what to look for")
		.option("-n, --knowledge <name>", "knowledge base: a name in the workspace or a folder (default: the only one)")
		.option("-i, --image <file>", "an image to look for")
		.addOption(new Option("-t, --target <kind>", "what to look for").choices(Object.keys(targets)).default("text"))
		.addOption(
			new Option("-m, --mode <mode>", "how text is searched (default: as the knowledge base says)").choices(modes),
		)
		.option("-k <n>", "how many results", wholeNumber(1, 1000), 5)
		.option("--document <name...>", "only in these documents")
		.option("--language <code...>", "only in these languages")
		.option("--exact", "compare with every vector, past any approximate index")
		.option("--through-passages", "rank pages by the best of their passages")
		.addHelpText(
			"after",
			`
Examples:
  $ hopscope search "capital of Peru"
  $ hopscope search "net revenue 2023" --target page --document reports/annual.pdf
  $ hopscope search --image photo.jpg --target image -k 3
  $ hopscope search "population chart" --target image --json`,
		)
		.action(async (text: string | undefined, options: SearchOptions) => {
			if (!text?.trim() && !options.image)
				throw new HopscopeError(
					"nothing-to-search",
					"there is neither a query nor an image",
					'Try: hopscope search "…".',
					{
						exitCode: exitCodes.usage,
					},
				);
			if (options.image && !(await exists(options.image)))
				throw new HopscopeError("missing-file", `${options.image} does not exist`, "Check the path.", {
					exitCode: exitCodes.usage,
				});
			const workspace = openWorkspace(options.workspace);
			const name = options.knowledge ?? (await theOnlyKnowledge(workspace));
			const knowledge = await openKnowledge(await locate(workspace, "knowledge", name));
			try {
				const query: Query = { target: options.image && !text ? "image" : targets[options.target], k: options.k };
				if (text) query.text = text;
				if (options.image) query.image = options.image;
				if (options.mode) query.mode = options.mode;
				if (options.exact) query.exact = true;
				if (options.throughPassages) query.through = "passages";
				const { document, language } = options;
				if (document || language) query.filter = { ...(document && { document }), ...(language && { language }) };
				const results = await knowledge.search(query);
				if (options.json) return output.write(JSON.stringify({ knowledge: name, results }));
				if (results.length === 0) output.say("nothing found");
				for (const result of results) output.write(shown(result));
			} finally {
				knowledge.close();
			}
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
