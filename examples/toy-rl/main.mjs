/** `node examples/toy-rl/main.mjs [OPTIONS]`: builds what is not built, then trains; `--help` tells the options. */
import { prepare } from "../../scripts/prepare.mjs";
import { buildToyRl } from "./build.mjs";

prepare();
buildToyRl();
const { toyRl } = await import("./dist/command.js");

const stop = new AbortController();
process.once("SIGINT", () => stop.abort());
const say = (text) => process.stderr.write(`${text}\n`);
try {
	await toyRl(process.argv.slice(2), { write: (text) => console.log(text), say, signal: stop.signal });
} catch (error) {
	say(stop.signal.aborted ? "interrupted; with --keep FILE the same command goes on" : `toy-rl: ${error.message}`);
	if (error.remedy) say(error.remedy);
	process.exitCode = stop.signal.aborted ? 130 : (error.exitCode ?? 1);
}
