import { z } from "zod";
import { addUsage, freeRecord, type Message, noUsage, parseJson, type Usage } from "#domain";
import { type AgentTurn, stepsOfTurns, textOfContent } from "./agent-turns.ts";
import { isTooDeep, written } from "./traces/values.ts";
import {
	type FileFormat,
	issueOf,
	most,
	stopOf,
	type Transcript,
	type TranscriptFile,
	type TranscriptsRead,
} from "./transcript.ts";

const mostTrajectories = 100_000;
const mostCharacters = 512 * 1024 * 1024;

const Text = z.string().max(10_000_000);
const Content = z.union([Text, z.array(z.object({ type: z.string().max(100), text: Text.nullish() })).max(10_000)]);
const Count = z.number().int().min(0).max(1e15).nullish().catch(undefined);
const Metrics = z
	.object({
		...{ prompt_tokens: Count, completion_tokens: Count, cached_tokens: Count },
		cost_usd: z.number().min(0).nullish().catch(undefined),
	})
	.nullish()
	.catch(undefined);
const Result = z.object({
	source_call_id: z.string().max(500).nullish(),
	content: Content.nullish(),
	subagent_trajectory_ref: z
		.array(z.object({ trajectory_id: z.string().max(500).nullish() }))
		.max(1000)
		.nullish(),
});
const Step = z.object({
	timestamp: z.string().max(100).nullish().catch(undefined),
	source: z.enum(["system", "user", "agent"]),
	model_name: z.string().max(500).nullish(),
	message: Content.default(""),
	reasoning_content: Text.nullish(),
	tool_calls: z
		.array(
			z.object({
				tool_call_id: z.string().max(500),
				function_name: z.string().max(500),
				arguments: freeRecord(z.unknown()).catch({}),
			}),
		)
		.max(1000)
		.nullish(),
	observation: z.object({ results: z.array(Result).max(10_000) }).nullish(),
	metrics: Metrics,
	llm_call_count: Count,
	is_copied_context: z.boolean().nullish(),
});
type Step = z.infer<typeof Step>;
const Trajectory = z.object({
	schema_version: z.string().regex(/^ATIF-v\d+\.\d+$/),
	session_id: z.string().max(500).nullish(),
	trajectory_id: z.string().max(500).nullish(),
	agent: z.object({ name: z.string().max(200), model_name: z.string().max(500).nullish() }),
	steps: z
		.array(Step)
		.min(1)
		.max(4 * most.steps),
	continued_trajectory_ref: z.string().nullish(),
	subagent_trajectories: z.array(z.unknown()).max(1000).nullish(),
});
type Trajectory = z.infer<typeof Trajectory>;

/** The newest version that this was written from. */
const newest = 7;

/**
 * Trajectories in the Agent Trajectory Interchange Format of Harbor (RFC 0001, ATIF-v1.0 to v1.7): one in a file, several in
 * an array, or one a line. The format has no place for right answers and scores.
 */
export const atifFormat: FileFormat = {
	name: "atif",
	source: {
		name: "ATIF trajectories",
		licence: "unknown",
		attribution: "whoever made the trajectories; what their tools brought back belongs to its authors",
		url: "https://harborframework.com/docs/trajectory-format",
	},
	agent: "atif",
	language: "und",
	documents: { licence: "unknown", attribution: "the document's authors" },
	cautions: [],
	tried: "documentation",
	recognisesFile: ({ head }) => /"schema_version"\s*:\s*"ATIF-v/.test(head.toString("utf8")),
	async readFiles(files) {
		const read: TranscriptsRead = { transcripts: [], refused: [], losses: [] };
		for (const file of files)
			for (const { place, json } of trajectoriesIn(file)) {
				const at = files.length === 1 && place !== "" ? place : [file.name, place].filter(Boolean).join(", ");
				const made = read.transcripts.length < mostTrajectories ? transcriptOf(json) : tooMany;
				if ("problem" in made) read.refused.push({ place: at, reason: made.problem });
				else read.transcripts.push({ place: at, transcript: made });
			}
		return read;
	},
};

const tooMany = { problem: `more than ${mostTrajectories} trajectories` };

function trajectoriesIn({ bytes }: TranscriptFile): { place: string; json: unknown }[] {
	if (bytes.length > mostCharacters) return [{ place: "", json: undefined }];
	const text = bytes.toString("utf8");
	const whole = parseJson(text);
	if (Array.isArray(whole)) return whole.map((json, place) => ({ place: `trajectory ${place + 1}`, json }));
	if (whole !== undefined) return [{ place: "", json: whole }];
	return text
		.split("\n")
		.flatMap((line, place) => (line.trim() === "" ? [] : [{ place: `line ${place + 1}`, json: parseJson(line) }]));
}

