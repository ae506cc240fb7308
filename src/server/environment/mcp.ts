import { z } from "zod";
import { answerMcp, type McpCall, type McpTools, speaks } from "#agents";
import { HopscopeError } from "#domain";
import { actionTools, type EpisodeSession, moveOf, type Sessions } from "#training";
import { badRequest, type Exchange, forPolicies, post } from "../route.ts";
import type { Face } from "./face.ts";
import { resultOf } from "./tool-result.ts";

/** Headers by which clients name the episode that they play; the second is NeMo Gym's. */
const sessionHeaders = ["x-session-id", "x-nemo-gym-session-token"] as const;

/**
 * The tools of an episode by the Model Context Protocol, at `/mcp/EPISODE`, or at `/mcp` with the episode in a header.
 * What only harnesses should know (over, valid, last) stands in `_meta`; a client that may send a call twice names it by
 * `_meta["hopscope/request"]`.
 */
export function mcpFace(sessions: Sessions): Face {
	async function answer(id: string, { body, headers, work, note }: Exchange) {
		const revision = headers["mcp-protocol-version"];
		if (typeof revision === "string" && !speaks(revision))
			throw badRequest("this revision of the protocol is not spoken here", "Use 2025-06-18 or another of its kind.");
		const session = await sessions.get(id);
		note({ episode: id, message: body });
		const answered = await answerMcp(body, toolsOf(session, work));
		return answered ? { json: answered } : { status: 202 };
	}
	return {
		routes: forPolicies([
			post("/mcp", (exchange) => answer(namedIn(exchange), exchange)),
			post("/mcp/*", (exchange) => answer(exchange.segments[0] ?? "", exchange)),
		]),
	};
}

function namedIn({ headers }: Exchange): string {
	for (const name of sessionHeaders) {
		const value = headers[name];
		if (typeof value === "string") return value;
	}
	throw badRequest("no episode is named", `Send the header ${sessionHeaders[0]}, or ask at /mcp/EPISODE.`);
}

const Meta = z.object({ "hopscope/request": z.string().min(1).max(200) });

function toolsOf(session: EpisodeSession, work: Exchange["work"]): McpTools {
	return {
		list: () =>
			actionTools(session.tools).map(({ name, description, parameters }) => ({
				...{ name, description, inputSchema: parameters },
			})),
		async call(asked) {
			try {
				return await play(session, asked, work);
			} catch (error) {
				const isWrong = error instanceof HopscopeError && ["bad-action", "episode-over"].includes(error.code);
				if (!isWrong) throw error;
				return { content: [{ type: "text", text: error.message }], isError: true };
			}
		},
	};
}

async function play(session: EpisodeSession, { name, arguments: given, _meta }: McpCall, work: Exchange["work"]) {
	const named = Meta.safeParse(_meta);
	const move = moveOf(name, given ?? {}, session.tools);
	const request = named.success ? named.data["hopscope/request"] : undefined;
	const step = await work(() => session.act(move, { request }));
	const { over, last, valid } = step;
	return {
		content: resultOf(step),
		...(valid ? {} : { isError: true as const }),
		_meta: { "hopscope/over": over, "hopscope/last": last, "hopscope/valid": valid },
	};
}
