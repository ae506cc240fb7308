/**
 * `node scripts/outputs.mjs [--check] [WORKSPACE]`: runs the commands that guides name in marks such as
 * `<!-- hopscope diagnose quickstart-extractive; paragraphs 1-2 -->` and puts what they print into the block below each. The
 * workspace is one in which the quick start ran (default: .hopscope). `--check` changes nothing and names each block that differs.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { hopscope } from "./pages.mjs";
import { root } from "./prepare.mjs";

const marked = /(<!-- hopscope (.+?)(?:; paragraphs (\d+)(?:-(\d+))?)? -->\n\n```\n)([\s\S]*?)(```)/g;

/** The blocks whose text is not what their command prints now, by page and command; written into the pages unless `check`. */
function refreshOutputs(workspace, { check }) {
	const changed = [];
	const printed = new Map();
	for (const name of readdirSync(join(root, "docs", "guides"))) {
		const page = join(root, "docs", "guides", name);
		const before = readFileSync(page, "utf8");
		const after = before.replace(marked, (whole, head, command, first, last, text, tail) => {
			if (!printed.has(command)) printed.set(command, printOf(command, workspace));
			const paragraphs = printed.get(command).split(/\n\n+/);
			const chosen = first ? paragraphs.slice(first - 1, last ?? first) : paragraphs;
			const now = `${chosen.join("\n\n")}\n`;
			if (now !== text) changed.push(`${name}: hopscope ${command}`);
			return now === text ? whole : `${head}${now}${tail}`;
		});
		if (!check && after !== before) writeFileSync(page, after);
	}
	return changed;
}

/** What a command prints, as in a checkout's own workspace. */
const printOf = (command, workspace) =>
	hopscope(command.split(" "), workspace)
		.trim()
		.replaceAll(` --workspace ${workspace}`, "")
		.replaceAll(workspace, ".hopscope")
		// names end in a hash of all that the run depends on, its version too; the rest of a name means it as well
		.replaceAll(/\b(quickstart-[a-z-]+)-[0-9a-f]{8}\b/g, "$1");

const check = process.argv.includes("--check");
const [workspace = ".hopscope"] = process.argv.slice(2).filter((word) => word !== "--check");
const changed = refreshOutputs(resolve(workspace), { check });
for (const one of changed) console.log(one);
if (check && changed.length > 0) process.exitCode = 1;
