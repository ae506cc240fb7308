import type { Command } from "commander";

/** The options that name encoders. */
export function withEncoders(command: Command): Command {
	return command
		.option(
			"--text-encoder <name>",
			"characters (default, unless one was added), onnx:NAME, FOLDER or hub id, openai:MODEL@http://…, none",
		)
		.option("--image-encoder <name>", "layout (default), onnx:FOLDER or hub id, openai:MODEL@http://…, none")
		.option("--page-encoder <name>", "server:MODEL@http://…, for late interaction; none by default")
		.option("--vectors <file...>", "vectors of the records made elsewhere: a FAISS flat index, whole or its parts");
}

/** The option that names an embedder. */
export const withEmbedder = (command: Command): Command =>
	command.option(
		"--embedder <name>",
		"tells how alike two evidences are (soft HPS): onnx:FOLDER or hub id, openai:MODEL@http://…",
	);
