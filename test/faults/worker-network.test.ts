import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import { longTest } from "../long.ts";
import { hasQueueServer, natsServer } from "../support/nats-server.ts";
import { canCut, makeNetwork, startLine } from "./network.ts";
import { begin, leftovers, makeWorld, recordLines, startProvider } from "./world.ts";

const tasks = 40;
const lease = 2;

longTest.skipIf(!canCut || !hasQueueServer)(
	"a worker whose network is cut for longer than the lease comes back too late, and each task is answered once",
	async () => {
		const world = await makeWorld(tasks);
		const [provider, server, network] = [await startProvider(600), await natsServer(), makeNetwork()];
		const asks = await startLine(provider.url, network.host);
		const takes = await startLine(server.url, network.host);
		const common = ["--workspace", join(world, "workspace")];
		const worker = (queue: string, under: string[] = []) =>
			begin(["worker", "--queue", queue, "--concurrency", "2", ...common], { under });
		const records = () => recordLines(join(world, "workspace/runs/one"));
		const until = async (condition: () => boolean) => {
			while (!condition()) await wait(20);
		};
		try {
			const away = worker(takes.url.replace(/^http(.*)\/v1$/, "nats$1"), network.under);
			const model = ["-b", "towns", "-a", "closed-book", "-m", `openai:one@${asks.url}`, "--no-cache"];
			const over = ["--queue", server.url, "--queue-lease", String(lease)];
			const run = begin(["run", "--name", "one", ...model, ...over, ...common]);
			await until(() => records().length >= 4);
			// what the worker has asked then is answered only when nobody hears it
			const held = new Map<string, () => void>();
			provider.disturb((task) => new Promise((answer) => held.set(task, () => answer(undefined))));
			await until(() => held.size === 2);
			network.cut();
			provider.disturb();
			for (const answer of held.values()) answer();
			const present = worker(server.url);
			await wait(2.5 * lease * 1000);
			network.mend();
			const { code, err } = await run.ended;
			// what was on its way arrives when it is sent again
			await wait(2000);
			for (const { child } of [away, present]) child.kill("SIGTERM");
			const [late, other] = await Promise.all([away.ended, present.ended]);
			expect([code, late.code, other.code], err).toEqual([0, 0, 0]);
			expect(late.err).toMatch(/came too late/);
			expect(
				records()
					.map(({ task, stop }) => `${task} ${stop}`)
					.sort(),
			).toEqual(Array.from({ length: tasks }, (_, n) => `t${n} answered`).sort());
			const asked = [...provider.calls().values()].reduce((sum, n) => sum + n, 0);
			expect(asked).toBeLessThanOrEqual(tasks + 2);
			expect(leftovers(world)).toEqual([]);
		} finally {
			await Promise.all([asks.cut(), takes.cut()]);
			network.remove();
			await provider.close();
			await server.remove();
			rmSync(world, { recursive: true, force: true });
		}
	},
);
