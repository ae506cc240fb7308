/**
 * `npm run funnels [-- NAME…]`: runs every recipe on its real input, with the scripted players of its tests in the place of
 * models, and writes what each stage let through into docs/recipes.md, published shares beside it. A recipe whose input is
 * not there is said not to have been run.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inputs } from "./funnel-inputs.mjs";
import { prepare, root, say } from "./prepare.mjs";

prepare();
const { funnelTable, markdownTable, runBuild, recipes } = await import("#recipes");

const page = join(root, "docs", "recipes.md");
const asked = process.argv.slice(2);
const dir = mkdtempSync(join(tmpdir(), "hopscope-funnels-"));
let failed = 0;
try {
	for (const [name, load] of Object.entries(recipes)) {
		if (asked.length > 0 && !asked.includes(name)) continue;
		say(`funnel of ${name}`);
		const begun = Date.now();
		const told = await funnelOf(name, await load());
		say(`funnel of ${name}: ${((Date.now() - begun) / 1000).toFixed(1)} s`);
		write(name, told);
	}
} finally {
	rmSync(dir, { recursive: true, force: true });
}
process.exitCode = failed > 0 ? 1 : 0;

async function funnelOf(name, recipe) {
	const input = inputs[name];
	if (!input) return "Not run: no input is written down for it in `scripts/funnel-inputs.mjs`.";
	const missing = input.reads.find((path) => !existsSync(join(root, path)));
	if (missing) return `Not run: ${missing} is not there.`;
	const opened = await input.open(join(dir, name), (path) => join(root, path));
	try {
		const { params = {}, mostUnits } = opened;
		const end = await runBuild(recipe, opened.inputs, join(dir, name, "build"), {
			...{ params, models: opened.models ?? {} },
			...(mostUnits === undefined ? {} : { mostUnits }),
		});
		const { accepted, faults, rows } = end.funnel;
		if (accepted === 0) failed += 1;
		// every player speaks as briefly as it can: its tokens say nothing about a model's
		const silent = rows.map((row) => ({ ...row, usage: { calls: row.usage.calls, inputTokens: 0, outputTokens: 0 } }));
		return `${input.what}. Settings beside the defaults: \`${JSON.stringify(params)}\`. Accepted: ${accepted}; faults: ${faults}.

${markdownTable(...funnelTable(silent))}`;
	} catch (error) {
		failed += 1;
		return `Not run to its end: ${error.message}.`;
	} finally {
		opened.close?.();
	}
}

/** Puts a funnel between its marks, or behind all others. */
function write(name, told) {
	const before = readFileSync(page, "utf8");
	const [begin, end] = [`<!-- funnel ${name} -->`, `<!-- end of funnel ${name} -->`];
	const part = `${begin}\n\n### \`${name}\`\n\n${told}\n\n${end}`;
	const at = before.indexOf(begin);
	const until = before.indexOf(end);
	const after =
		at === -1 || until === -1
			? `${before.trimEnd()}\n\n${part}\n`
			: `${before.slice(0, at)}${part}${before.slice(until + end.length)}`;
	if (after !== before) writeFileSync(page, after);
}
