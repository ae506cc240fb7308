/**
 * `npm run test:stress`: the usual tests while four busy loops compete for the processor, their files in a random order.
 * `--times N` repeats that with a new order each time. The first red run ends it and reports the seed of its order, which
 * `--sequence.seed=SEED` repeats. Further arguments go to `npm test`. Results go to .hopscope/test-stress-results.json.
 */
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { prepare, root, run, say } from "./prepare.mjs";

const args = process.argv.slice(2);
const times = timesIn(args);
const named = args.find((arg) => arg.startsWith("--sequence.seed="));
prepare();
// each ends by itself when this process is gone, however that ended
const loop = `while (process.ppid === ${process.pid}) for (let n = 0; n < 1e8; n += 1);`;
const loops = Array.from({ length: 4 }, () => spawn(process.execPath, ["-e", loop], { stdio: "ignore" }));
try {
	for (let time = 1; time <= times && !process.exitCode; time += 1) {
		const seed = named ?? `--sequence.seed=${randomInt(2 ** 31)}`;
		say(`stressed run ${time} of ${times}: ${seed}`);
		const own = ["--results=test-stress-results.json", "--sequence.shuffle.files"];
		process.exitCode = run(process.execPath, [`${root}/scripts/test.mjs`, ...own, ...new Set([seed, ...args])]);
		if (process.exitCode)
			say(`run ${time} failed. Repeat its order: npm run test:stress -- ${[...new Set([seed, ...args])].join(" ")}`);
	}
} finally {
	for (const child of loops) child.kill("SIGKILL");
}

/** Takes `--times N` out of the arguments. */
function timesIn(args) {
	const at = args.findIndex((arg) => /^--times(=|$)/.test(arg));
	if (at === -1) return 1;
	const [option, next] = args.splice(at, args[at] === "--times" ? 2 : 1);
	const times = Number(next ?? option.split("=")[1]);
	if (Number.isInteger(times) && times > 0) return times;
	say("--times takes a whole number of at least 1.");
	process.exit(1);
}
