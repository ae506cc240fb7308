import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { Setting, Trajectory } from "#domain";
import { scriptedModel } from "#models";
import { longTest } from "../../../test/long.ts";
import { createProgramWorld } from "../../../test/support/agents/program-world.ts";
import { agentProblems } from "../testing.ts";
import { externalAgent } from "./agent.ts";
import { TaskRequest } from "./program-messages.ts";

const world = createProgramWorld();
const temporary = join(world.folder, "temporary");
beforeAll(() => {
	mkdirSync(temporary);
	vi.stubEnv("TMPDIR", temporary);
});
afterAll(() => {
	vi.unstubAllEnvs();
	world.remove();
});

/** A competent program: reads its request, searches through Hopscope, answers. */
const competent = `
const chunks = [];
process.stdin.on("data", (chunk) => chunks.push(chunk)).on("end", async () => {
	const { task, tools } = JSON.parse(Buffer.concat(chunks).toString());
	const call = async (name, body) => {
		const response = await fetch(tools.url + "/" + name, {
			method: "POST", headers: { authorization: "Bearer " + tools.token }, body: JSON.stringify(body),
		});
		return response.json();
	};
	for (let n = 0; n < 12; n += 1) {
		const { results, error } = await call("text_search", { query: task.question.slice(0, 1000), k: 2 });
		if (error) break;
		if (n > 0 && results.length === 0) break;
	}
	console.log("talk that is no record");
	console.log(JSON.stringify({ step: { thought: "enough" } }));
	console.log(JSON.stringify({ final: { answer: "Anna Rehn", cited: ["tessin/article"] } }));
});
`;
const run = (name: string, more: Parameters<typeof world.context>[0] & { id?: string; timeout?: number } = {}) => {
	const { id, timeout, ...context } = more;
	return externalAgent(name, timeout ? { timeout } : {}).answer(world.view(id), world.context(context));
};
const exec = (name: string, source: string, more: Parameters<typeof run>[1] = {}) =>
	run(`exec:${world.program(name, source)}`, more);
const final = (answer: string) => `console.log(JSON.stringify({ final: { answer: ${JSON.stringify(answer)} } }));`;

describe("a program over standard streams", () => {
	test("sees where things are and what is named for it, and no key beside", async () => {
		vi.stubEnv("MY_SECRET", "s3cret");
		vi.stubEnv("MY_INDEX", "/data");
		vi.stubEnv("HOPSCOPE_PASS_ENV", "OTHER, MY_INDEX");
		const source = `console.log(JSON.stringify({ final: { answer: Object.keys(process.env).join(" ") } }));`;
		const { answer } = await exec("environment.cjs", source);
		expect(answer?.split(" ")).toEqual(expect.arrayContaining(["PATH", "TMPDIR", "MY_INDEX"]));
		expect(answer).not.toContain("MY_SECRET");
	});
	test("more than a task can use is not believed", async () => {
		const usage = JSON.stringify({ calls: 1, inputTokens: 2 ** 53 - 1, outputTokens: 1 });
		const trajectory = await exec("boast.cjs", `console.log('{"final":{"answer":"Quill","usage":${usage}}}');`);
		expect(trajectory).toMatchObject({ stop: "error", error: { boundary: "agent" } });
	});
	test("its tool calls and its steps become the trajectory", async () => {
		const trajectory = await exec("competent.mjs", competent, { setting: Setting.parse({ name: "two", limit: 2 }) });
		expect(Trajectory.parse(trajectory)).toMatchObject({
			answer: "Anna Rehn",
			abstained: false,
			stop: "answered",
			cited: ["tessin/article"],
		});
		const [first, second, third, fourth] = trajectory.steps;
		expect(first?.call).toMatchObject({ tool: "text_search", valid: true, arguments: { k: 2 } });
		expect(first?.results).toHaveLength(2);
		expect(first?.ms).toBeGreaterThan(0);
		expect(second?.call?.valid).toBe(true);
		expect(third).toMatchObject({ call: { valid: false }, error: expect.stringContaining("no-search-left") });
		expect(fourth).toMatchObject({ thought: "enough" });
	});
	test.skipIf(process.platform === "win32")("keeps to the interface", async () => {
		const agent = externalAgent(`exec:read request; echo '{"final": {"answer": "Quill"}}'`);
		expect(await agentProblems(agent)).toEqual([]);
	});
	test("is asked in the published form, and finds copies of the images under names that tell nothing", async () => {
		const seen = join(world.folder, "request.json");
		const source = `
			const text = require("node:fs").readFileSync(0, "utf8");
			const [image] = JSON.parse(text).task.images;
			const size = require("node:fs").statSync(image.file).size;
			require("node:fs").writeFileSync(${JSON.stringify(seen)}, JSON.stringify({ text, size }));
			${final("unknown")}`;
		const trajectory = await exec("form.cjs", source, { id: "image-chain", repeat: 3 });
		expect(trajectory).toMatchObject({ answer: null, abstained: true, stop: "answered", steps: [] });
		const { text, size } = JSON.parse(readFileSync(seen, "utf8"));
		expect(text.endsWith("\n")).toBe(true);
		const request = TaskRequest.parse(JSON.parse(text));
		expect(request).toMatchObject({
			repeat: 3,
			task: { id: "image-chain", images: [{ mediaType: "image/png", width: 1, height: 1 }] },
			tools: { names: ["text_search", "page_search", "image_search_by_text", "image_search_by_image"] },
		});
		expect(request.model).toBeUndefined();
		expect(request.task.images[0]?.file).toMatch(/image-1\.png$/);
		expect(size).toBeGreaterThan(0);
		expect(text).not.toContain("question.png");
	});
	test("ids that the knowledge base does not hold are kept and noted", async () => {
		const call = { tool: "text_search", arguments: { query: "x" } };
		const lines = [
			{
				step: {
					call,
					results: ["tessin/article", { id: "made up", score: 3 }],
					usage: { calls: 1, inputTokens: 5, outputTokens: 2 },
				},
			},
			{ step: { call: { tool: "web_search" }, results: ["https://example.org/"] } },
			{ final: { answer: "A", usage: { calls: 2, inputTokens: 1, outputTokens: 1 } } },
		];
		const said = lines.map((line) => `console.log(${JSON.stringify(JSON.stringify(line))});`).join("\n");
		const { steps, usage } = await exec("ids.cjs", said);
		expect(steps[0]).toMatchObject({
			results: [
				{ id: "tessin/article", rank: 1, score: 0 },
				{ id: "made up", rank: 2, score: 3 },
			],
			error: '1 of 2 ids are not in the knowledge base, "made up" first',
		});
		expect(steps[1]?.error).toBeUndefined();
		expect(usage).toEqual({ calls: 3, inputTokens: 6, outputTokens: 3 });
	});
});

