import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAccount, createOperator, createUser } from "@nats-io/nkeys";
import { afterAll, beforeAll, expect } from "vitest";
import { openWorkbench } from "#workbench";
import { start } from "./command-line.ts";
import { longTest } from "./long.ts";
import { selfSigned } from "./support/certificate.ts";
import { commandsOn, makeTowns } from "./support/commands.ts";
import { hasQueueServer, natsServer, queueTest } from "./support/nats-server.ts";

/*
 * Who is let into a queue: passwords, tokens, credentials and certificates, as a real server wants them. What is wrong is
 * told by the run and by a worker at once, in words, and without the secret.
 */

let root: string;
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-access-"));
	await makeTowns(root, { towns: 4 });
});
afterAll(() => rm(root, { recursive: true, force: true }));
const command = commandsOn(() => root);

let runs = 0;
/** A run over a queue with one worker, which both enter in this way. */
async function runBy(...access: string[]): Promise<number> {
	const [, queue = "", , queueCredentials] = access;
	const stop = new AbortController();
	const worker = openWorkbench(root, { signal: stop.signal }).worker({ queue, queueCredentials });
	runs += 1;
	const { code } = await command("run", "-b", "towns", "-a", "extractive", "--name", `run-${runs}`, ...access);
	stop.abort();
	expect(await worker).toMatchObject({ answered: 4 });
	return code;
}

/** What the run and a worker say that are not let in. */
async function refusedBy(...access: string[]): Promise<string> {
	runs += 1;
	const [run, worker] = [
		await command("run", "-b", "towns", "-a", "extractive", "--name", `run-${runs}`, ...access),
		await command("worker", ...access),
	];
	expect(run.code).toBeGreaterThan(0);
	expect(worker.code).toBe(run.code);
	expect(worker.err).toBe(run.err);
	return run.err;
}

async function fileOf(name: string, text: string): Promise<string> {
	await writeFile(join(root, name), text);
	return join(root, name);
}

const at = (url: string, userinfo: string) => url.replace("//", `//${userinfo}@`);

queueTest(
	"a password or a token lets in, characters of addresses among them; wrong ones are told, not shown",
	async () => {
		for (const [options, right, wrong] of [
			[["--user", "us", "--pass", "p@/:w"], "us:p%40%2F%3Aw", "us:hush"],
			[["--auth", "a-token"], "a-token", "hush"],
		] as const) {
			const server = await natsServer(...options);
			try {
				expect(await runBy("--queue", at(server.url, right))).toBe(0);
				const said = await refusedBy("--queue", at(server.url, wrong));
				expect(said).toMatch(/lets nobody in with these credentials/);
				expect(said).not.toContain("hush");
				expect(await refusedBy("--queue", server.url)).toMatch(/lets nobody in/);
			} finally {
				await server.remove();
			}
		}
	},
);

queueTest("a file of NATS credentials lets in; another user's, and what is no such file, are told", async () => {
	const { config, right, wrong, storeless } = operated();
	const server = await natsServer("-c", await fileOf("queue.conf", config));
	try {
		const by = (credentials: string) => ["--queue", server.url, "--queue-credentials", credentials];
		expect(await runBy(...by(await fileOf("right.creds", right)))).toBe(0);
		expect(await refusedBy(...by(await fileOf("wrong.creds", wrong)))).toMatch(/lets nobody in/);
		expect(await refusedBy("--queue", server.url)).toMatch(/lets nobody in/);
		const nothing = await refusedBy(...by(await fileOf("storeless.creds", storeless)));
		expect(nothing).toMatch(/stores nothing\. Start it with -js/);
		expect(await refusedBy(...by(await fileOf("no.creds", "no credentials\n")))).toMatch(
			/no\.creds holds no NATS cred/,
		);
		expect(await refusedBy(...by(join(root, "absent.creds")))).toMatch(/absent\.creds: does not exist/);
	} finally {
		await server.remove();
	}
});

/** A server with a certificate for 127.0.0.1. */
async function withCertificate(to: string) {
	const { key, cert } = selfSigned({ from: "2020-01-01", to });
	const files = { key: join(root, "key.pem"), cert: join(root, "cert.pem") };
	await Promise.all([writeFile(files.key, key), writeFile(files.cert, cert)]);
	const server = await natsServer("--tls", "--tlscert", files.cert, "--tlskey", files.key);
	return { server, trusted: files.cert, tls: server.url.replace("nats:", "tls:") };
}

