/** The programs that the example starts: Python, the model's server, and the hopscope command. */
import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { root } from "../../scripts/prepare.mjs";

const running = new Set();

export const stopAll = () => {
	for (const child of running) child.kill();
};

/** Runs a program to its end; what it says goes to `log`, and the last of it into the error where it fails. */
export function run(program, args, { log, codes = [0], env = {} }) {
	return new Promise((resolve, reject) => {
		const child = start(program, args, env);
		const kept = createWriteStream(log, { flags: "a" });
		let out = "";
		let last = "";
		for (const stream of [child.stdout, child.stderr])
			stream.on("data", (part) => {
				kept.write(part);
				last = (last + part).slice(-1500);
				if (stream === child.stdout) out += part;
			});
		child.on("error", reject);
		child.on("close", (code) => {
			kept.end();
			if (codes.includes(code)) resolve(out);
			else reject(new Error(`${program} ${args.join(" ")} ended with ${code} (${log}):\n${last}`));
		});
	});
}

function start(program, args, env) {
	// waiting threads sleep: where something else runs too, spinning ones take ten times as long
	const child = spawn(program, args, { env: { OMP_WAIT_POLICY: "passive", ...process.env, ...env } });
	running.add(child);
	child.on("close", () => running.delete(child));
	return child;
}

export const hopscope = (args, { log, codes }) =>
	run(process.execPath, [join(root, "dist/cli/main.js"), ...args], { log, codes, env: { OPENAI_API_KEY: "none" } });

/** Serves a model's file on loopback while `use` works with its address. */
export async function served(python, file, { log }, use) {
	const port = await freePort();
	const child = start(python, [join(import.meta.dirname, "serve.py"), file, String(port)], {});
	const kept = createWriteStream(log, { flags: "a" });
	child.stderr.pipe(kept);
	const url = `http://127.0.0.1:${port}/v1`;
	try {
		await new Promise((resolve, reject) => {
			child.stdout.once("data", resolve);
			child.once("error", reject);
			child.once("close", (code) => reject(new Error(`the model's server ended with ${code}: see ${log}`)));
		});
		return await use(url);
	} finally {
		child.kill();
	}
}

function freePort() {
	return new Promise((resolve, reject) => {
		const server = createServer();
		server.on("error", reject);
		server.listen(0, "127.0.0.1", () => {
			const { port } = server.address();
			server.close(() => resolve(port));
		});
	});
}
