import { Option } from "commander";
import { exitCodes, HopscopeError } from "#domain";
import { openKnowledge, type Query } from "#knowledge";
import { plainLine } from "#reports";
import { openWorkspace } from "#store";
import { type AddCommand, type CommonOptions, exists, locate, wholeNumber, withWorkspace } from "../context.ts";

interface SearchOptions extends CommonOptions {
	knowledge?: string;
	image?: string;
	target: "text" | "image" | "page";
	mode?: "lexical" | "dense" | "hybrid";
	k: number;
}

const targets = { text: "passage", image: "image", page: "page" } as const;

export const addSearch: AddCommand = (program, { output }) =>
	withWorkspace(program.command("search"))
		.description("Search a knowledge base by text, by image, or both")
		.argument("[query]", "what to look for")
		.option("-n, --knowledge <name>", "knowledge base: a name in the workspace or a folder (default: the only one)")
		.option("-i, --image <file>", "an image to look for")
		.addOption(new Option("-t, --target <kind>", "what to look for").choices(Object.keys(targets)).default("text"))
		.addOption(new Option("-m, --mode <mode>", "how text is searched").choices(["lexical", "dense", "hybrid"]))
		.option("-k <n>", "how many results", wholeNumber(1, 1000), 5)
		.addHelpText(
			"after",
			`
Examples:
  $ hopscope search "capital of Peru"
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
			const name = options.knowledge ?? (await theOnly(workspace));
			const knowledge = await openKnowledge(await locate(workspace, "knowledge", name));
			try {
				const query: Query = { target: options.image && !text ? "image" : targets[options.target], k: options.k };
				if (text) query.text = text;
				if (options.image) query.image = options.image;
				if (options.mode) query.mode = options.mode;
				const results = await knowledge.search(query);
				if (options.json) return output.write(JSON.stringify({ knowledge: name, results }));
				if (results.length === 0) output.say("nothing found");
				for (const { rank, score, id, title, snippet } of results)
					output.write(
						`${String(rank).padStart(2)}. ${plainLine(title)}  [${plainLine(id)}]  ${score.toFixed(4)}\n    ${plainLine(snippet)}`,
					);
			} finally {
				knowledge.close();
			}
		});

/** The workspace's only knowledge base, or an error that lists them. */
async function theOnly(workspace: ReturnType<typeof openWorkspace>): Promise<string> {
	const names = await workspace.list("knowledge");
	const [only] = names;
	if (only && names.length === 1) return only;
	throw new HopscopeError(
		"which-knowledge",
		names.length === 0 ? `there is no knowledge base in ${workspace.dir}` : "there is more than one knowledge base",
		names.length === 0 ? "Make one: hopscope index PATHS…" : `Choose with --knowledge: ${names.join(", ")}.`,
		{ exitCode: exitCodes.usage },
	);
}