function transcriptOf(json: unknown): Transcript | { problem: string } {
	if (json === undefined) return { problem: "not JSON" };
	if (isTooDeep(json)) return { problem: "nests too deep" };
	const parsed = Trajectory.safeParse(json);
	if (!parsed.success) return { problem: issueOf(parsed.error) };
	const trajectory = parsed.data;
	const { steps: told, agent, schema_version: version } = trajectory;
	const losses = new Set<string>();
	if (!isKnown(version)) losses.add(`read as ATIF-v1.${newest}, and it is ${version}`);
	if (trajectory.continued_trajectory_ref) losses.add("goes on in another file, which is not read");
	const question = textOfContent(told.find(({ source }) => source === "user")?.message)
		.trim()
		.slice(0, 100_000);
	if (question === "") return { problem: "no step of a user that asks anything" };
	const turns = turnsOf(trajectory, losses);
	const last = told.filter(isNew).at(-1);
	const ends = last?.source === "agent" && !last.tool_calls?.length;
	const answer = (ends ? textOfContent(last.message).trim().slice(0, most.answer) : "") || null;
	const { steps, losses: assumed } = stepsOfTurns(turns);
	if (steps.length > most.steps) return { problem: `more than ${most.steps} steps` };
	const { stop, losses: ended } = stopOf(answer);
	const times = told.flatMap(({ timestamp }) => Date.parse(timestamp ?? "") || []);
	const models = told.flatMap((step) => (step.source === "agent" ? (step.model_name ?? agent.model_name ?? []) : []));
	const id = trajectory.trajectory_id ?? trajectory.session_id;
	return {
		...(id ? { id } : {}),
		...{ question, accepted: [], tags: {}, steps, answer, stop, messages: told.flatMap(messagesOf) },
		...(times.length > 0
			? { at: new Date(Math.min(...times)).toISOString(), ms: Math.max(...times) - Math.min(...times) }
			: {}),
		usage: turns.map(({ usage = noUsage }) => usage).reduce(addUsage, noUsage),
		...{ models: [...new Set(models)], agent: agent.name, losses: [...losses, ...ended, ...assumed] },
	};
}

function isKnown(version: string): boolean {
	const [, major, minor] = /v(\d+)\.(\d+)$/.exec(version) ?? [];
	return Number(major) === 1 && Number(minor) <= newest;
}

/** Steps that were carried over from an earlier trajectory are no steps of this one. */
const isNew = ({ is_copied_context: copied }: Step) => copied !== true;

/** The agent's steps as turns, those of agents that it delegated to behind the step that did. */
function turnsOf(
	{ steps, agent, subagent_trajectories: delegated }: Trajectory,
	losses: Set<string>,
	role?: string,
): AgentTurn[] {
	if (!steps.every(isNew)) losses.add("steps copied from an earlier trajectory are left out");
	const others = new Map(
		(delegated ?? []).flatMap((json) => {
			const parsed = Trajectory.safeParse(json);
			if (!parsed.success) losses.add("the trajectory of an agent within the agent could not be read");
			return parsed.success ? [[parsed.data.trajectory_id ?? "", parsed.data] as const] : [];
		}),
	);
	const last = steps.at(-1);
	return steps.filter(isNew).flatMap((step): AgentTurn[] => {
		if (step.source !== "agent") return [];
		const refs = (step.observation?.results ?? []).flatMap((result) => result.subagent_trajectory_ref ?? []);
		const under = refs.flatMap(({ trajectory_id: id }) => {
			const other = others.get(id ?? "");
			// one level: what delegates again is told
			if (!other) losses.add("the trajectory of an agent within the agent stands in another file, which is not read");
			return other && role === undefined ? turnsOf(other, losses, other.agent.name) : [];
		});
		const answers = step === last && role === undefined && !step.tool_calls?.length;
		return [turnOf(step, { answers, role: role ?? (others.size > 0 ? agent.name : undefined) }), ...under];
	});
}

function turnOf(step: Step, { answers, role }: { answers: boolean; role: string | undefined }): AgentTurn {
	const { reasoning_content: reasoning, message, tool_calls: made, observation, metrics, llm_call_count: calls } = step;
	const said = answers ? "" : textOfContent(message);
	const results = observation?.results ?? [];
	const only = made?.length === 1 && results.length === 1;
	return {
		thought: [reasoning ?? "", said].filter((one) => one.trim() !== "").join("\n"),
		calls: (made ?? []).map((call) => {
			const result = results.find((one) => one.source_call_id === call.tool_call_id) ?? (only ? results[0] : undefined);
			return { name: call.function_name, arguments: call.arguments, result: result && textOfContent(result.content) };
		}),
		...(metrics ? { usage: usageOf(metrics, calls ?? 1) } : {}),
		...(role === undefined ? {} : { role }),
	};
}

/** ATIF counts cached tokens among those of the prompt, as we do. */
function usageOf(metrics: NonNullable<z.infer<typeof Metrics>>, calls: number): Usage {
	const { prompt_tokens: input, completion_tokens: output, cached_tokens: cached, cost_usd: cost } = metrics;
	return {
		...{ calls, inputTokens: input ?? 0, outputTokens: output ?? 0 },
		...(cached ? { cachedTokens: cached } : {}),
		...(cost ? { cost } : {}),
	};
}

function messagesOf({ source, message, reasoning_content: thought, tool_calls: made, observation }: Step): Message[] {
	const text = textOfContent(message);
	const content: Message["content"] = text === "" ? [] : [{ type: "text", text }];
	if (source !== "agent") return [{ role: source, content }];
	const calls = (made ?? []).map((call) => ({
		id: call.tool_call_id,
		name: call.function_name,
		arguments: written(call.arguments),
	}));
	return [
		{ role: "assistant", ...(thought ? { thought } : {}), ...(calls.length > 0 ? { calls } : {}), content },
		...(observation?.results ?? []).map(
			(result): Message => ({
				role: "tool",
				...(result.source_call_id ? { callId: result.source_call_id } : {}),
				content: [{ type: "text", text: textOfContent(result.content ?? "") }],
			}),
		),
	];
}
