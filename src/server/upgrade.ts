import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { mustBeNoOtherSite, type Role, unauthorised } from "./guard.ts";
import { HttpError, httpErrorOf } from "./http-error.ts";

/** A path at which a connection becomes another protocol's, e.g. a WebSocket. */
export interface Upgrade {
	path: string;
	/** Takes the connection over; host, origin and token were checked. A policy's is not trusted: it sees no gold. */
	open(request: IncomingMessage, socket: Duplex, head: Buffer, asking: { trusted: boolean }): void;
	/** Says goodbye to those that are open: the server is stopping. */
	close?(): void;
}

/** What the guarding of upgrades depends on. */
interface Guards {
	upgrades: Upgrade[];
	checkHost(request: IncomingMessage): void;
	roleOf(request: IncomingMessage): Role | undefined;
	stopping(): boolean;
}

/** Hands connections over, after the same checks as requests; `sockets` are those that are open. */
export function createUpgrader({ upgrades, checkHost, roleOf, stopping }: Guards) {
	const sockets = new Set<Duplex>();
	return {
		sockets,
		upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
			// a client that goes away in the middle is no failure
			socket.on("error", () => socket.destroy());
			try {
				if (stopping()) throw new HttpError(503, "stopping", "the server is stopping", "Ask again when it is back.");
				checkHost(request);
				mustBeNoOtherSite(request);
				const path = (request.url ?? "").split("?", 1)[0];
				const found = upgrades.find((one) => one.path === path);
				if (!found) throw new HttpError(404, "no-route", "no connection is upgraded here", "Ask by HTTP.");
				const role = roleOf(request);
				if (!role) throw unauthorised();
				sockets.add(socket);
				socket.once("close", () => sockets.delete(socket));
				found.open(request, socket, head, { trusted: role === "trainer" });
			} catch (error) {
				refuse(socket, httpErrorOf(error));
			}
		},
	};
}

function refuse(socket: Duplex, { status, body, headers }: HttpError): void {
	const text = JSON.stringify(body);
	const lines = Object.entries({
		...headers,
		connection: "close",
		"content-type": "application/json",
		"content-length": String(Buffer.byteLength(text)),
	}).map(([name, value]) => `${name}: ${value}`);
	socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`, ...lines, "", text].join("\r\n"));
}
