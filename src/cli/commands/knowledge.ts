import type { Command } from "commander";
import type { StoredVersion } from "#knowledge";
import { type AddCommand, type CommonOptions, type Context, sayNext, wholeNumber, withWorkspace } from "../context.ts";
import { textTable } from "../text-table.ts";
import { watch } from "../watch.ts";

/** `hopscope knowledge`: knowledge bases elsewhere, in object storage and in search engines of one's own. */
export const addKnowledge: AddCommand = (command, context) => {
	command.addHelpText(
		"after",
		`
An address is s3://BUCKET/PATH, of any store that speaks S3: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and
AWS_ENDPOINT_URL say which and with what keys. Wherever a knowledge base is named to be searched (-n), an address does;
docs/guides/many-machines.md. A search engine of your own is connected by a file and then has a name, or is named by its
http address; docs/guides/your-search-engine.md.`,
	);
	addConnect(command, context);
	addPush(command, context);
	addVersions(command, context);
	return command;
};

function addConnect(knowledge: Command, context: Context): void {
	withWorkspace(knowledge.command("connect"))
		.description("Search an engine of your own: give it a name, by a file that says how it is asked")
		.argument("<name>", "the name that it has in the workspace from now on")
		.argument("<file>", "YAML or JSON: kind, address, fields, … as docs/guides/your-search-engine.md has them")
		.addHelpText(
			"after",
			`
Kinds: http (any service that takes a question and gives passages), pgvector (PostgreSQL), elasticsearch, opensearch,
qdrant, hopscope (another hopscope serve). Secrets are variables in the file ($SEARCH_KEY), read when it is asked, and
stand in no file. The engine has to answer; what it tells of itself is what runs over it are known by.

Examples:
  $ hopscope knowledge connect ours ours.yaml
  $ hopscope run -b atlas -a extractive -n ours
  $ hopscope run -b atlas -a extractive -n http://127.0.0.1:8000/retrieve   (needs no file)`,
		)
		.action(async (name: string, file: string, options: CommonOptions) => {
			const made = await watch(context, options, (bench) => bench.connectKnowledge(name, file));
			if (options.json) return context.output.write(JSON.stringify(made));
			const { kind, address, said, looksUp } = made.service;
			const facts = Object.entries(said).map(([what, value]) => `${what} ${value}`);
			context.output.write(`${name}  ${kind} at ${address}${facts.length > 0 ? ` (${facts.join(", ")})` : ""}`);
			if (!looksUp) context.output.say("it tells no text by its id: only texts that a search brought are known");
			sayNext(context, `search -n ${name} "…"`, options);
		});
}

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
