import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { test } from "vitest";
import { longTest } from "../long.ts";

const executable = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/bin"]
	.map((folder) => join(folder, "nats-server"))
	.find((file) => existsSync(file));

/** Whether there is a queue's server to test with; tests that need one are skipped, visibly, where there is none. */
export const hasQueueServer = executable !== undefined;
export const queueTest = test.skipIf(!hasQueueServer) as typeof test;
export const longQueueTest = longTest.skipIf(!hasQueueServer) as typeof test;

export interface NatsServer {
	url: string;
	/** Ends it as a crash would. */
	kill(): Promise<void>;
	/** Starts it again over what it had stored. */
	start(): Promise<void>;
	/** Takes away what it stored. */
	forget(): Promise<void>;
	/** Ends it for good, and what it stored. */
	remove(): Promise<void>;
}

/** A server of its own on loopback, on a port that is free, with a folder of its own. */
export async function natsServer(...options: string[]): Promise<NatsServer> {
	const folder = await mkdtemp(join(tmpdir(), "hopscope-nats-"));
	const port = await freePort();
	let child: ChildProcess | undefined;
	const server: NatsServer = {
		url: `nats://127.0.0.1:${port}`,
		async start() {
			const args = ["-a", "127.0.0.1", "-p", String(port), "-js", "-sd", folder, ...options];
			const started = spawn(executable ?? "nats-server", args, { stdio: ["ignore", "ignore", "pipe"] });
			child = started;
			await new Promise<void>((resolve, reject) => {
				let said = "";
				started.stderr.on("data", (chunk) => {
					said += chunk;
					if (said.includes("Server is ready")) resolve();
				});
				started.on("exit", () => reject(new Error(`nats-server ended: ${said}`)));
			});
		},
		async kill() {
			const ended = child;
			child = undefined;
			if (!ended || ended.exitCode !== null) return;
			const gone = new Promise((resolve) => ended.once("exit", resolve));
			ended.kill("SIGKILL");
			await gone;
		},
		forget: () => rm(folder, { recursive: true, force: true }),
		async remove() {
			await server.kill();
			await server.forget();
		},
	};
	await server.start();
	return server;
}

/** A port on loopback that nobody listens at. */
export const freePort = () =>
	new Promise<number>((resolve, reject) => {
		const probe = createServer();
		probe.once("error", reject);
		probe.listen(0, "127.0.0.1", () => {
			const { port } = probe.address() as { port: number };
			probe.close(() => resolve(port));
		});
	});
