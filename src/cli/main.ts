#!/usr/bin/env node
import module from "node:module";

// Node 22.1 and later keep what they have compiled, from one command to the next
(module as { enableCompileCache?(): unknown }).enableCompileCache?.();
// a reader that has seen enough, such as head, is no failure
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
	if (error.code === "EPIPE") process.exit(0);
	throw error;
});
const [{ processOutput }, { runCommand }] = await Promise.all([import("./output.ts"), import("./program.ts")]);
process.exitCode = await runCommand(process.argv.slice(2), processOutput());
