import type { Receiver } from "#workbench";
import { HttpError } from "../http-error.ts";
import { post, type RawBody, type Route } from "../route.ts";
import { limiterOf, listen, type RunningServer, type ServerOptions } from "../start-server.ts";

export type ReceiverOptions = Pick<ServerOptions, "host" | "port" | "token" | "names" | "onProblem">;

/** As OTLP says; Langfuse's clients send the same to a path of their own. */
const paths = ["/v1/traces", "/api/public/otel/v1/traces"];
const types = /^application\/(?:x-protobuf|json)\s*(?:;|$)/i;
const mostBytes = 32_000_000;

/**
 * Takes traces by OTLP over HTTP until it is closed. A request is answered once what it brought is on disk, in the form that it
 * was sent in.
 */
export async function startReceiver(receiver: Receiver, options: ReceiverOptions = {}): Promise<RunningServer> {
	const routes = paths.map(
		(path): Route =>
			post(
				path,
				async ({ body }) => {
					const { bytes, type } = body as RawBody;
					const protobuf = !/json/i.test(type);
					const kept = await receiver.keep(bytes, { protobuf });
					if ("full" in kept) throw full(kept.full);
					if ("problem" in kept)
						throw new HttpError(400, "bad-request", `no OTLP: ${kept.problem}`, "Send an ExportTraceServiceRequest.");
					// an empty message: nothing of it was rejected
					return protobuf ? { bytes: Buffer.alloc(0), type: "application/x-protobuf" } : { json: {} };
				},
				{ raw: types },
			),
	);
	return listen({ port: 4318, maxBytes: mostBytes, ...options }, { routes, limiter: limiterOf({}) });
}

const full = (bytes: number) =>
	new HttpError(507, "full", `${bytes} bytes of traces are kept already`, "Receive under another --name.");
