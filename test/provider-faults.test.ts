/**
 * Runs over providers that fail, by the command line and over real HTTP: a run ends by itself, every task gets its one
 * answer, no failure is taken for a wrong answer, and the server counts no call that nobody needed.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { RunRecord } from "#domain";
import { type ReplyServer, replyServer, type ServedReply, type ServedRequest } from "#models";
import { sha256 } from "#store";
import { start } from "./command-line.ts";
import { longTest } from "./long.ts";
import { selfSigned } from "./support/certificate.ts";
import { commandsOn, makeTowns } from "./support/commands.ts";

const few = 40;
let workspace: string;
let server: ReplyServer;
const hopscope = commandsOn(() => workspace);

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-provider-faults-"));
	await makeTowns(workspace, { towns: few });
});
afterEach(async () => {
	await server.close();
	for (const left of ["runs", "cache", "hopscope.json"])
		await rm(join(workspace, left), { recursive: true, force: true });
});
afterAll(() => rm(workspace, { recursive: true, force: true }));

const tooMuch = " ".repeat(10_000_000);
const body = (text: string): ServedReply => ({ is: "body", body: text });
const refusal = (status: number, headers?: Record<string, string>): ServedReply => ({
	...{ is: "status", status, message: "Try again later" },
	...(headers && { headers }),
});

/** What a provider does instead of answering, and what it stops doing after a while. */
const faults: Record<string, () => ServedReply> = {
	"429 with a wait in seconds": () => refusal(429, { "retry-after": "1" }),
	"429 with a wait in milliseconds": () => refusal(429, { "retry-after-ms": "30" }),
	"429 with a date": () => refusal(429, { "retry-after": new Date(Date.now() + 1000).toUTCString() }),
	"429 without a wait": () => refusal(429),
	"500": () => refusal(500),
	"502 with a page": () => ({ is: "body", status: 502, body: "<h1>Bad gateway</h1>", contentType: "text/html" }),
	"503 with a wait": () => refusal(503, { "retry-after": "1" }),
	"529": () => refusal(529),
	"a reset before the answer": () => ({ is: "reset" }),
	"a reset within the answer": () => ({ is: "cut" }),
	"10 MB of JSON": () => body(JSON.stringify({ choices: [{ message: { content: tooMuch } }] })),
	"10 MB of nothing": () => body(tooMuch),
	"in a 200: JSON that is cut off": () => body('{"choices":[{"message":{"content":"<answer>1</answ'),
	"in a 200: a page": () => ({ is: "body", body: "<html>Sign in</html>", contentType: "text/html" }),
	"in a 200: nothing": () => body(""),
	"in a 200: null": () => body("null"),
	"in a 200: no choices": () => body('{"choices":[],"content":{},"candidates":[]}'),
	"in a 200: the error of a gateway": () => body('{"error":{"code":503,"message":"upstream"}}'),
	"in a 200: a limit": () => body('{"error":{"type":"rate_limit_error","message":"slow down"}}'),
	"in a 200: an error in a word": () => body('{"error":"overloaded"}'),
};

const townOf = ({ body: sent }: ServedRequest) =>
	[...JSON.stringify(sent).matchAll(/inhabitants has Town (\d+)/g)].at(-1)?.[1] ?? "none";
const right = (town: string) => `<answer>${town}00</answer>`;

/** Drawn from a seed, from 0 to 1: the same for the same words. */
const drawn = (...words: (string | number)[]) => Number.parseInt(sha256(words.join(" ")).slice(0, 8), 16) / 2 ** 32;

/** A server that answers every question rightly, once it has played what `fault` says of a town's n-th call. */
async function serve(
	fault: (town: string, nth: number) => ServedReply | undefined,
	options?: Parameters<typeof replyServer>[1],
): Promise<{ played: () => number }> {
	let played = 0;
	const asked = new Map<string, number>();
	server = await replyServer((request) => {
		const town = townOf(request);
		const nth = asked.get(town) ?? 0;
		asked.set(town, nth + 1);
		const reply = fault(town, nth);
		if (reply) played += 1;
		return reply ?? right(town);
	}, options);
	return { played: () => played };
}

const run = (form: string, ...more: string[]) =>
	hopscope("run", "-b", "towns", "-a", "tagged", "-m", `${form}:m@${server.url}`, "--json", ...more);