queueTest("a certificate that nobody vouches for is told at once, and so is TLS that the server lacks", async () => {
	const { server, tls } = await withCertificate("2120-01-01");
	const plain = await natsServer();
	try {
		for (const address of [tls, server.url]) {
			const said = await refusedBy("--queue", address);
			expect(said).toMatch(/certificate of .* is not trusted: .*DEPTH_ZERO_SELF_SIGNED_CERT.* NODE_EXTRA_CA_CERTS/);
		}
		expect(await refusedBy("--queue", plain.url.replace("nats:", "tls:"))).toMatch(/speaks no TLS/);
	} finally {
		await server.remove();
		await plain.remove();
	}
});

longTest.skipIf(!hasQueueServer)(
	"an authority of one's own is trusted where NODE_EXTRA_CA_CERTS names it",
	async () => {
		for (const to of ["2120-01-01", "2021-01-01"]) {
			const { server, tls, trusted } = await withCertificate(to);
			try {
				const environment = { NODE_EXTRA_CA_CERTS: trusted };
				const begin = (...args: string[]) => start([...args, "--queue", tls, "--workspace", root], { environment });
				const worker = begin("worker");
				const run = await begin("run", "-b", "towns", "-a", "extractive", "--name", `tls-${to}`).ended;
				worker.child.kill("SIGTERM");
				const { code, err } = await worker.ended;
				if (to === "2120-01-01") expect([run.code, code], run.err).toEqual([0, 0]);
				else expect([run.code, code, run.err, err]).toEqual([2, 2, expect.stringMatching(/CERT_HAS_EXPIRED/), run.err]);
			} finally {
				await server.remove();
			}
		}
	},
);

/** A server's configuration with an operator, accounts and a user; credentials of that user, of another's key, and of an account that stores nothing. */
function operated(): Record<"config" | "right" | "wrong" | "storeless", string> {
	type Key = ReturnType<typeof createUser>;
	const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
	const token = (issuer: Key, of: Key, nats: { type: string; [more: string]: unknown }): string => {
		const now = Math.floor(Date.now() / 1000);
		const about = {
			jti: of.getPublicKey(),
			iat: now,
			iss: issuer.getPublicKey(),
			name: nats.type,
			sub: of.getPublicKey(),
		};
		const text = `${encoded({ typ: "JWT", alg: "ed25519-nkey" })}.${encoded({ ...about, nats: { ...nats, version: 2 } })}`;
		return `${text}.${Buffer.from(issuer.sign(Buffer.from(text))).toString("base64url")}`;
	};
	const [operator, account, poor, system, user, other] = [
		createOperator(),
		createAccount(),
		createAccount(),
		createAccount(),
		createUser(),
		createUser(),
	];
	const any = Object.fromEntries(
		["subs", "data", "payload", "imports", "exports", "conn", "leaf", "streams", "consumer"].map((what) => [what, -1]),
	);
	const limits = { ...any, wildcards: true };
	const stores = { ...limits, mem_storage: -1, disk_storage: -1 };
	const config = [
		`operator: "${token(operator, operator, { type: "operator" })}"`,
		`system_account: ${system.getPublicKey()}`,
		"resolver: MEMORY",
		"resolver_preload: {",
		`  ${account.getPublicKey()}: "${token(operator, account, { type: "account", limits: stores })}"`,
		`  ${poor.getPublicKey()}: "${token(operator, poor, { type: "account", limits })}"`,
		`  ${system.getPublicKey()}: "${token(operator, system, { type: "account", limits })}"`,
		"}",
	].join("\n");
	const credentials = (of: Key, key: Key) => {
		const user = token(of, key, { type: "user", subs: -1, data: -1, payload: -1, pub: {}, sub: {} });
		return (seed: Key) =>
			`-----BEGIN NATS USER JWT-----\n${user}\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n${new TextDecoder().decode(seed.getSeed())}\n------END USER NKEY SEED------\n`;
	};
	const known = credentials(account, user);
	return { config, right: known(user), wrong: known(other), storeless: credentials(poor, user)(user) };
}
