import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { usageError } from "#domain";

/** How a program is reached, from how a person names it. */
export type Spec = { is: "http"; url: string } | { is: "exec"; command: string } | { is: "observe"; command: string };

const longestSpec = 2000;
/** Files of a command that are larger are no scripts, and not read for its version. */
const largestScript = 4 * 1024 * 1024;

/** Whether a name means a program rather than an agent of Hopscope's own. */
export const isSpec = (name: string): boolean => /^(https?:\/\/|exec:|observe:)/i.test(name);

/** Takes `http://…`, `https://…`, `exec:COMMAND` or `observe:COMMAND` apart; anything else is the user's mistake. */
export function parseSpec(spec: string): Spec {
	const [, kind = "", rest = ""] = /^(https?|exec|observe):(.*)$/is.exec(spec.trim()) ?? [];
	if (spec.length > longestSpec) throw refused(`it is longer than ${longestSpec} characters`);
	if (/[\0\r\n]/.test(spec)) throw refused("it has several lines");
	const is = kind.toLowerCase();
	if (is === "exec" || is === "observe") {
		if (rest.trim() === "") throw refused("no command is named");
		return { is, command: rest.trim() };
	}
	const url = is !== "" && URL.canParse(spec.trim()) ? new URL(spec.trim()) : undefined;
	if (!url) throw refused(`"${spec.slice(0, 100)}" is neither an address nor a command`);
	// the name of an agent is recorded and shown
	if (url.username || url.password || url.search || url.hash)
		throw refused(`the address at ${url.host} holds a user name, a password or a query, which would be recorded`);
	return { is: "http", url: url.href };
}

const refused = (why: string) =>
	usageError(
		"bad-agent",
		`the program that is the agent cannot be used: ${why}`,
		"Name it as http://HOST:PORT/PATH, exec:COMMAND or observe:COMMAND.",
	);

/** Changes with the scripts that a command names, so that a run is not resumed with another program. */
export function versionOf(spec: Spec): string {
	if (spec.is === "http") return "1";
	const hash = createHash("sha256");
	let scripts = 0;
	for (const word of spec.command.split(/[\s"']+/)) {
		const bytes = word === "" ? undefined : scriptAt(word);
		if (!bytes) continue;
		hash.update(bytes);
		scripts += 1;
	}
	return scripts === 0 ? "1" : `1-${hash.digest("hex").slice(0, 12)}`;
}

function scriptAt(path: string): Buffer | undefined {
	try {
		const about = statSync(path);
		return about.isFile() && about.size <= largestScript ? readFileSync(path) : undefined;
	} catch {
		return undefined;
	}
}
