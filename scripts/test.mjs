/**
 * `npm test`: makes the checkout ready, then runs the tests, and writes the outcome of each to
 * .hopscope/test-results.json. `npm run test:long` runs the long ones alone, and writes to
 * .hopscope/test-long-results.json. `--room NAME` runs the tests of one room. Property tests draw from one constant
 * seed; `--explore` draws from a fresh one and names it, `--seed N` from that one again. `--results NAME` writes the
 * outcomes to another file there. The rest goes to Vitest.
 */
import { randomInt } from "node:crypto";
import { rooms } from "../rooms.mjs";
import { prepare, root, run, say } from "./prepare.mjs";
import { recordTestTime } from "./processor-time.mjs";

// before anything is installed or built: a mistyped option must cost nothing
const { long, seed, results, rest } = optionsIn(process.argv.slice(2));
prepare();
if (long) say(seed === undefined ? "the long tests alone" : "all tests, the long ones too");
if (seed !== undefined) say(`property tests draw from seed ${seed}`);
const runTests = () =>
	run(
		process.execPath,
		[
			`${root}/node_modules/vitest/vitest.mjs`,
			"run",
			"--reporter=default",
			"--reporter=json",
			`--outputFile.json=.hopscope/${results ?? `test${long ? "-long" : ""}-results.json`}`,
			...rest,
		],
		{
			env: {
				...process.env,
				...(long ? { HOPSCOPE_LONG_TESTS: "1" } : {}),
				...(seed === undefined ? {} : { HOPSCOPE_PROPERTY_SEED: String(seed) }),
			},
		},
	);
// only a whole run tells what the tests cost
process.exitCode = long || results || rest.length > 0 ? runTests() : recordTestTime(runTests);
if (seed !== undefined && process.exitCode !== 0)
	say(`to draw the same again: npm run ${long ? "test:long" : "test"} -- --seed ${seed}`);

function optionsIn(args) {
	let long = false;
	let explore = false;
	let seed;
	let results;
	const rest = [];
	for (let at = 0; at < args.length; at += 1) {
		const [name, given] = args[at].split(/=(.*)/s);
		if (args[at] === "--long") long = true;
		else if (args[at] === "--explore") explore = true;
		else if (name === "--explore") refuse("--explore takes no value; --seed N draws from a seed of your choice.");
		else if (name === "--seed") seed = seedIn(given ?? args[++at]);
		else if (name === "--results") results = given ?? args[++at] ?? refuse("--results takes the name of a file.");
		else if (name === "--room") rest.push(...foldersOf(given ?? args[++at]));
		else rest.push(args[at]);
	}
	if (explore && seed !== undefined) refuse("--explore draws a seed and --seed names one; give one of the two.");
	return { long, results, rest, seed: explore ? randomInt(2 ** 31) : seed };
}

/** The pages of the studio lie in a folder of their own. */
function foldersOf(room = "") {
	if (!Object.hasOwn(rooms, room))
		refuse(`there is no room "${room}". The rooms are: ${Object.keys(rooms).join(", ")}.`);
	return [`src/${room}/`, ...(room === "studio" ? ["studio/src/"] : [])];
}

/** fast-check's seeds are whole numbers of 32 bits. */
function seedIn(text = "") {
	const seed = Number(text);
	if (!/^-?\d+$/.test(text) || seed !== (seed | 0)) refuse(`--seed takes a whole number of 32 bits, not "${text}".`);
	return seed;
}

function refuse(message) {
	say(message);
	process.exit(1);
}
