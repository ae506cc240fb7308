/** What scripts that write tables into a page of the documentation share. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root, say } from "./prepare.mjs";

/** Runs the built `hopscope` in a workspace; returns what it wrote to standard output. */
export function hopscope(args, workspace) {
	say(args.join(" "));
	return execFileSync(process.execPath, [join(root, "dist", "cli", "main.js"), ...args, "--workspace", workspace], {
		encoding: "utf8",
		stdio: ["ignore", "pipe", "inherit"],
		maxBuffer: 2 ** 28,
	});
}

/** Replaces what stands between two marks of a page; throws where they are not there. */
export function writeBetween(page, [from, to], text) {
	const before = readFileSync(page, "utf8");
	const [start, end] = [before.indexOf(from), before.indexOf(to)];
	if (start === -1 || end < start) throw new Error(`${relative(root, page)} has no marks ${from} … ${to}`);
	writeFileSync(page, `${before.slice(0, start + from.length)}\n\n${text}\n\n${before.slice(end)}`);
}
