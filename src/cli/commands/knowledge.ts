import type { Command } from "commander";
import type { StoredVersion } from "#knowledge";
import { type AddCommand, type CommonOptions, type Context, sayNext, wholeNumber, withWorkspace } from "../context.ts";
import { textTable } from "../text-table.ts";
import { watch } from "../watch.ts";

/** `hopscope knowledge`: knowledge bases in object storage. */
export const addKnowledge: AddCommand = (command, context) => {
	command.addHelpText(
		"after",
		`
An address is s3://BUCKET/PATH, of any store that speaks S3: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and
AWS_ENDPOINT_URL say which and with what keys. Wherever a knowledge base is named to be searched (-n), an address does;
docs/guides/many-machines.md.`,
	);
	addPush(command, context);
	addVersions(command, context);
	return command;
};

function addPush(knowledge: Command, context: Context): void {
	withWorkspace(knowledge.command("push"))
		.description("Put a knowledge base, as it is now, into object storage, for others to search")
		.argument("<name>", "knowledge base: a name in the workspace or a folder")
		.argument("<address>", "s3://BUCKET/PATH")
		.addHelpText(
			"after",
			`
Who searches meanwhile goes on with the version that he opened; who opens next gets this one. A push that was killed goes
on where it was when it is called again. Versions of before stay: hopscope knowledge versions removes them.

Example:
  $ hopscope knowledge push atlas s3://team/knowledge/atlas`,
		)
		.action(async (name: string, address: string, options: CommonOptions) => {
			const made = await watch(context, options, (bench) => bench.pushKnowledge(name, address));
			if (options.json) return context.output.write(JSON.stringify(made));
			context.output.write(`${made.address}  ${made.hash.slice(0, 12)}`);
			sayNext(context, `search -n ${address} "…"`, options);
		});
}

function addVersions(knowledge: Command, context: Context): void {
	withWorkspace(knowledge.command("versions"))
		.description("The versions of a knowledge base in object storage; remove old ones")
		.argument("<address>", "s3://BUCKET/PATH")
		.option("--keep <n>", "remove all but so many of the latest, and never the current one", wholeNumber(1, 10_000))
		.addHelpText(
			"after",
			`
A version that is removed ends the searches of whoever still has it open, and runs that searched it can no longer be
resumed over it.

Examples:
  $ hopscope knowledge versions s3://team/knowledge/atlas
  $ hopscope knowledge versions s3://team/knowledge/atlas --keep 2`,
		)
		.action(async (address: string, options: CommonOptions & { keep?: number }) => {
			const { versions, removed } = await watch(context, options, (bench) => bench.knowledgeVersions(address, options));
			if (options.json) return context.output.write(JSON.stringify({ versions, removed }));
			context.output.write(textTable([["version", "put there", "hash", ""], ...versions.map(row)]).join("\n"));
			for (const one of removed) context.output.say(`removed ${one.address}`);
		});
}

const row = ({ address, at, hash, current }: StoredVersion) => [
	address,
	at.slice(0, 16).replace("T", " "),
	hash.slice(0, 12),
	current ? "current" : "",
];
