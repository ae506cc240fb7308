import { rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect } from "vitest";
import { isExploring, longTest } from "../long.ts";
import { type ActorName, actors, killed, type Moment, type Undisturbed, undisturbed } from "./kills.ts";
import { points } from "./points.ts";
import { begin, makeWorld, startProvider } from "./world.ts";

let base: string;
const references = new Map<ActorName, Promise<Undisturbed>>();
const referenceOf = (name: ActorName) => {
	const known = references.get(name) ?? undisturbed(name, base);
	references.set(name, known);
	return known;
};

beforeAll(async () => {
	base = await makeWorld();
	const provider = await startProvider(0);
	const done = ["run", "-b", "towns", "-a", "closed-book", "-m", `openai:one@${provider.url}`, "--name", "done"];
	const { code, err } = await begin([...done, "--workspace", join(base, "workspace")]).ended;
	await provider.close();
	expect(code, err).toBe(0);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

longTest(
	"killed in mid-line of a record, and with half its scores written, a run ends as if nobody had killed it",
	async () => {
		const name = "run of one call";
		const reference = await referenceOf(name);
		const moments: Moment[] = [
			{ step: { path: "records\\.jsonl$", at: 6, when: "torn" } },
			{ step: { path: "scores\\.jsonl.*part$", at: 2, when: "torn" } },
		];
		expect(await killed(name, moments, { base, reference })).toEqual({ died: 2, problems: [] });
	},
);

longTest.for(points)(
	"$actor, killed with $what, leaves what an undisturbed one leaves once it is given again",
	async ({ actor, step }) => {
		const reference = await referenceOf(actor);
		const { died, problems } = await killed(actor, [{ step }], { base, reference });
		expect(problems).toEqual([]);
		expect(died).toBe(1);
	},
);

longTest.for(Object.keys(actors) as ActorName[])(
	"%s leaves the same twice, so that what a kill changes is seen",
	async (actor) => {
		const { problems } = await killed(actor, [], { base, reference: await referenceOf(actor) });
		expect(problems).toEqual([]);
	},
);

/** Every actor by its share, each time with up to three moments, drawn from the seed of the property tests. */
function draws(): { name: ActorName; kills: Kill[] }[] {
	const kill = fc.record({
		at: fc.noBias(fc.integer({ min: 0, max: 999 })).map((thousandths) => thousandths / 1000),
		how: fc.constantFrom("before", "torn", "after", "time"),
	});
	return Object.entries(actors).flatMap(([name, actor]) => {
		const wanted = actor.share;
		const { seed } = fc.readConfigureGlobal();
		const kills = fc.sample(kill, { numRuns: wanted, ...(seed === undefined ? {} : { seed }) });
		const each = "run" in actor ? 3 : 1;
		return Array.from({ length: Math.ceil(wanted / each) }, (_, n) => ({
			name: name as ActorName,
			kills: kills.slice(n * each, (n + 1) * each),
		}));
	});
}

interface Kill {
	at: number;
	how: string;
}

const momentOf = ({ at, how }: Kill, { steps, ms }: Undisturbed): Moment =>
	how === "time"
		? { after: at * ms }
		: { step: { path: "", at: 1 + Math.floor(at * steps), when: how as "before" | "torn" | "after" } };

longTest.runIf(isExploring)(
	"killed at random moments, again and again, every command ends as if nobody had killed it",
	async () => {
		const queue = draws();
		const wrong: string[] = [];
		const died: Record<string, number> = {};
		const work = async () => {
			for (let next = queue.shift(); next; next = queue.shift()) {
				const { name, kills } = next;
				const reference = await referenceOf(name);
				const moments = kills.map((one) => momentOf(one, reference));
				const told = await killed(name, moments, { base, reference });
				died[name] = (died[name] ?? 0) + told.died;
				if (told.problems.length > 0) wrong.push([`${name} ${JSON.stringify(moments)}`, ...told.problems].join("\n"));
			}
		};
		await Promise.all([work(), work()]);
		process.stdout.write(`kills: ${JSON.stringify(died)}\n`);
		expect(wrong).toEqual([]);
	},
);
