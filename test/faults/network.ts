import { execFileSync, spawnSync } from "node:child_process";
import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";
import { isLong } from "../long.ts";

/** Whether this process may make networks of its own: root, in a container that lets it. */
export const canCut =
	isLong &&
	process.getuid?.() === 0 &&
	spawnSync("unshare", ["-m", "-n", "sh", "-c", "ip netns add hopscope-probe && ip netns del hopscope-probe"])
		.status === 0;

let networks = 0;
/** A network with one way out, to `host`, which can be cut without anybody being told; what is begun `under` it is in it. */
export function makeNetwork() {
	networks += 1;
	const name = `hopscope-${process.pid}-${networks}`;
	const subnet = `10.213.${77 + networks}`;
	const [here, there] = [`hs${process.pid}a${networks}`, `hs${process.pid}b${networks}`];
	const ip = (...args: string[]) => execFileSync("ip", args);
	const inside = (...args: string[]) => ip("netns", "exec", name, "ip", ...args);
	ip("netns", "add", name);
	ip("link", "add", here, "type", "veth", "peer", "name", there, "netns", name);
	ip("addr", "add", `${subnet}.1/30`, "dev", here);
	ip("link", "set", here, "up");
	inside("addr", "add", `${subnet}.2/30`, "dev", there);
	inside("link", "set", there, "up");
	return {
		host: `${subnet}.1`,
		under: ["ip", "netns", "exec", name],
		cut: () => inside("link", "set", there, "down"),
		mend: () => inside("link", "set", there, "up"),
		remove() {
			ip("netns", "del", name);
			spawnSync("ip", ["link", "del", here]);
		},
	};
}

/** What stands between a run and its provider, and can be cut. */
export async function startLine(to: string, host = "127.0.0.1") {
	const { port } = new URL(to);
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		const onward = connect(Number(port), "127.0.0.1");
		for (const one of [socket, onward]) {
			sockets.add(one);
			one.on("error", () => {});
			one.on("close", () => {
				sockets.delete(one);
				(one === socket ? onward : socket).destroy();
			});
		}
		socket.pipe(onward).pipe(socket);
	});
	const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, host, resolve));
	await listen(0);
	const address = server.address() as AddressInfo;
	return {
		url: `http://${host}:${address.port}/v1`,
		async cut() {
			const closed = new Promise((resolve) => server.close(resolve));
			for (const socket of sockets) socket.destroy();
			await closed;
		},
		mend: () => listen(address.port),
	};
}
