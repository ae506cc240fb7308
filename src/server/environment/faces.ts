import type { Sessions } from "#training";
import { httpErrorOf } from "../http-error.ts";
import { type Limiter, runOne } from "../limiter.ts";
import { openEnvFace } from "../open-env/face.ts";
import { openRewardFace } from "../open-reward/face.ts";
import { episodeFace } from "./episodes.ts";
import type { Face } from "./face.ts";
import { mcpFace } from "./mcp.ts";
import { nemoFace } from "./nemo.ts";
import { scoreFace } from "./score.ts";

/** Every way in which clients play the episodes of an environment. */
export function environmentFaces({
	sessions,
	limiter,
	onProblem,
}: {
	sessions: Sessions;
	limiter: Limiter;
	onProblem(message: string): void;
}): Required<Face> {
	const faces: Face[] = [
		episodeFace(sessions),
		scoreFace(sessions),
		mcpFace(sessions),
		nemoFace(sessions),
		openRewardFace({ sessions }),
		openEnvFace({
			sessions,
			work: (job, signal) => runOne(limiter, job, signal),
			failed(error) {
				const failure = httpErrorOf(error);
				if (failure.status >= 500)
					onProblem(`openenv: ${failure.cause instanceof Error ? failure.cause.message : failure.message}`);
				return failure;
			},
		}),
	];
	return {
		routes: faces.flatMap(({ routes }) => routes),
		upgrades: faces.flatMap(({ upgrades = [] }) => upgrades),
	};
}
