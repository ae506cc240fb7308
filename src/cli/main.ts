#!/usr/bin/env node
import module from "node:module";

// before anything else is loaded: on an older Node it would fail somewhere inside a package
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
	process.stderr.write(
		`hopscope: Node ${process.versions.node} is too old. Install Node 20.19 or newer and run the command again.\n`,
	);
	process.exit(1);
}
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
