import {
	type Agent,
	type AgentContext,
	createTools,
	openEpisode,
	type PolicyMove,
	type Tools,
	type Web,
} from "#agents";
import { HopscopeError, type Step, type Task, type Trajectory, viewOf } from "#domain";

/**
 * The trajectory of moves that were made elsewhere, by the same protocol as an episode's, without a search: results are
 * unknown and empty. Pictures are cut, since whether a box is valid depends on them.
 *
 * Throws `too-many-turns` where the protocol's limit comes before the last move: those who played had another limit.
 * Words behind the answer count as such, and cost the format.
 */
export async function replayMoves(
	task: Task,
	moves: PolicyMove[],
	{
		knowledge,
		agent,
		setting,
		web,
		imagePath,
	}: Pick<AgentContext, "knowledge" | "setting" | "imagePath"> & { agent: Agent; web?: Web },
): Promise<Trajectory> {
	const view = viewOf(task);
	const { signal } = new AbortController();
	const tools = unsearched(createTools(knowledge, view, imagePath, web ? { web } : {}));
	const episode = await openEpisode(agent, view, { tools, knowledge, setting, signal, repeat: 0, imagePath });
	for (const [at, move] of moves.entries()) {
		const { over } = await episode.take(move);
		if (!over) continue;
		const trajectory = episode.trajectory();
		const left = moves.slice(at + 1).reduce((sum, one) => sum + (one.is === "calls" ? 1 : one.text.length), 0);
		if (left === 0) return trajectory;
		if (trajectory.stop !== "answered") throw tooManyTurns(task, at + 1);
		return { ...trajectory, steps: withDropped(trajectory.steps, left) };
	}
	return episode.trajectory();
}

/** The tools of an episode, none of which finds anything. */
function unsearched({ image_crop, web_search, web_image_search, web_read }: Tools): Tools {
	const nothing = async () => ({ results: [] });
	return {
		text_search: nothing,
		page_search: nothing,
		image_search_by_text: nothing,
		image_search_by_image: nothing,
		...(image_crop ? { image_crop } : {}),
		...(web_search ? { web_search: nothing } : {}),
		...(web_image_search ? { web_image_search: nothing } : {}),
		...(web_read ? { web_read: async ({ address }) => ({ address, title: "", text: "" }) } : {}),
	};
}

function withDropped(steps: Step[], dropped: number): Step[] {
	const last = steps.at(-1);
	return last ? [...steps.slice(0, -1), { ...last, dropped: (last.dropped ?? 0) + dropped }] : steps;
}

const tooManyTurns = ({ id }: Task, turns: number) =>
	new HopscopeError(
		"too-many-turns",
		`${id} ends after ${turns} turns here, and there are more`,
		"Score with the limit by which the episode was played.",
	);