async function recordsOf(id: string): Promise<RunRecord[]> {
	const text = await readFile(join(workspace, "runs", id, "records.jsonl"), "utf8");
	return text
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line) as RunRecord);
}

/** Every task has its one right answer, and what the command says of the run is just that. */
async function expectWhole({ code, json, err }: Awaited<ReturnType<typeof run>>, towns = few): Promise<void> {
	expect(code, err).toBe(0);
	const { run: id, reason, runs } = json();
	expect([reason, runs[0]?.scored, runs[0]?.metrics.accuracy.value]).toEqual(["complete", towns, 1]);
	const records = await recordsOf(id);
	expect(new Set(records.map(({ task }) => task)).size).toBe(towns);
	expect(records.map(({ task, trajectory: { stop, answer } }) => [task, stop, answer])).toEqual(
		records.map(({ task }) => [task, "answered", `${task.slice(1)}00`]),
	);
}

describe("failures that pass", () => {
	longTest("of every kind in one run cost no task, and one call each", async () => {
		const kinds = Object.values(faults);
		const left = [...kinds];
		const { played } = await serve((_, nth) => (nth === 0 ? left.shift()?.() : undefined));
		await expectWhole(await run("openai", "--concurrency", String(few)));
		expect([played(), server.requests.length]).toEqual([kinds.length, few + kinds.length]);
	});

	describe.each(["openai", "anthropic", "google"])("%s", (form) => {
		longTest.each(Object.entries(faults))("%s, at three calls of ten", async (kind, reply) => {
			const { played } = await serve((town, nth) => (drawn(form, kind, town, nth) < 0.3 ? reply() : undefined));
			await expectWhole(await run(form, "--concurrency", "16"));
			expect(played()).toBeGreaterThan(0);
			expect(server.requests.length).toBe(few + played());
		});
	});

	longTest("a reply that comes byte by byte is waited for", async () => {
		await serve((town) => (Number(town) % 8 === 0 ? { is: "drip", text: right(town), everyMs: 1 } : undefined));
		await expectWhole(await run("openai", "--concurrency", "24"));
		expect(server.requests.length).toBe(few);
	});

	longTest("a reply of a byte a second is given up after three minutes and asked for again", async () => {
		const { played } = await serve((town, nth) =>
			Number(town) % 8 === 0 && nth === 0 ? { is: "drip", text: right(town), everyMs: 1000 } : undefined,
		);
		await expectWhole(await run("openai"));
		expect([played(), server.requests.length]).toEqual([few / 8, few + few / 8]);
	});
});

describe("many calls at once", () => {
	/** A server that answers none of so many calls before all of them are there. */
	async function together(many: number, fault: (town: string, nth: number) => ServedReply | undefined) {
		let go = () => {};
		const arrived = new Promise<void>((resolve) => {
			go = resolve;
		});
		let asked = 0;
		const again = new Set<string>();
		let played = 0;
		server = await replyServer(async (request) => {
			const town = townOf(request);
			const nth = again.has(town) ? 1 : 0;
			again.add(town);
			asked += 1;
			if (asked === many) go();
			await arrived;
			const reply = fault(town, nth);
			if (reply) played += 1;
			return reply ?? right(town);
		});
		await writeFile(join(workspace, "hopscope.json"), JSON.stringify({ limits: { [server.url]: { places: many } } }));
		return { played: () => played };
	}

	test("are all under way together", async () => {
		await together(few, () => undefined);
		await expectWhole(await run("openai", "--concurrency", String(few)));
		expect(server.requests.length).toBe(few);
	});

	longTest("1,000 of them, a third of which fail in every way, are all answered", async () => {
		const many = 1000;
		const small = workspace;
		workspace = await mkdtemp(join(tmpdir(), "hopscope-provider-faults-many-"));
		try {
			await makeTowns(workspace, { towns: many });
			const kinds = Object.values(faults);
			const { played } = await together(many, (town, nth) =>
				nth === 0 && Number(town) % 3 === 0 ? kinds[Math.floor(Number(town) / 3) % kinds.length]?.() : undefined,
			);
			await expectWhole(await run("openai", "--concurrency", String(many)), many);
			expect([played(), server.requests.length]).toEqual([334, many + 334]);
		} finally {
			await rm(workspace, { recursive: true, force: true });
			workspace = small;
		}
	});
});

