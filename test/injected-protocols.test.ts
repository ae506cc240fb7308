import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBenchmark } from "#benchmarks";
import { openKnowledge } from "#knowledge";
import {
	type PlayedFault,
	passagesOf,
	playedProtocols,
	playedTable,
	runPlayed,
	wordTasks,
} from "./injected-protocols.ts";
import { makeSmallWorld } from "./small-world.ts";

const folder = mkdtempSync(join(tmpdir(), "hopscope-protocols-"));
let opened: Awaited<ReturnType<typeof open>>;

async function open() {
	const { evidence, knowledge, benchmark } = await makeSmallWorld(join(folder, "world"), { countries: 12 });
	return {
		benchmark: await openBenchmark(benchmark),
		knowledge: await openKnowledge(knowledge),
		passages: await passagesOf(evidence),
	};
}
beforeAll(async () => {
	opened = await open();
});
afterAll(async () => {
	await opened.knowledge.close();
	rmSync(folder, { recursive: true, force: true });
});

const played: Record<string, { fault: PlayedFault; tasks: number }> = {
	"function-calling, silent": { fault: "bad-query", tasks: 12 },
	"function-calling, with words": { fault: "misread", tasks: 12 },
	"search-r1": { fault: "hallucinated-entity", tasks: 12 },
	stepwise: { fault: "skipped-hop", tasks: 12 },
	"an observed program": { fault: "stop-early", tasks: 4 },
};

test.each(
	playedProtocols,
)("what is played in $name is what is recorded, and is called what it is", async (protocol) => {
	const { fault, tasks: most } = played[protocol.name] ?? { fault: "none", tasks: 12 };
	const tasks = wordTasks(opened.benchmark.tasks).slice(0, most);
	const run = await runPlayed({ protocol, fault }, { ...opened, tasks, dir: join(folder, protocol.agent + fault) });
	expect(run.differences).toEqual([]);
	expect(run.asLogged.differing).toEqual([]);
	expect(Object.keys(run.shows)).toEqual([protocol.observability]);
	const { asked, struck, missed, cut } = run.counts;
	expect(struck + missed + cut).toBe(asked);
	expect(struck).toBeGreaterThan(0);
	const right = run.attributed.filter(({ outcome }) => outcome === "right");
	expect(right.length / struck).toBeGreaterThanOrEqual(0.5);
	expect(playedTable([run]).split("\n")[2]).toMatch(new RegExp(`^\\| ${protocol.name.replaceAll("-", " ")} \\| `));
});
