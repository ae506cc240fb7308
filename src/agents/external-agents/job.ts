import type { StopReason, Usage } from "#domain";
import type { Session } from "../driver/session.ts";
import type { Gateway } from "./gateway.ts";
import type { TaskRequest } from "./program-messages.ts";
import type { RequestImage, WorkFolder } from "./work-folder.ts";

/** One task on its way to a program. */
export interface Job {
	session: Session;
	gateway: Gateway;
	folder: WorkFolder;
	/** As the run's provider knows it. */
	modelName: string | undefined;
	/** Of this process, for programs that it starts. */
	environment: Record<string, string | undefined>;
	/** Sent with a request over HTTP. */
	headers: Record<string, string>;
	signal: AbortSignal;
}

/** What a program said in the end. */
export interface Said {
	answer: string | null;
	abstained: boolean;
	stop: Exclude<StopReason, "error">;
	cited?: string[];
	plan?: string;
	/** Of model calls that it reports itself. */
	usage: Usage;
}

/** A way of reaching programs. A program's fault is a `ProgramFailure`. */
export type Reach = (target: string, job: Job) => Promise<Said>;

/** The request of a task. Without `local` the program may be anywhere, and is not told of the gateway. */
export function requestOf(job: Job, { images, local }: { images: RequestImage[]; local: boolean }): TaskRequest {
	const { session, gateway, modelName } = job;
	const { id, question, language } = session.view;
	const { setting, repeat } = session.context;
	const { url, token, offer, model } = gateway;
	return {
		version: 1,
		task: { id, question, language, images },
		setting,
		repeat,
		...(local ? { tools: { url: `${url}/tools`, mcp: `${url}/mcp`, token, names: offer.names } } : {}),
		...(local && model && modelName !== undefined ? { model: { name: modelName, url: `${url}/model/v1`, token } } : {}),
	};
}