test("a model that a program cannot be led to is an error, not another model", async () => {
	expect(await exec("led.cjs", final("x"), { model: scriptedModel([]) })).toMatchObject({
		stop: "error",
		error: { message: expect.stringContaining("cannot ask scripted") },
	});
});

describe("hostile programs end in an error that says what happened", () => {
	const failing: [string, string, string][] = [
		[
			"garbage",
			'console.log("\\u0000\\uffff{{{", "]]"); process.stdout.write(Buffer.from([0xff, 0xfe, 10]));',
			"without a final line",
		],
		["broken records", 'console.log("{\\"final\\": ");', "line 1 of its output is no JSON"],
		["unknown records", 'console.log("{\\"result\\": 1}");', "is neither a step, a final nor an error"],
		["its own error", 'console.log("{\\"error\\": \\"out of memory\\"}");', "it reports: out of memory"],
		["nothing", "", "it ended without a final line"],
		[
			"death halfway",
			'console.log("{\\"step\\": {\\"thought\\": \\"a\\"}}"); console.error("Traceback:\\n  File x\\nRuntimeError: no GPU\\n  note"); process.exit(3);',
			"exit code 3; standard error: RuntimeError: no GPU",
		],
		[
			"death by signal",
			'console.error("Killed soon"); setTimeout(() => process.kill(process.pid, "SIGKILL"), 20);',
			"Killed",
		],
		["a huge line", 'process.stdout.write("{" + "x".repeat(5e6)); setTimeout(() => {}, 1e6);', "a line is longer than"],
		[
			"endless output",
			'const more = () => { while (process.stdout.write("x".repeat(65535) + "\\n")); process.stdout.once("drain", more); }; more();',
			"it said more than",
		],
		[
			"endless standard error",
			'for (let n = 0; n < 2000; n += 1) console.error("e".repeat(1000)); process.exit(1);',
			"exit code 1; standard error: eee",
		],
	];
	test.each(failing)("%s", async (name, source, problem) => {
		const trajectory = await exec(`${name.replaceAll(" ", "-")}.cjs`, source);
		expect(Trajectory.parse(trajectory)).toMatchObject({ answer: null, stop: "error", error: { boundary: "agent" } });
		expect(trajectory.error?.message).toContain(problem);
		expect(trajectory.error?.message.length).toBeLessThanOrEqual(500);
	});
	test("what was done before a death is kept", async () => {
		const { steps } = await exec("half.cjs", 'console.log("{\\"step\\": {\\"thought\\": \\"a\\"}}"); process.exit(3);');
		expect(steps).toMatchObject([{ index: 0, thought: "a" }]);
	});
	test("a command that there is not", async () => {
		const { error } = await run("exec:no-such-program-here --at-all");
		expect(error?.message).toMatch(/exit code 127|not found/);
	});
	longTest("one that never ends is given up, with what it did", async () => {
		const source = 'console.log("{\\"step\\": {\\"thought\\": \\"slow\\"}}"); setInterval(() => {}, 1000);';
		// long enough for a program to begin on a busy machine
		const trajectory = await exec("never.cjs", source, { timeout: 4000 });
		expect(trajectory).toMatchObject({
			stop: "error",
			error: { message: expect.stringContaining("no answer within 4 s") },
		});
		expect(trajectory.steps).toHaveLength(1);
	});
	test("one that heeds no signal, and its children, are gone after an abort", async () => {
		const alive = join(world.folder, "alive");
		const beats = () => readFileSync(alive, { encoding: "utf8", flag: "a+" });
		const beat = (sign: string) =>
			`process.on("SIGTERM", () => {}); setInterval(() => require("node:fs").appendFileSync(${JSON.stringify(alive)}, "${sign}"), 10);`;
		const source = `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(beat("b"))}], { stdio: "inherit" }); ${beat("a")}`;
		const controller = new AbortController();
		const working = exec("forks.cjs", source, { signal: controller.signal });
		while (!/a/.test(beats()) || !/b/.test(beats())) await sleep(20);
		controller.abort(new Error("stop now"));
		await expect(working).rejects.toThrow("stop now");
		const silent = async () => {
			const before = beats();
			await sleep(200);
			return beats() === before;
		};
		await expect.poll(silent).toBe(true);
	});
	test("a child left behind, even outside the group, holds nothing up", async () => {
		const source = `require("node:child_process").spawn(process.execPath, ["-e", "setTimeout(() => {}, 50000)"], { stdio: "inherit", detached: true }).unref(); process.exit(0);`;
		const from = performance.now();
		const { error } = await exec("left.cjs", source);
		expect(error?.message).toContain("without a final line");
		expect(performance.now() - from).toBeLessThan(40_000);
	});
	test("one that goes on after its final line has answered", async () => {
		const trajectory = await exec(
			"on.cjs",
			`${final("Quill")} process.on("SIGTERM", () => {}); setInterval(() => console.log("{}"), 10);`,
		);
		expect(trajectory).toMatchObject({ answer: "Quill", stop: "answered" });
	});
	test("no task leaves a folder behind", () => {
		expect(readdirSync(temporary)).toEqual([]);
	});
});

