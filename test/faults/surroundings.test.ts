import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect } from "vitest";
import { isLong, longDescribe, longTest } from "../long.ts";
import { canCut, makeNetwork, startLine } from "./network.ts";
import {
	begin,
	copyOf,
	type EndedProcess,
	leftovers,
	makeWorld,
	type Provider,
	recordLines,
	startProvider,
	toldBadly,
	towns,
} from "./world.ts";

/*
 * What happens around a run while it is under way: the disk is full or may not be written, the clock jumps, the process is
 * stopped for longer than its provider waits, the network is cut. In the end every task has one record, each right.
 */

let base: string;
let world: string;
let provider: Provider;
beforeAll(async () => {
	base = await makeWorld();
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const isRoot = process.getuid?.() === 0;
const canMount = isLong && isRoot && spawnSync("unshare", ["-m", "true"]).status === 0;
const run = (...more: string[]) => [
	...["run", "-b", "towns", "-a", "closed-book", "-m", `openai:one@${provider.url}`, "--name", "run"],
	...["--concurrency", "3", "--no-cache", ...more],
];
const workspace = () => join(world, "workspace");
const inWorkspace = (args: string[]) => [...args, "--workspace", workspace()];
const records = () => recordLines(join(workspace(), "runs/run"));
const resume = () => begin(inWorkspace(["run", "--resume", "run", "--no-cache"])).ended;

async function until(condition: () => boolean): Promise<void> {
	while (!condition()) await wait(5);
}

/** One final record a task, all right, and no call but those that are accounted for. */
function expectWhole(extraCalls = 0): void {
	expect(
		records()
			.map(({ task, stop }) => `${task} ${stop}`)
			.sort(),
	).toEqual(Array.from({ length: towns }, (_, n) => `t${n} answered`).sort());
	const scores = readFileSync(join(workspace(), "runs/run/scores.jsonl"), "utf8").trimEnd().split("\n");
	expect(scores.map((line) => (JSON.parse(line) as { outcome: string }).outcome)).toEqual(Array(towns).fill("right"));
	const calls = [...provider.calls().values()].reduce((sum, n) => sum + n, 0);
	expect(calls).toBeLessThanOrEqual(towns + extraCalls);
}

const expectTold = (end: EndedProcess) => expect(toldBadly(end)).toEqual([]);

/** A copy of the world and a provider of its own, gone afterwards. */
async function inWorld(use: () => Promise<void>, ms = 30): Promise<void> {
	world = copyOf(base);
	provider = await startProvider(ms);
	try {
		await use();
	} finally {
		await provider.close();
		rmSync(world, { recursive: true, force: true });
	}
}

longDescribe.skipIf(!canMount)("a full disk", () => {
	// pages of 4 kB: each size lets the run come a little further
	longTest.for([1, 2, 3, 4, 5, 6, 7, 8])(
		"of %i pages stops a run with words; with room again it goes on",
		async (pages) =>
			inWorld(async () => {
				const disk = join(workspace(), "runs");
				mkdirSync(disk);
				execFileSync("mount", ["-t", "tmpfs", "-o", `size=${pages * 4}k`, "tmpfs", disk]);
				try {
					const full = await begin(inWorkspace(run())).ended;
					expectTold(full);
					expect(full.code).toBe(1);
					expect(full.err).toMatch(/(no space is left|ENOSPC).*/);
					expect(full.err).toMatch(/runs\/run/);
					const before = records();
					execFileSync("mount", ["-o", "remount,size=4m", disk]);
					const { code, err } = existsSync(join(disk, "run/run.json"))
						? await resume()
						: await begin(inWorkspace(run())).ended;
					expect(code, err).toBe(0);
					expect(records().map(({ line }) => line)).toEqual(expect.arrayContaining(before.map(({ line }) => line)));
					expectWhole(3);
				} finally {
					execFileSync("umount", ["-l", disk]);
				}
			}),
	);
});

longTest.for(["EROFS", "EIO", "ENOSPC"])(
	"a disk that refuses writes in mid-run with %s stops it with words, and loses nothing",
	async (code) =>
		inWorld(async () => {
			const fault = { path: "runs/run/", fail: { at: 20, code } };
			const end = await begin(inWorkspace(run()), { fault }).ended;
			expectTold(end);
			expect(end.code).toBe(1);
			expect(end.err).toContain("runs/run");
			const before = records();
			expect(before.length).toBeGreaterThan(0);
			expect((await resume()).code).toBe(0);
			expect(records().map(({ line }) => line)).toEqual(expect.arrayContaining(before.map(({ line }) => line)));
			expectWhole(3);
		}),
);

longDescribe.skipIf(!canMount)("a workspace that may only be read", () => {
	longTest("is read all the same; what would write says what hinders it", async () =>
		inWorld(async () => {
			expect((await begin(inWorkspace(run())).ended).code).toBe(0);
			execFileSync("mount", ["--bind", workspace(), workspace()]);
			try {
				execFileSync("mount", ["-o", "remount,bind,ro", workspace()]);
				for (const args of [
					["runs"],
					["report", "run"],
					["compare", "run", "run"],
					["search", "Town 3", "-n", "towns"],
				]) {
					const read = await begin(inWorkspace(args)).ended;
					expectTold(read);
					if (args[0] !== "compare") expect(read.code, read.err).toBe(0);
				}
				for (const args of [
					[...run(), "--name", "other"],
					["run", "--resume", "run"],
					["score", "run"],
					["diagnose", "run"],
					["judge", "run", "-m", "rule"],
				])
					expectTold(await begin(inWorkspace(args)).ended);
			} finally {
				execFileSync("umount", ["-l", workspace()]);
			}
		}),
	);
});

longTest(
	"a clock that jumps a day back and five days on changes nothing, retries and bounds of time included",
	async () =>
		inWorld(async () => {
			const first = new Set<string>();
			provider.disturb((task) => {
				if (first.has(task)) return undefined;
				first.add(task);
				return { is: "status", status: 503, message: "overloaded" };
			});
			const clock = [
				{ at: 3, by: -86_400_000 },
				{ at: 9, by: 6 * 86_400_000 },
			];
			const fault = { path: "records\\.jsonl$", clock };
			const end = await begin(inWorkspace(run("--max-time", "1h")), { fault }).ended;
			expect(end.code, end.err).toBe(0);
			// each task was asked once more
			expectWhole(towns);
		}),
);

longTest("stopped for longer than its tasks may take, a run goes on; what ran out of time is tried again", async () =>
	inWorld(async () => {
		const { child, ended } = begin(inWorkspace(run("--timeout", "2")));
		await until(() => records().length >= 3);
		child.kill("SIGSTOP");
		await wait(4000);
		child.kill("SIGCONT");
		const end = await ended;
		expectTold(end);
		expect([0, 3]).toContain(end.code);
		if (end.code === 3) expect((await resume()).code).toBe(0);
		const answered = records().filter(({ stop }) => stop === "answered");
		expect(new Set(answered.map(({ task }) => task)).size).toBe(towns);
		expect(answered).toHaveLength(towns);
		// each attempt is recorded, those that ran out of time too
		const calls = [...provider.calls().values()].reduce((sum, n) => sum + n, 0);
		expect(calls).toBeLessThanOrEqual(records().length);
	}, 200),
);

longTest("the provider gone in mid-run, its port closed and its connections lost, costs no task", async () =>
	inWorld(async () => {
		const line = await startLine(provider.url);
		const given = run().map((arg) => arg.replace(provider.url, line.url));
		const { ended } = begin(inWorkspace(given));
		await until(() => records().length >= 3);
		await line.cut();
		await wait(3000);
		await line.mend();
		const { code, err } = await ended;
		expect(code, err).toBe(0);
		expectWhole(3);
		await line.cut();
	}, 100),
);

longDescribe.skipIf(!canCut)("a network of its own", () => {
	longTest("cut without a word for some seconds costs no task", async () =>
		inWorld(async () => {
			const network = makeNetwork();
			try {
				const line = await startLine(provider.url, network.host);
				const given = run().map((arg) => arg.replace(provider.url, line.url));
				const { ended } = begin(inWorkspace(given), { under: network.under });
				await until(() => records().length >= 3);
				network.cut();
				await wait(3000);
				network.mend();
				const { code, err } = await ended;
				expect(code, err).toBe(0);
				expectWhole(towns);
				await line.cut();
			} finally {
				network.remove();
			}
		}, 100),
	);
});

longTest(
	"the studio killed while it shows a run under way leaves the run alone, and opens again; the run killed leaves the studio",
	async () =>
		inWorld(async () => {
			const open = async () => {
				const { child, ended } = begin(inWorkspace(["studio", "--port", "0", "--json"]));
				const said = await new Promise<string>((resolve) =>
					child.stdout?.once("data", (part: Buffer) => resolve(part.toString())),
				);
				const { url } = JSON.parse(said) as { url: string };
				const ask = async (path: string) => (await fetch(new URL(path, url))).json() as Promise<unknown>;
				return { child, ended, ask };
			};
			const first = await open();
			const running = begin(inWorkspace(run()));
			await until(() => records().length >= 2);
			// its index is made, and is not done when the studio dies
			const asking = first.ask("/api/runs/run/rows").catch(() => undefined);
			await first.ask("/api/runs");
			first.child.kill("SIGKILL");
			await Promise.all([asking, first.ended]);
			await until(() => records().length >= 5);
			running.child.kill("SIGKILL");
			await running.ended;
			const second = await open();
			expect(await second.ask("/api/runs")).toMatchObject({ runs: [{ id: "run", done: records().length }] });
			expect((await resume()).code).toBe(0);
			expect(await second.ask("/api/runs")).toMatchObject({ runs: [{ id: "run", done: towns }] });
			expect(await second.ask("/api/runs/run/rows")).toMatchObject({ total: towns });
			second.child.kill("SIGKILL");
			await second.ended;
			expectWhole(3);
			expect(leftovers(workspace())).toEqual([]);
		}, 100),
);
