import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { addUsage, noUsage, type Setting, type TaskView, type Trajectory } from "#domain";
import { ModelError } from "#models";
import type { Agent } from "../agent.ts";
import type { AgentContext } from "../agent-context.ts";
import { type Session, withSession } from "../driver/session.ts";
import { type Gateway, openGateway } from "./gateway.ts";
import type { Job, Reach, Said } from "./job.ts";
import { observed } from "./observed.ts";
import { defaultLimit } from "./offer.ts";
import { programEnvironment } from "./program-environment.ts";
import { overHttp, overStreams } from "./reach-program.ts";
import { ProgramFailure } from "./report.ts";
import { parseSpec, type Spec, versionOf } from "./spec.ts";
import { toolsHash } from "./tool-texts.ts";
import { createTranscript, type Transcript } from "./transcript.ts";
import { makeWorkFolder, type WorkFolder } from "./work-folder.ts";

/** Model requests for each tool call of the limit: plans, sub-answers and second thoughts need some of their own. */
const requestsPerCall = 4;
/** What a timer can count; a longer one would fire at once. */
const longestTimer = 2 ** 31 - 1;

export interface ExternalAgentOptions {
	/** Raised by whoever changes a program that Hopscope cannot look into. */
	version?: string;
	/**
	 * Milliseconds until a program is given up, with what was recorded. Best a little less than a run gives a task, which
	 * keeps nothing; without it there is only the run's.
	 */
	timeout?: number;
	/** For programs that are started; by default what `programEnvironment` leaves of this process's own. */
	environment?: Record<string, string | undefined>;
	/** Sent with requests over HTTP, e.g. `authorization`; never recorded. */
	headers?: Record<string, string>;
}

const ways = {
	http: { reach: overHttp, summary: "A program over HTTP.", messages: "a request a task; steps as lines of JSON" },
	exec: {
		reach: overStreams,
		summary: "A program over standard streams.",
		messages: "a line a task on standard input; steps as lines of JSON on standard output",
	},
	observe: {
		reach: observed,
		summary: "An existing program, unchanged, watched through its model and tools.",
		messages: "the program's own, over OpenAI's or Anthropic's API and the Model Context Protocol",
	},
} satisfies Record<Spec["is"], { reach: Reach; summary: string; messages: string }>;

const mostRequests = ({ limit = defaultLimit }: Setting) => limit * requestsPerCall;

/**
 * A program as an agent, from how a person names it: `http://HOST/PATH`, `https://HOST/PATH`, `exec:COMMAND` or
 * `observe:COMMAND`. Throws `HopscopeError` (exit 2) for any other name.
 */
export function externalAgent(name: string, options: ExternalAgentOptions = {}): Agent {
	const spec = parseSpec(name);
	const { reach, summary, messages } = ways[spec.is];
	const target = spec.is === "http" ? spec.url : spec.command;
	return {
		name: name.trim(),
		version: options.version ?? versionOf(spec),
		summary,
		needs: { model: "optional", gold: false },
		reportsUsage: true,
		settings: { default: { k: 3, limit: defaultLimit } },
		card: {
			messages,
			budget: `${defaultLimit} tool calls through Hopscope, and ${requestsPerCall} model requests for each; more are refused`,
			reports: "hops, calls, tokens",
			mostCalls: mostRequests,
		},
		promptHash: toolsHash,
		answer: (view, context) => answer(view, context, { ...options, reach: (job) => reach(target, job) }),
	};
}

async function answer(
	view: TaskView,
	context: AgentContext,
	options: ExternalAgentOptions & { reach(job: Job): Promise<Said> },
): Promise<Trajectory> {
	const { timeout } = options;
	const own = new AbortController();
	const abort = () => own.abort(context.signal.reason);
	context.signal.addEventListener("abort", abort, { once: true });
	const giveUp = () => own.abort(new ProgramFailure(`it gave no answer within ${(timeout ?? 0) / 1000} s`));
	const timer = timeout === undefined ? undefined : setTimeout(giveUp, Math.min(timeout, longestTimer));
	let transcript: Transcript | undefined;
	let reported = noUsage;
	try {
		const trajectory = await withSession(view, context, async (session) => {
			const folder = await makeWorkFolder(view, context.imagePath);
			try {
				transcript = createTranscript(session, { images: await imagesByHash(folder, view) });
				const { usage, ...end } = await inGateway({ session, folder, transcript, own, options });
				reported = usage;
				return session.finish(end);
			} finally {
				await folder.remove();
			}
		});
		const models = transcript?.models ?? [];
		return {
			...trajectory,
			usage: [transcript?.usage ?? noUsage, reported].reduce(addUsage, trajectory.usage),
			...(models.length > 0 ? { served: { models, ignored: [] } } : {}),
		};
	} finally {
		clearTimeout(timer);
		context.signal.removeEventListener("abort", abort);
	}
}

/** Serves the program while it works. However it ends, nothing is recorded any more when this is over. */
async function inGateway(given: {
	session: Session;
	folder: WorkFolder;
	transcript: Transcript;
	own: AbortController;
	options: ExternalAgentOptions & { reach(job: Job): Promise<Said> };
}): Promise<Said> {
	const { session, folder, transcript, own, options } = given;
	const { model, upstream, setting } = session.context;
	// its calls would go elsewhere, and be recorded as that model's
	if (model && !upstream) throw new ProgramFailure(`a program cannot ask ${model.id}: its requests have nowhere to go`);
	const { signal } = own;
	const gateway = await openGateway(session, {
		transcript,
		upstream,
		mostRequests: mostRequests(setting),
		signal,
		onFailure: (error) => own.abort(error),
	});
	try {
		const { environment = programEnvironment(process.env), headers = {} } = options;
		const job = { session, gateway, folder, modelName: upstream?.model, environment, headers, signal };
		const said = await options.reach(job);
		await Promise.race([gateway.settled(), aborted(signal)]);
		signal.throwIfAborted();
		return said;
	} catch (error) {
		signal.throwIfAborted();
		return excused(error, gateway);
	} finally {
		await gateway.close();
		transcript.close();
	}
}

/** A program that gave up since its model was out of reach, or its budget spent, is not to blame for that. */
function excused(error: unknown, { model }: Gateway): Said {
	if (!(error instanceof ProgramFailure)) throw error;
	if (model?.refused) return { answer: null, abstained: false, stop: "turn-limit", usage: noUsage };
	const { failure } = model ?? {};
	if (!failure) throw error;
	const { message, status } = failure;
	throw new ModelError(message, status === undefined ? { kind: "transient" } : { status });
}

const aborted = (signal: AbortSignal) =>
	new Promise<void>((resolve) => {
		if (signal.aborted) resolve();
		signal.addEventListener("abort", () => resolve(), { once: true });
	});

async function imagesByHash(folder: WorkFolder, view: TaskView): Promise<Map<string, string>> {
	const files = new Map<string, string>();
	for (const [index, { file: copy }] of folder.images.entries()) {
		const file = view.images[index]?.file;
		if (copy !== undefined && file !== undefined)
			files.set(
				createHash("sha256")
					.update(await readFile(copy))
					.digest("hex"),
				file,
			);
	}
	return files;
}
