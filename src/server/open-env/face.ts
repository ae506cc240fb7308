import { randomUUID } from "node:crypto";
import { WebSocketServer } from "ws";
import { z } from "zod";
import { software } from "#domain";
import { moveOf } from "#training";
import type { Face } from "../environment/face.ts";
import { type Exchange, forPolicies, get, post, type Route } from "../route.ts";
import type { Upgrade } from "../upgrade.ts";
import { Action, Reset } from "./action.ts";
import { type Connecting, serveConnection } from "./connection.ts";
import { firstObserved, Observation, toolResultOf, toolsOf } from "./observation.ts";
import { State, taskOf } from "./player.ts";
import { answerRpc, type Methods, toolMethods } from "./rpc.ts";

/** Where clients find the standard: they append to an address, and `/health` and `/mcp` at the root are others'. */
const root = "/openenv";
/** Bytes of one message of a client. */
const mostBytes = 4_000_000;
const mostConnections = 8192;

/**
 * Episodes by OpenEnv: one connection a client, one episode a connection at a time; beside it what describes the
 * environment, and tools by JSON-RPC. Resets and steps over plain HTTP, which the standard has given up, are not served.
 * Source: the server and clients of openenv-core, 0.3.0.
 */
export function openEnvFace(of: Connecting): Face {
	const { name, agent } = of.sessions.environment;
	const description = `Multi-hop question answering over "${name}", spoken as ${agent.name}: ${agent.summary}`;
	const version = software().hopscope;
	const about = { name, description, readme_content: null, version, author: null, documentation_url: null };
	const schemas = { action: z.toJSONSchema(Action, { io: "input" }), observation: z.toJSONSchema(Observation) };
	const described = [
		{ ...shown("/health", { status: "healthy" }), open: true },
		shown("/metadata", about),
		shown("/schema", { ...schemas, state: z.toJSONSchema(State) }),
	];
	const paths = Object.fromEntries(
		[...described.map(({ path }) => path.slice(root.length)), "/mcp"].map((path) => [path, {}]),
	);
	return {
		routes: forPolicies([
			...described,
			shown("/openapi.json", { openapi: "3.1.0", info: { title: name, version: "1.0.0" }, paths }),
			rpcRoute(of),
		]),
		upgrades: [upgrade("/ws", "episodes", of), upgrade("/mcp", "tools", of)],
	};
}

const shown = (path: string, json: object) => get(`${root}${path}`, () => ({ json }));

function upgrade(path: string, speaks: "episodes" | "tools", of: Connecting): Upgrade {
	const server = new WebSocketServer({ noServer: true, maxPayload: mostBytes, perMessageDeflate: false });
	return {
		path: `${root}${path}`,
		open(request, stream, head, { trusted }) {
			server.handleUpgrade(request, stream, head, (socket) => {
				if (server.clients.size > mostConnections) socket.close(1013, "too many connections");
				else serveConnection(socket, speaks, { ...of, trusted });
			});
		},
		close() {
			for (const socket of server.clients) socket.close(1001, "the server is stopping");
		},
	};
}

const Named = z.looseObject({ session_id: z.string().min(1).max(200) });

/** Tools by JSON-RPC over HTTP; the episode is named in every call. */
function rpcRoute({ sessions }: Connecting): Route {
	let created = 0;
	const methods = ({ work, note }: Exchange): Methods => ({
		...toolMethods({
			tools: async () => toolsOf(await sessions.environment.tools()),
			async call(name, given, params) {
				const session = await sessions.get(Named.parse(params).session_id);
				const move = moveOf(name, given, session.tools);
				note({ episode: session.id, move });
				return toolResultOf(await work(() => session.act(move)));
			},
		}),
		async "openenv/session/create"(params) {
			const asked = Reset.parse(params);
			const task = taskOf(sessions.environment, asked, created);
			const id = randomUUID();
			note({ episode: id, task });
			const session = await work(() => sessions.open(id, { task, seed: asked.seed ?? 0 }));
			created += 1;
			return { session_id: id, ...firstObserved(session).observation };
		},
		async "openenv/session/close"(params) {
			const { session_id: id } = Named.parse(params);
			return { session_id: id, closed: sessions.close(id) };
		},
	});
	return post(`${root}/mcp`, async (exchange) => ({
		json: await answerRpc(exchange.body, methods(exchange), exchange.failed),
	}));
}
