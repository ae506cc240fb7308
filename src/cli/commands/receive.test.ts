import { execFile } from "node:child_process";
import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { Command } from "commander";
import { afterEach, beforeEach, expect, test } from "vitest";
import { longTest } from "../../../test/long.ts";
import { commandsOn } from "../../../test/support/commands.ts";
import { addReceive } from "./receive.ts";

const fixtures = join(import.meta.dirname, "../../benchmarks/transcripts/fixtures");
/** An interpreter that has the packages which export_traces.py imports. */
const python = process.env.HOPSCOPE_TRACES_PYTHON;

let workspace: string;
beforeEach(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-receive-"));
});
afterEach(() => rm(workspace, { recursive: true, force: true }));
const hopscope = commandsOn(() => workspace);

/** The command as the program runs it, its lines as they come. */
function receive(...args: string[]) {
	const controller = new AbortController();
	const lines: string[] = [];
	const said: string[] = [];
	const waiting: { when: (line: string) => boolean; tell: (line: string) => void }[] = [];
	const output = {
		write(line: string) {
			lines.push(line);
			for (const { when, tell } of waiting) if (when(line)) tell(line);
		},
		say: (text: string) => void said.push(text),
	};
	const program = new Command().exitOverride();
	addReceive(program.command("receive"), { output, signal: controller.signal }, () => {});
	const ended = program.parseAsync(["receive", "--workspace", workspace, "--port", "0", "--json", ...args], {
		from: "user",
	});
	/** The first line, said already or still to come, that is one of these. */
	const line = (when: (line: string) => boolean) =>
		new Promise<string>((resolve) => {
			const [before] = lines.filter(when);
			if (before !== undefined) resolve(before);
			else waiting.push({ when, tell: resolve });
		});
	const url = Promise.race([
		line((one) => one.includes('"url"')),
		ended.then(
			() => "{}",
			() => "{}",
		),
	]).then((one) => JSON.parse(one).url as string);
	return { url, ended, lines, said, line, stop: () => controller.abort() };
}

const protobuf = { "content-type": "application/x-protobuf" };
const post = async (url: string, body: Buffer | string, headers: Record<string, string> = protobuf) =>
	fetch(`${url}/v1/traces`, { method: "POST", headers, body: body as unknown as BodyInit });

longTest("what is answered is on disk; Ctrl-C leaves a run of it, which can be diagnosed and reported", async () => {
	const { url, ended, stop, lines } = receive("--name", "mine");
	const [genai, fuse] = await Promise.all(
		["otlp-genai.pb", "otlp-langfuse.pb"].map((name) => readFile(join(fixtures, name))),
	);
	const at = await url;
	const answer = await post(at, genai ?? "");
	expect([answer.status, answer.headers.get("content-type"), (await answer.arrayBuffer()).byteLength]).toEqual([
		...[200, "application/x-protobuf", 0],
	]);
	const kept = (await readFile(join(workspace, "traces/mine.jsonl"), "utf8")).trim();
	// the spans of the file, counted by their marks
	expect(kept.match(/"spanId"/g)).toHaveLength(17);
	const packed = await fetch(`${at}/api/public/otel/v1/traces`, {
		...{ method: "POST", headers: { ...protobuf, "content-encoding": "gzip" } },
		body: gzipSync(fuse ?? "") as unknown as BodyInit,
	});
	expect(packed.status).toBe(200);
	const json = await post(at, kept, { "content-type": "application/json" });
	expect([json.status, await json.json()]).toEqual([200, {}]);
	stop();
	await ended;
	const { made } = JSON.parse(lines.at(-1) ?? "{}");
	expect(made).toMatchObject({ run: "mine", tasks: 5, spans: { all: 29, understood: 29, kept: 0, refused: 0 } });
	const diagnosed = await hopscope("diagnose", "mine", "--without-gold");
	expect([diagnosed.code, diagnosed.out]).toEqual([0, expect.stringContaining("5 records, 8 pseudo-hops")]);
	expect((await hopscope("diagnose", "mine")).out).toContain("5 records, 0 with a gold chain");
	expect((await hopscope("report", "mine")).out).toContain("nobody has said what the right answer is");
});

