import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { longTest } from "../long.ts";
import { makeSmallWorld } from "../small-world.ts";
import { type EndedCommand, runHere } from "../support/commands.ts";
import { damage, damagesOf, filesOf } from "./damage.ts";
import { canonical, makeWorld, settledFiles, startProvider, toldBadly } from "./world.ts";

/*
 * Every file of a workspace that a command reads again is damaged, and every command that may read it is given. Either it
 * says the same as before, or it says what is wrong, in words that name the file: nobody reads other numbers unawares.
 */

let base: string;
const index = ["index", join("WORLD", "documents"), "--name", "docs", "--json"];
const make = ["make", "template", "--graph", join("WORLD", "tables"), "--name", "made", "--set", "tasks=6", "--json"];
const on = (world: string, args: readonly string[]) => runHere([...args, "--workspace", join(world, "workspace")]);

/** Which commands are given over damaged files of a folder, what only reads before what writes. */
const readers: Record<string, string[][]> = {
	"runs/done": [
		["runs", "--json"],
		["report", "done", "--json"],
		["diagnose", "done", "--json"],
		["report", "done", "--format", "html", "--json"],
		["judge", "done", "-m", "rule", "--rubric", "tracer", "--json"],
		["score", "done", "--json"],
	],
	"runs/other": [["compare", "done", "other", "--json"]],
	"benchmarks/towns": [
		["runs", "--json"],
		["report", "done", "--json"],
		["benchmark", "check", "towns", "--json"],
	],
	"knowledge/towns": [
		["search", "inhabitants of Town 3", "-n", "towns", "--json"],
		["report", "done", "--json"],
	],
	"corpora/towns": [["benchmark", "check", "towns", "--json"]],
	"knowledge/docs": [["search", "Harbour 2", "-n", "docs", "--json"]],
	"corpora/docs": [["search", "Harbour 2", "-n", "docs", "--json"], index],
	"corpora/.docs.reading": [index, ["search", "Harbour 2", "-n", "docs", "--json"]],
	builds: [
		["make", "template", "--name", "made", "--funnel", "--json"],
		[...make, "--force"],
	],
	"benchmarks/made": [["benchmark", "check", "made", "--json"]],
	"benchmarks/lands": [
		["report", "lands", "--json"],
		["report", "lands", "--format", "html", "--json"],
		["run", "-b", "lands", "-a", "extractive", "--name", "again", "--json"],
	],
	"corpora/lands": [
		["report", "lands", "--format", "html", "--json"],
		["run", "-b", "lands", "-a", "extractive", "--name", "again", "--json"],
	],
	cache: [
		["runs", "--json"],
		["run", "-b", "towns", "-a", "closed-book", "-m", "openai:one@SERVER", "--name", "again", "--replay", "--json"],
	],
};

const readersOf = (file: string) => Object.entries(readers).find(([folder]) => file.startsWith(folder))?.[1] ?? [];

async function read(world: string, commands: readonly string[][]): Promise<Read[]> {
	const ended: Read[] = [];
	for (const args of commands) {
		const filled = args.map((arg) => arg.replace("WORLD", world).replace("SERVER", url));
		const command = await on(world, filled);
		ended.push({ ...command, name: args.join(" "), pages: args.includes("html") ? pagesIn(world) : "" });
	}
	return ended;
}

interface Read extends EndedCommand {
	name: string;
	/** What the written pages hold. */
	pages: string;
}

const pagesIn = (world: string) => JSON.stringify([...settledFiles(join(world, "workspace/reports"))]);

const copied = () => {
	const copy = mkdtempSync(join(tmpdir(), "hopscope-damage-"));
	cpSync(base, copy, { recursive: true, preserveTimestamps: true });
	return copy;
};

const undamaged = new Map<string, Promise<Read[]>>();
function undamagedOf(file: string): Promise<Read[]> {
	const commands = readersOf(file);
	const key = JSON.stringify(commands);
	const reading = undamaged.get(key) ?? inCopy((world) => read(world, commands));
	undamaged.set(key, reading);
	return reading;
}

