import { rmSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, expect } from "vitest";
import { isExploring, longTest } from "../long.ts";
import { hasQueueServer, longQueueTest } from "../support/nats-server.ts";
import { aloneIn, type Death, type Disturbances, disturbed, tasks } from "./machines.ts";
import { makeWorld } from "./world.ts";

let base: string;
let reference: Map<string, string>;
beforeAll(async () => {
	if (!hasQueueServer) return;
	base = await makeWorld(tasks);
	reference = await aloneIn(base);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const sent = (pattern: string, at: number, when: "before" | "torn" | "after"): Death => ({
	fault: { sent: pattern, kill: { at, when } },
});
const written = (path: string, at: number, when: "before" | "torn"): Death => ({ fault: { path, kill: { at, when } } });

longQueueTest(
	"a worker killed with its answer half sent, and the run with a record half written, cost nothing",
	async () => {
		const told = await disturbed(
			{ run: [written("records\\.jsonl$", 8, "torn")], workers: [[sent('"is":"result"', 2, "torn")]] },
			{ base, reference },
		);
		expect(told).toMatchObject({ hits: { run: 1, worker: 1 }, problems: [] });
	},
);

/** What happens at which step, by name. */
const points: ({ what: string } & Disturbances)[] = [
	{ what: "a worker killed as it asks for a task", workers: [[sent("CONSUMER\\.MSG\\.NEXT", 3, "before")]] },
	{ what: "a worker killed with a beginning half sent", workers: [[sent('"is":"start"', 2, "torn")]] },
	{ what: "a worker killed when it has begun and asked nobody", workers: [[sent('"is":"start"', 2, "after")]] },
	{ what: "a worker killed with an answer that it has not sent", workers: [[sent('"is":"result"', 1, "before")]] },
	{ what: "a worker killed with its answer half sent", workers: [[], [sent('"is":"result"', 3, "torn")]] },
	{ what: "a worker killed whose answer is there, and its task too", workers: [[sent('"is":"result"', 2, "after")]] },
	{ what: "a worker killed as it hands a task back to the queue as done", workers: [[sent("\\+ACK", 2, "torn")]] },
	{
		what: "every worker killed with its answers, twice",
		workers: Array(3).fill([sent('"is":"result"', 1, "before"), sent('"is":"start"', 1, "after")]),
	},
	{ what: "the run killed with its announcement half sent", run: [sent("hopscope\\.run", 1, "torn")] },
	{ what: "the run killed with its first task half sent", run: [sent("hopscope\\.job", 1, "torn")] },
	{ what: "the run killed with some tasks sent", run: [sent("hopscope\\.job", 1, "after")] },
	{ what: "the run killed with an answer heard, not written", run: [written("records\\.jsonl$", 4, "before")] },
	{ what: "the run killed with a record written, not flushed", run: [written("records\\.jsonl$", 7, "before")] },
	{ what: "the run killed with all written, nothing tidied up", run: [sent("PURGE\\.HOPSCOPE_MARKS", 1, "before")] },
	{ what: "the run killed in the midst of tidying up", run: [sent("PURGE\\.HOPSCOPE_RUNS", 1, "before")] },
	{ what: "the run killed with its scores half written", run: [written("scores\\.jsonl\\.[^/]*part$", 2, "torn")] },
	{ what: "the queue's server killed", server: [{ recorded: 9, forgets: false }] },
	{ what: "the queue's server killed, and all it stored gone", server: [{ recorded: 9, forgets: true }] },
	{
		what: "the run killed, and the queue's server while it is away",
		run: [written("records\\.jsonl$", 12, "torn")],
		server: [{ recorded: 11, forgets: false }],
	},
	{ what: "a worker stopped for longer than the lease", stops: [{ worker: 0, recorded: 9 }] },
	{ what: "a worker stopped as it says that it begins", stops: [{ worker: 0, sent: '"is":"start"', at: 3 }] },
	{ what: "a worker stopped as it gives its answer", stops: [{ worker: 0, sent: '"is":"result"', at: 3 }] },
	{ what: "a worker stopped as it asks for a task", stops: [{ worker: 0, sent: "CONSUMER\\.MSG\\.NEXT", at: 3 }] },
];
longQueueTest.for(points.map(({ what, ...happens }) => [what, happens] as const))(
	"%s, a run leaves what one process leaves",
	async ([_, happens]) => {
		const told = await disturbed(happens, { base, reference });
		expect(told.problems).toEqual([]);
		const wanted = [happens.run, happens.workers?.flat(), happens.stops, happens.server].map((all) => all?.length ?? 0);
		const { run, worker, stop, server, emptied } = told.hits;
		expect([run, worker, stop, server + emptied]).toEqual(wanted);
	},
);

const when = fc.constantFrom("before" as const, "torn" as const, "after" as const);
const moment = (least: number) => fc.integer({ min: least, max: 6000 });
const step = (key: "sent" | "path", most: number) =>
	fc.record({ at: fc.integer({ min: 1, max: most }), when }).map((kill): Death => ({ fault: { [key]: "", kill } }));
/** Every process of a run with what befalls it, drawn. */
const drawn: fc.Arbitrary<Required<Disturbances>> = fc.noShrink(
	fc.record({
		run: fc.array(
			fc.oneof(
				moment(500).map((after) => ({ after })),
				step("sent", 150),
				step("path", 100),
			),
			{
				maxLength: 3,
			},
		),
		workers: fc.array(
			fc.array(
				fc.oneof(
					moment(500).map((after) => ({ after })),
					step("sent", 60),
				),
				{ maxLength: 2 },
			),
			{ minLength: 3, maxLength: 3 },
		),
		stops: fc.array(fc.record({ worker: fc.nat({ max: 2 }), after: moment(1000) }), { maxLength: 1 }),
		server: fc.array(
			fc.record({
				after: moment(1000),
				forgets: fc.oneof({ weight: 2, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
			}),
			{ maxLength: 2 },
		),
	}),
);
/** About five kills and stops a run. */
const explored = 40;

longTest.runIf(isExploring && hasQueueServer)(
	"whatever is killed, stopped or forgotten at random moments, a run leaves what one process leaves",
	async () => {
		const { seed } = fc.readConfigureGlobal();
		const draws = fc.sample(drawn, { numRuns: explored, ...(seed === undefined ? {} : { seed }) });
		const wrong: string[] = [];
		const sums: Record<string, number> = { runs: 0, asked: 0, refused: 0 };
		const add = (counts: Record<string, number>) => {
			for (const [key, count] of Object.entries(counts)) sums[key] = (sums[key] ?? 0) + count;
		};
		const work = async () => {
			for (let next = draws.shift(); next; next = draws.shift()) {
				const { hits, asked, refused, problems } = await disturbed(next, { base, reference });
				add({ ...hits, runs: 1, asked, refused });
				if (problems.length > 0) wrong.push([JSON.stringify(next), ...problems].join("\n"));
			}
		};
		await Promise.all([work(), work()]);
		process.stdout.write(`hit: ${JSON.stringify(sums)}\n`);
		expect(wrong).toEqual([]);
	},
);
