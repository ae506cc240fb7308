#!/usr/bin/env node
import { processOutput } from "./output.ts";
import { runCommand } from "./program.ts";

// a reader that has seen enough, such as head, is no failure
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
	if (error.code === "EPIPE") process.exit(0);
	throw error;
});
process.exitCode = await runCommand(process.argv.slice(2), processOutput());