longTest("brought up to date when it is quiet, and gone on with after a half-written line", async () => {
	const first = receive("--quiet", "0.1");
	await post(await first.url, await readFile(join(fixtures, "otlp-genai.pb")));
	const isRun = (line: string) => line.includes('"event":"run"');
	expect(JSON.parse(await first.line(isRun)).made.tasks).toBe(3);
	first.stop();
	await first.ended;
	await appendFile(join(workspace, "traces/traces.jsonl"), '{"resourceSpans":[{"sc');
	const second = receive();
	await post(await second.url, await readFile(join(fixtures, "otlp-openinference.pb")));
	second.stop();
	await second.ended;
	const { made } = JSON.parse(second.lines.at(-1) ?? "{}");
	expect(made).toMatchObject({ tasks: 5, spans: { all: 38, understood: 33, kept: 4, refused: 1 } });
	const imported = await hopscope(
		"import",
		"otlp",
		join(workspace, "traces/traces.jsonl"),
		"--name",
		"again",
		"--json",
	);
	expect(imported.json()).toMatchObject({ tasks: 5, spans: made.spans });
});

longTest("what is no OTLP, too long, of another type or from another site is refused", async () => {
	const { url, ended, stop } = receive();
	const at = await url;
	const json = { "content-type": "application/json" };
	const statuses = await Promise.all(
		[
			post(at, "{", json),
			post(at, '{"logs":[]}', json),
			post(at, `{"resourceSpans":${"[".repeat(10_000)}${"]".repeat(10_000)}}`, json),
			post(at, Buffer.from([10, 200, 1, 1])),
			post(at, gzipSync(Buffer.alloc(40_000_000)), { ...protobuf, "content-encoding": "gzip" }),
			post(at, "no gzip", { ...protobuf, "content-encoding": "gzip" }),
			post(at, "{}", { "content-type": "text/plain" }),
			post(at, "{}", { ...json, origin: "http://elsewhere.example" }),
			post(at, "{}", json),
		].map(async (answer) => (await answer).status),
	);
	expect(statuses).toEqual([400, 400, 400, 400, 413, 400, 415, 403, 200]);
	expect(await statusFor(`${at}/v1/traces`, "rebound.example")).toBe(403);
	stop();
	await ended;
});

/** `fetch` names the true host whatever it is told. */
const statusFor = (url: string, host: string) =>
	new Promise<number | undefined>((resolve, reject) => {
		const asked = request(url, { method: "POST", headers: { host, "content-type": "application/json" } }, (answer) => {
			answer.resume();
			resolve(answer.statusCode);
		});
		asked.on("error", reject);
		asked.end("{}");
	});

test("a name under which something else stands is left alone", async () => {
	await hopscope("import", "langsmith", join(fixtures, "langsmith.jsonl"), "--name", "mine");
	await expect(receive("--name", "mine").ended).rejects.toMatchObject({ code: "name-taken" });
});

longTest.skipIf(python === undefined)(
	"real exporters of Python send to it, and every span that they made is counted",
	{ timeout: 300_000 },
	async () => {
		const { url, ended, stop, lines } = receive();
		const at = await url;
		const script = join(import.meta.dirname, "../../../test/support/traces/export_traces.py");
		let sent = 0;
		for (const [way, to] of [
			["openinference", `${at}/v1/traces`],
			["genai", `${at}/v1/traces`],
			["langfuse", at],
		]) {
			const { stdout } = await promisify(execFile)(python ?? "", [script, way ?? "", to ?? ""]);
			sent += JSON.parse(stdout).spans;
		}
		stop();
		await ended;
		const { made } = JSON.parse(lines.at(-1) ?? "{}");
		expect(made).toMatchObject({ tasks: 7, spans: { all: sent, understood: sent - 5, kept: 4, refused: 1 } });
		const runs = join(workspace, "runs.jsonl");
		await promisify(execFile)(python ?? "", [script, "langsmith", runs]);
		expect((await hopscope("import", "langsmith", runs, "--json")).json()).toMatchObject({
			tasks: 2,
			spans: { all: 12 },
		});
	},
);
