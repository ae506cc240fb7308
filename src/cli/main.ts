#!/usr/bin/env node
import module from "node:module";

// Node 22.1 and later keep what they have compiled, from one command to the next
(module as { enableCompileCache?(): unknown }).enableCompileCache?.();
process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
	// a reader that has seen enough, such as head, is no failure; of a terminal that is gone, SIGHUP tells
	if (code === "EPIPE") process.exit(0);
	if (code === "EIO") return;
	process.stderr.write(
		`hopscope: standard output cannot be written: ${message}. Send it elsewhere, then run it again.\n`,
	);
	process.exit(1);
});
// nobody is left to be told
process.stderr.on("error", () => {});
const [{ processOutput }, { runCommand }] = await Promise.all([import("./output.ts"), import("./program.ts")]);
process.exitCode = await runCommand(process.argv.slice(2), processOutput());
