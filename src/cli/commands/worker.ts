import { counted, usageError } from "#domain";
import type { WorkerOptions } from "#workbench";
import { type AddCommand, type CommonOptions, wholeNumber, withWorkspace } from "../context.ts";
import { withQueue } from "../run-options.ts";
import { watch } from "../watch.ts";

export const addWorker: AddCommand = (command, context) =>
	withQueue(withWorkspace(command))
		.option("--concurrency <n>", "jobs at the same time", wholeNumber(1, 1024), 8)
		.option("-a, --agent <name>", "a program that may be executed where a run names it: exec:COMMAND, observe:COMMAND")
		.option("-n, --knowledge <name>", "knowledge base where this worker has it, or an address that runs may name")
		.option("--sources <folders...>", "folders whose documents may be read where an index names them")
		.addHelpText(
			"after",
			`
Does the jobs of all that goes over this queue (run, intervene, judge and index with --queue) until Ctrl-C or SIGTERM,
which hands back what is not done. Benchmark and knowledge base are opened where the run has them, in a folder that both machines
share, or by their names in this workspace; a knowledge base in object storage (s3://…) where --knowledge names it. What differs is refused, and its tasks go to others. Keys come from this
worker's environment, prices from its hopscope.json, limits from the run's. Documents are read only in folders that --sources
names, and into the workspace that the index has; docs/guides/many-machines.md.

Examples:
  $ hopscope worker --queue nats://queue.example:4222
  $ hopscope worker --queue tls://queue.example:4222 --queue-credentials worker.creds --concurrency 32
  $ hopscope worker --queue nats://queue.example:4222 --workspace /shared/workspace --sources /shared/documents`,
		)
		.action(async (options: CommonOptions & WorkerOptions) => {
			const { queue } = options;
			if (!queue) throw usageError("usage", "no queue is named", "Name one: --queue nats://HOST:PORT.");
			const { answered, refused } = await watch(context, options, (bench) => bench.worker({ ...options, queue }));
			if (options.json) context.output.write(JSON.stringify({ answered, refused }));
			else context.output.write(`did ${counted(answered, "job")}`);
		});