describe("a program over HTTP", () => {
	const serve = async (
		handle: (request: TaskRequest, send: (line: object | string) => void) => unknown,
		status = 200,
	) => {
		const faults: unknown[] = [];
		const server = createServer(async (incoming, response) => {
			const chunks: Buffer[] = [];
			for await (const chunk of incoming) chunks.push(chunk as Buffer);
			response.writeHead(status);
			const send = (line: object | string) =>
				response.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
			let done: unknown;
			try {
				done = await handle(TaskRequest.parse(JSON.parse(Buffer.concat(chunks).toString())), send);
			} catch (error) {
				// where a task is over, nobody answers its program any more
				if ((error as Error).message !== "fetch failed") faults.push(error);
			}
			if (done === "break") response.socket?.resetAndDestroy();
			else if (done !== "hang") response.end();
		});
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		return {
			url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/answer`,
			async close() {
				server.closeAllConnections();
				await new Promise((resolve) => server.close(resolve));
				expect(faults).toEqual([]);
			},
		};
	};
	const answering = async (...given: Parameters<typeof serve>) => {
		const server = await serve(...given);
		try {
			return await run(server.url, { id: "image-chain", timeout: 60_000 });
		} finally {
			await server.close();
		}
	};
	const search = async ({ tools }: TaskRequest, name: string, body: object | string, token = tools?.token) => {
		const response = await fetch(`${tools?.url}/${name}`, {
			method: "POST",
			headers: { authorization: `Bearer ${token}` },
			body: typeof body === "string" ? body : JSON.stringify(body),
		});
		return { status: response.status, body: await response.json() };
	};

	test("keeps to the interface", async () => {
		const server = await serve(async (request, send) => {
			for (let n = 0; n < 12; n += 1) {
				const { status } = await search(request, "text_search", { query: request.task.question.slice(0, 500) });
				if (status !== 200) break;
			}
			send({ final: { answer: "Quill" } });
		});
		expect(await agentProblems(externalAgent(server.url))).toEqual([]);
		await server.close();
	});
	test("gets images by value, searches, and streams its steps", async () => {
		const trajectory = await answering(async (request, send) => {
			expect(
				Buffer.from(request.task.images[0]?.data ?? "", "base64")
					.subarray(1, 4)
					.toString(),
			).toBe("PNG");
			const found = await search(request, "image_search_by_image", { image: 0, k: 1 });
			expect(found.body.results).toMatchObject([{ id: "velmora/flag", title: "Flag of Velmora", rank: 1 }]);
			send({ step: { subAnswer: "Velmora" } });
			send({ final: { answer: "Song of the Bay" } });
		});
		expect(trajectory).toMatchObject({ answer: "Song of the Bay", stop: "answered" });
		expect(trajectory.steps.map(({ call, subAnswer }) => call?.tool ?? subAnswer)).toEqual([
			"image_search_by_image",
			"Velmora",
		]);
	});
	test("calls that are wrong are refused, and recorded as such", async () => {
		const { steps } = await answering(async (request, send) => {
			const refusals = [
				["text_search", {}, 400, "bad-arguments"],
				["text_search", { query: " " }, 400, "empty-query"],
				["text_search", { query: "a", k: 1000 }, 400, "bad-arguments"],
				["image_search_by_image", { image: 0.5 }, 400, "bad-index"],
				["image_crop", { image: 0, box: [0, 0, 1, 1] }, 400, "unknown-tool"],
				["%F0%9F%97%BA", {}, 400, "unknown-tool"],
				["text_search", [1], 400, "bad-arguments"],
			] as const;
			for (const [name, body, status, code] of refusals)
				expect(await search(request, name, body)).toMatchObject({ status, body: { error: { code } } });
			expect(await search(request, "text_search", "{")).toMatchObject({
				status: 400,
				body: { error: { code: "bad-json" } },
			});
			expect(await search(request, "%E0%A4%A", {})).toMatchObject({
				status: 400,
				body: { error: { code: "bad-address" } },
			});
			expect(await search(request, "text_search", { query: "a" }, "wrong")).toMatchObject({ status: 401 });
			send({ final: { answer: null } });
		});
		expect(steps).toHaveLength(7);
		expect(steps.every(({ call, error }) => call?.valid === false && error)).toBe(true);
	});
	test("lists the tools, shows pictures, and knows no web page", async () => {
		const trajectory = await answering(async ({ tools }, send) => {
			const headers = { authorization: `Bearer ${tools?.token}` };
			const base = tools?.url.replace(/\/tools$/, "");
			const { tools: listed } = await (await fetch(`${base}/tools`, { headers })).json();
			expect(listed.map((tool: { name: string }) => tool.name)).toEqual(tools?.names);
			expect(listed[0].inputSchema.required).toEqual(["query"]);
			const picture = await fetch(`${base}/pictures/velmora/flag`, { headers });
			expect(picture.headers.get("content-type")).toBe("image/jpeg");
			expect((await fetch(`${base}/pictures/nothing`, { headers })).status).toBe(404);
			expect((await fetch(`${base}/model/v1/chat/completions`, { headers, method: "POST" })).status).toBe(404);
			expect((await fetch(`${base}/tools`, { headers: { ...headers, origin: "https://evil.example" } })).status).toBe(
				403,
			);
			expect((await fetch(`${base}//`, { headers })).status).toBe(404);
			send({ final: { answer: "x" } });
		});
		expect(trajectory).toMatchObject({ answer: "x", steps: [] });
	});
	test.each([
		["a status that is no success", () => "end", 500, "answered with status 500"],
		[
			"a connection that breaks",
			async (_: TaskRequest, send: (line: string) => void) => {
				send("x");
				await sleep(50);
				return "break";
			},
			200,
			"broke off its answer",
		],
		["no final line", () => "end", 200, "without a final line"],
	])("%s", async (_, handle, status, problem) => {
		const trajectory = await answering(handle, status);
		expect(trajectory).toMatchObject({
			stop: "error",
			error: { boundary: "agent", message: expect.stringContaining(problem) },
		});
	});
	test("an answer without an end", async () => {
		const server = await serve(() => "hang");
		const { stop, error } = await run(server.url, { timeout: 500 });
		await server.close();
		expect(stop).toBe("error");
		expect(error).toMatchObject({ boundary: "agent", message: expect.stringContaining("no answer within 0.5 s") });
	});
	test("a server that is not there", async () => {
		const { url, close } = await serve(() => "end");
		await close();
		expect((await run(url)).error?.message).toContain("cannot be reached");
	});
	test("a tool that breaks ends the task", async () => {
		const broken = { text_search: () => Promise.reject(new Error("index gone")) };
		const server = await serve(async (request, send) => {
			await search(request, "text_search", { query: "a" }).catch(() => undefined);
			send({ final: { answer: "made up" } });
		});
		const context = world.context();
		const trajectory = await run(server.url, { tools: { ...context.tools, ...broken } });
		await server.close();
		expect(trajectory).toMatchObject({ answer: null, stop: "error", error: { boundary: "tool" } });
		expect(trajectory.steps).toMatchObject([{ error: "index gone" }]);
	});
});