describe("failures that do not pass", () => {
	/** Whatever failed is an error of the model, nothing is a wrong answer, and what was answered is right. */
	async function expectRefused({ code, json, err }: Awaited<ReturnType<typeof run>>, cause: RegExp) {
		expect(code, err).toBe(1);
		expect(json().reason).toBe("refused");
		expect(err).toMatch(cause);
		const records = await recordsOf(json().run);
		for (const { task, trajectory } of records)
			if (trajectory.stop === "error") expect([trajectory.answer, trajectory.error?.boundary]).toEqual([null, "model"]);
			else expect([trajectory.stop, trajectory.answer]).toEqual(["answered", `${task.slice(1)}00`]);
		return { id: String(json().run), answered: records.filter(({ trajectory }) => trajectory.stop === "answered") };
	}

	longTest("a key that is revoked at half ends the run; with a good one it is finished", async () => {
		const keys = process.env.OPENAI_API_KEY;
		let valid = "the-first-key-0123456789";
		let answered = 0;
		server = await replyServer((request) => {
			if (request.headers.authorization !== `Bearer ${valid}`)
				return { is: "status", status: 401, code: "invalid_api_key", message: "Incorrect API key provided" };
			answered += 1;
			if (answered === few / 2) valid = "the-second-key-0123456789";
			return right(townOf(request));
		});
		try {
			process.env.OPENAI_API_KEY = "the-first-key-0123456789";
			const revoked = await run("openai", "--concurrency", "1");
			const { id, answered: before } = await expectRefused(revoked, /401: Incorrect API key/);
			expect(before).toHaveLength(few / 2);
			const refused = server.requests.length - few / 2;
			expect(refused).toBe(5);
			process.env.OPENAI_API_KEY = "the-second-key-0123456789";
			const resumed = await hopscope("run", "--resume", id, "--json");
			expect([resumed.code, resumed.json().reason]).toEqual([0, "complete"]);
			const records = await recordsOf(id);
			const last = new Map(records.map((record) => [record.task, record.trajectory.answer]));
			expect([...last].filter(([task, answer]) => answer !== `${task.slice(1)}00`)).toEqual([]);
			expect([last.size, records.length, server.requests.length]).toEqual([few, few + refused, few + refused]);
		} finally {
			if (keys === undefined) delete process.env.OPENAI_API_KEY;
			else process.env.OPENAI_API_KEY = keys;
		}
	});

	const certificates = {
		"signed by itself": { from: "2020-01-01", to: "2120-01-01", says: /not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/ },
		expired: {
			from: "2020-01-01",
			to: "2021-01-01",
			says: /not trusted \((CERT_HAS_EXPIRED|DEPTH_ZERO_SELF_SIGNED_CERT)\)/,
		},
	};
	test.each(
		Object.entries(certificates),
	)("a certificate that is %s is told at once, and no key is sent", async (...of) => {
		const [, { from, to, says }] = of;
		await serve(() => undefined, { tls: selfSigned({ from, to }) });
		const { answered } = await expectRefused(await run("openai"), says);
		expect([answered.length, server.requests.length]).toEqual([0, 0]);
	});

	longTest("a certificate of an authority of one's own is trusted where it is named, until it expires", async () => {
		for (const to of ["2120-01-01", "2021-01-01"]) {
			const tls = selfSigned({ from: "2020-01-01", to });
			await serve(() => undefined, { tls });
			const trusted = join(workspace, "trusted.pem");
			await writeFile(trusted, tls.cert);
			const command = ["run", "-b", "towns", "-a", "tagged", "-m", `openai:m@${server.url}`, "--json"];
			const { code, out, err } = await start([...command, "--no-cache", "--workspace", workspace], {
				environment: { NODE_EXTRA_CA_CERTS: trusted },
			}).ended;
			const ended = { code: code ?? -1, out, err, json: () => JSON.parse(out) };
			if (to === "2120-01-01") await expectWhole(ended);
			else await expectRefused(ended, /not trusted \(CERT_HAS_EXPIRED\)/);
			expect(server.requests.length).toBe(to === "2120-01-01" ? few : 0);
			await server.close();
		}
	});
});
