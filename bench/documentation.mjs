/**
 * Retrieval on a manual that people search in their own words: 26 questions on thirteen chapters of Node's own
 * documentation, written with the sections that answer them before anything had been ranked. Reports how often a passage
 * of such a section is among the first k. `node bench/documentation.mjs FOLDER [encoder…]`, where FOLDER holds the
 * chapters as HTML (Debian: /usr/share/doc/nodejs/api).
 */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSources } from "#corpus";
import { openTextEncoder } from "#encoders";
import { buildKnowledge, openKnowledge } from "#knowledge";

const chapters = "child_process cluster dns events os path process readline timers url util worker_threads zlib".split(
	" ",
);
/** A question, and how the headings of the sections begin that answer it. */
const questions = [
	["run a shell command and get everything it printed at once", "child_process.exec(", "child_process.execSync("],
	["start another Node program with a message channel to it", "child_process.fork("],
	["end a child program that takes too long", "subprocess.kill(", "child_process.exec(", "child_process.spawn("],
	["get the file name without its folder", "path.basename("],
	["make a relative path absolute", "path.resolve("],
	["ending of a file name", "path.extname("],
	["listen to something only the first time it happens", "emitter.once(", "Handling events only once", "events.once("],
	["warning that there are too many listeners", "emitter.setMaxListeners(", "events.defaultMaxListeners"],
	["stop a repeating timer", "clearInterval("],
	["sleep for half a second with await", "timersPromises.setTimeout(", "timersPromises.scheduler.wait("],
	["how much memory is unused on this computer", "os.freemem("],
	["how many processors does the computer have", "os.cpus(", "os.availableParallelism("],
	["folder of the current user", "os.homedir(", "os.userInfo("],
	["leave the program with an error status", "process.exit(", "process.exitCode"],
	["catch errors that nobody handled", "Event: 'uncaughtException'", "Warning: Using 'uncaughtException'"],
	["read what was given on the command line", "process.argv"],
	["ask the user something in the terminal", "rl.question(", "rlPromises.question("],
	["read a file line by line", "Example: Read file stream line-by-Line"],
	["send something to a thread", "worker.postMessage(", "port.postMessage("],
	["make data smaller before it goes over the network", "Compressing HTTP requests and responses", "zlib.gzip("],
	["turn an old callback function into one that can be awaited", "util.promisify("],
	["print an object with everything nested in it", "util.inspect(", "console.dir("],
	["are two objects equal in all their parts", "util.isDeepStrictEqual("],
	["change one parameter of the query of an address", "urlSearchParams.set("],
	["find the IP address of a computer's name", "dns.lookup(", "dns.resolve4(", "dnsPromises.lookup("],
	["let several processes answer on the same port", "How it works", "Cluster"],
];

const [folder = "/usr/share/doc/nodejs/api", ...encoders] = process.argv.slice(2);
const files = chapters.map((name) => join(folder, `${name}.html`)).filter((file) => existsSync(file));
if (files.length < chapters.length) {
	console.log(`bench/documentation: ${folder} does not hold the chapters, nothing measured`);
	process.exit(0);
}
const work = await mkdtemp(join(tmpdir(), "hopscope-documentation-"));
try {
	const { counts } = await readSources(files, { dir: join(work, "corpus"), name: "documentation" }, {});
	console.log(`${counts.passage} passages, ${questions.length} questions`);
	for (const name of [undefined, ...encoders]) {
		const text = name && (await openTextEncoder(name));
		const place = join(work, "knowledge");
		await buildKnowledge(join(work, "corpus"), place, { fresh: true, ...(text ? { encoders: { text } } : {}) });
		const knowledge = await openKnowledge(place);
		for (const mode of name ? ["dense", "hybrid"] : ["lexical", "dense", "hybrid"]) {
			const ranks = [];
			for (const [question, ...sections] of questions) {
				const found = await knowledge.search({ text: question, target: "passage", mode, k: 20 });
				const held = await Promise.all(found.map(({ id }) => knowledge.evidence(id)));
				ranks.push(held.findIndex((one) => sections.some((start) => one?.section?.startsWith(start))) + 1);
			}
			const hit = (k) => ranks.filter((rank) => rank > 0 && rank <= k).length;
			console.log(`${name ?? "characters"}, ${mode}: first ${hit(1)}, @3 ${hit(3)}, @5 ${hit(5)}, @20 ${hit(20)}`);
		}
		await knowledge.close();
		await text?.close?.();
	}
} finally {
	await rm(work, { recursive: true, force: true });
}