async function inCopy<Result>(use: (world: string) => Promise<Result>): Promise<Result> {
	const world = copied();
	try {
		return await use(world);
	} finally {
		rmSync(world, { recursive: true, force: true });
	}
}

let url: string;
beforeAll(async () => {
	base = await makeWorld();
	await makeSmallWorld(join(base, "workspace"), { countries: 3 });
	const provider = await startProvider(0);
	url = provider.url;
	const made: string[][] = [
		["run", "-b", "towns", "-a", "closed-book", "-m", `openai:one@${url}`, "--name", "done"],
		["run", "-b", "towns", "-a", "tagged", "-m", `openai:several@${url}`, "--name", "other"],
		["run", "-b", "lands", "-a", "extractive", "--name", "lands"],
		["diagnose", "done"],
		["judge", "done", "-m", "rule", "--rubric", "tracer"],
		["report", "done", "--format", "html"],
		index,
		make,
	];
	for (const args of made) {
		const { code, err } = await on(
			base,
			args.map((arg) => arg.replace("WORLD", base)),
		);
		expect(code, err).toBe(0);
	}
	await provider.close();
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

/**
 * What nobody can know to be damaged: fewer answers are those of a run that is not done, which every table counts as
 * missing; a run without verdicts was not judged.
 */
const asIfNeverMade: [RegExp, RegExp][] = [
	[/records\.jsonl$/, /^(empty|gone|cut in the middle|last line torn)$/],
	[/verdicts\.jsonl$/, /^(empty|gone)$/],
];

const plain = (text: string) => canonical(text.replaceAll(/hopscope-(damage|faults)-[A-Za-z0-9]+/g, "WORLD"));

/** What the readers of a damaged file say that is wrong to say. */
async function problemsOf(file: string, how: string): Promise<string[]> {
	const before = await undamagedOf(file);
	return inCopy(async (world) => {
		damage(join(world, "workspace", file), damagesOf(file)[how] ?? ((content) => content));
		const after = await read(world, readersOf(file));
		return after.flatMap((ended, at) => {
			const was = before[at] as Read;
			// what a check finds is what it is asked for
			const isFinding = ended.name.startsWith("benchmark check") && ended.out.startsWith("{");
			const problems = isFinding ? [] : toldBadly({ ...ended, signal: null });
			const isSame =
				ended.code === was.code && plain(ended.out) === plain(was.out) && plain(ended.pages) === plain(was.pages);
			// a name is enough for a person to find the place: the file's, or that of what it belongs to
			const names = [basename(file).replace(/\.json$/, ""), ...file.split("/").slice(1, 2)];
			const isTold = names.some((name) => `${ended.err}${ended.code === 0 ? "" : ended.out}`.includes(name));
			const isUnscored = /not scored|the benchmark is not there/.test(ended.out) && !/not scored/.test(was.out);
			const isFewer = asIfNeverMade.some(([name, damages]) => name.test(file) && damages.test(how));
			if (!isSame && !isTold && !isUnscored && !isFewer)
				problems.push(`other than before and not told (exit code ${ended.code}): ${ended.err.slice(-300)}`);
			return problems.map((problem) => `${file}, ${how}: ${ended.name}: ${problem}`);
		});
	});
}

longTest.for(Object.keys(readers))("every damage to every file of %s is made good, or told", async (folder) => {
	const wrong: string[] = [];
	for (const file of filesOf(join(base, "workspace")).filter((name) => name.startsWith(folder)))
		for (const how of Object.keys(damagesOf(file))) wrong.push(...(await problemsOf(file, how)));
	expect(wrong).toEqual([]);
});

longTest("no kind of file is left out", () => {
	const known = (file: string) => Object.keys(readers).some((folder) => file.startsWith(folder));
	const left = filesOf(join(base, "workspace")).filter((file) => !known(file));
	// those of runs and bases that are like others of the list, and what only says when it was made
	expect(left.filter((file) => !/^(corpora|knowledge)\/(made|lands)|^runs\/lands/.test(file))).toEqual([]);
});
