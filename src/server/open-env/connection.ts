import type { RawData, WebSocket } from "ws";
import { z } from "zod";
import type { Sessions } from "#training";
import { HttpError } from "../http-error.ts";
import { isTooDeep } from "../nesting.ts";
import { Action, Reset } from "./action.ts";
import { type Failure, failureOf } from "./failure.ts";
import { createPlayer, type Player } from "./player.ts";
import { answerRpc, toolMethods } from "./rpc.ts";

/** What the connections of a server share. */
export interface Connecting {
	sessions: Sessions;
	/** Runs work under the server's limits. */
	work<T>(job: () => Promise<T>, signal: AbortSignal): Promise<T>;
	/** Reports a failure that its client did not cause, and says what that client is told. */
	failed(error: unknown): { message: string };
}

/** Messages of one client that may wait for the one at work. */
const mostWaiting = 64;
/** Bytes of them; one message alone is never refused for its length here. */
const mostWaitingBytes = 8_000_000;
/** Bytes of answers that a client may leave unread. */
const mostUnread = 64_000_000;
/** Milliseconds between signs of life that a client is asked for; one that gives none by the next is gone. */
const heartbeat = 30_000;

/** Milliseconds after which the answer to a message is given up. */
const longestWork = 120_000;

const Message = z.looseObject({ type: z.string().max(100), data: z.unknown().optional() });

/**
 * Serves one client: messages in turn, an answer to each, its episode ended with the connection. `speaks`: the
 * environment's own messages, or bare JSON-RPC for tools.
 */
export function serveConnection(
	socket: WebSocket,
	speaks: "episodes" | "tools",
	of: Connecting & {
		/** Whether rewards are told: to the trainer, not to a policy. */
		trusted: boolean;
	},
): void {
	const player = createPlayer(of.sessions, of);
	const gone = new AbortController();
	let waiting = 0;
	let waitingBytes = 0;
	let turn: Promise<void> = Promise.resolve();
	let alive = true;

	const send = (message: object) => {
		if (socket.readyState !== socket.OPEN) return;
		socket.send(JSON.stringify(message));
		if (socket.bufferedAmount > mostUnread) socket.terminate();
	};
	async function work<T>(job: () => Promise<T>): Promise<T> {
		const late = new AbortController();
		const timer = setTimeout(() => late.abort(tooLate()), longestWork);
		return of.work(job, AbortSignal.any([gone.signal, late.signal])).finally(() => clearTimeout(timer));
	}
	const under = { ...of, work };
	async function take(data: RawData): Promise<void> {
		if (gone.signal.aborted) return;
		const message = jsonOf(data);
		const answer =
			speaks === "tools" ? await rpcAnswer(message, player, under) : await answerTo(message, player, under);
		if (answer !== "close") return send(answer);
		// at once, since a client that comes again may come before this connection is closed
		player.end();
		socket.close(1000);
	}

	const beat = setInterval(() => {
		if (!alive) return socket.terminate();
		alive = false;
		socket.ping();
	}, heartbeat);
	socket.on("pong", () => {
		alive = true;
		player.keep();
	});
	socket.on("message", (data) => {
		const bytes = lengthOf(data);
		if (waiting >= mostWaiting || (waiting > 0 && waitingBytes + bytes > mostWaitingBytes))
			return socket.close(1008, "too many messages wait");
		waiting += 1;
		waitingBytes += bytes;
		turn = turn
			.then(() => take(data))
			.finally(() => {
				waiting -= 1;
				waitingBytes -= bytes;
			});
	});
	socket.on("error", () => socket.terminate());
	socket.on("close", () => {
		clearInterval(beat);
		gone.abort(new Error("the client went away"));
		player.end();
	});
}

const tooLate = () =>
	new HttpError(
		503,
		"timeout",
		"the message took too long",
		"What it asked for may have been done: reset and continue.",
	);

type Under = Omit<Connecting, "work"> & { work<T>(job: () => Promise<T>): Promise<T> };

const lengthOf = (data: RawData) =>
	Array.isArray(data) ? data.reduce((sum, piece) => sum + piece.length, 0) : data.byteLength;

const notJson = Symbol("no JSON");

function jsonOf(data: RawData): unknown {
	try {
		const json: unknown = JSON.parse(data.toString());
		return isTooDeep(json) ? notJson : json;
	} catch {
		return notJson;
	}
}

async function answerTo(message: unknown, player: Player, under: Under): Promise<object | "close"> {
	if (message === notJson) return failure({ message: "Invalid JSON", code: "INVALID_JSON" });
	try {
		const { type, data } = Message.parse(message);
		switch (type) {
			case "reset": {
				const asked = Reset.parse(data ?? {});
				return { type: "observation", data: await under.work(() => player.reset(asked)) };
			}
			case "step": {
				const action = Action.parse(data);
				return { type: "observation", data: await under.work(() => player.step(action)) };
			}
			case "state":
				return { type: "state", data: await player.state() };
			case "mcp":
				return { type: "mcp", data: await rpcAnswer(data, player, under) };
			case "close":
				return "close";
			default:
				return failure({ message: `Unknown message type: ${type}`, code: "UNKNOWN_TYPE" });
		}
	} catch (error) {
		return failure(failureOf(error, under.failed));
	}
}

function rpcAnswer(message: unknown, player: Player, { work, failed }: Under): Promise<object> {
	const methods = toolMethods({
		tools: () => player.tools(),
		call: (name, given) => work(() => player.call(name, given)),
	});
	return answerRpc(message, { ...methods, ...episodeMethods(player, work) }, failed);
}

/** An episode for a client that sends no reset, as one that speaks JSON-RPC alone; the one that is open, if there is. */
const episodeMethods = (player: Player, work: Under["work"]) => ({
	async "openenv/session/create"(params: Readonly<Record<string, unknown>>) {
		const asked = Reset.parse(params);
		const { episode_id: open } = await player.state();
		if (open === null) await work(() => player.reset(asked));
		return { session_id: (await player.state()).episode_id };
	},
});

const failure = (data: Failure | { message: string; code: "INVALID_JSON" | "UNKNOWN_TYPE" }) => ({
	type: "error",
	data,
});
