/**
 * `npm run funnels [-- NAME…]`: runs every recipe on its real input, with the scripted players of its tests in the place of
 * models, and writes what each stage let through into docs/recipes.md, published shares beside it. A recipe whose input is
 * not there is said not to have been run. Beside the funnels it writes what plans said of these builds: one made before anything
 * was asked, one made after a preview, and what the build did.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inputs } from "./funnel-inputs.mjs";
import { prepare, root, say } from "./prepare.mjs";

prepare();
const { funnelTable, markdownTable, planOf, runBuild, recipes } = await import("#recipes");

const page = join(root, "docs", "recipes.md");
const asked = process.argv.slice(2);
const dir = mkdtempSync(join(tmpdir(), "hopscope-funnels-"));
let failed = 0;
/** A line a recipe: what plans said and what came. */
const plans = [];
try {
	for (const [name, load] of Object.entries(recipes)) {
		if (asked.length > 0 && !asked.includes(name)) continue;
		say(`funnel of ${name}`);
		const begun = Date.now();
		const told = await funnelOf(name, await load());
		say(`funnel of ${name}: ${((Date.now() - begun) / 1000).toFixed(1)} s`);
		write(name, told);
	}
	if (plans.length > 0) writePlans();
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
		const { params = {}, mostUnits, models = {} } = opened;
		const options = { params, models, ...(mostUnits === undefined ? {} : { mostUnits }) };
		const plan = (more) => planOf(recipe, opened.inputs, { ...options, price: () => undefined, ...more });
		const build = (to, more) => runBuild(recipe, opened.inputs, join(dir, name, to), { ...options, ...more });
		const before = await plan({});
		const end = await build("build", {});
		const { accepted, faults, rows } = end.funnel;
		if (Object.keys(models).length === 0) plans.push({ name, before, truth: { calls: 0, accepted } });
		else {
			const preview = await build("preview", { items: 3 });
			const after = await plan({ measured: preview.funnel.rows });
			const truth = { calls: callsOf(end), accepted };
			plans.push({ name, before, after, preview: callsOf(preview), truth });
		}
		if (accepted === 0) failed += 1;
		// every player speaks as briefly as it can: its tokens say nothing about a model's
		const silent = rows.map((row) => ({ ...row, usage: { calls: row.usage.calls, inputTokens: 0, outputTokens: 0 } }));
		return `${input.what}. Settings beside the defaults: \`${JSON.stringify(params)}\`. Accepted: ${accepted}; faults: ${faults}.

${markdownTable(...funnelTable(silent))}`;
	} catch (error) {
		failed += 1;
		return `Not run to its end: ${error.message}.`;
	} finally {
		await opened.close?.();
	}
}

function callsOf({ funnel }) {
	return funnel.rows.reduce((sum, { asked }) => sum + (asked?.usage.calls ?? 0), 0);
}

/** What plans said beside what came. */
function writePlans() {
	const range = ({ expected, low, high }) => `${whole(expected)} (${whole(low)}–${whole(high)})`;
	const whole = (value) => Math.round(value).toLocaleString("en");
	const times = (told, truth) => (told.calls.expected / truth).toFixed(2);
	const head = [
		"recipe",
		"calls made",
		"planned before",
		"times",
		"calls of a preview of 3",
		"planned after it",
		"times",
	];
	const asking = plans.filter(({ after }) => after);
	const lines = asking.map(({ name, before, after, preview, truth: { calls } }) => [
		...[name, whole(calls), range(before.calls), times(before, calls)],
		...[whole(preview), range(after.calls), times(after, calls)],
	]);
	const accepted = plans.map(({ name, before, after, truth }) => [
		...[name, truth.accepted, range(before.accepted), after ? range(after.accepted) : ""],
	]);
	const told = [
		markdownTable(head, lines),
		markdownTable(["recipe", "items accepted", "planned before", "planned after the preview"], accepted),
	];
	put("plans", told.join("\n\n"));
}

/** Puts a funnel between its marks, or behind all others. */
function write(name, told) {
	put(`funnel ${name}`, `### \`${name}\`\n\n${told}`);
}

function put(name, told) {
	const before = readFileSync(page, "utf8");
	const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
	const part = `${begin}\n\n${told}\n\n${end}`;
	const at = before.indexOf(begin);
	const until = before.indexOf(end);
	const after =
		at === -1 || until === -1
			? `${before.trimEnd()}\n\n${part}\n`
			: `${before.slice(0, at)}${part}${before.slice(until + end.length)}`;
	if (after !== before) writeFileSync(page, after);
}
