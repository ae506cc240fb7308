import type { Task } from "#domain";
import type { Failure } from "./failures.ts";

const mostStated = 5;

/**
 * The task with tags that say how it failed, for slices and for whoever reads the reviews; people who review are not shown
 * them. A comment names evidence that holds the answer which was counted wrong: the gold may lack it.
 */
export function failedTask(failure: Failure, run: string): Task {
	const { task, causes, failed, of, finding, brokenHop, said, statedIn, doubt } = failure;
	const stated = [...statedIn.slice(0, mostStated), ...(statedIn.length > mostStated ? ["…"] : [])].join(", ");
	const tags: Record<string, string> = {
		run,
		cause: causes.join("+"),
		failed: `${failed} of ${of}`,
		...(finding === undefined ? {} : { finding }),
		...(brokenHop
			? {
					"broken-hop": brokenHop.hop,
					"broken-how": brokenHop.miss ? `${brokenHop.verdict}: ${brokenHop.miss}` : brokenHop.verdict,
				}
			: {}),
		...(said === undefined ? {} : { said }),
		...(doubt ? { "judge-doubt": `${doubt.is}, mean ${doubt.mean.toFixed(2)} of ${doubt.verdicts}` } : {}),
		...(statedIn.length > 0
			? { "stated-in": stated, comment: `"${said}" was counted wrong and stands in ${stated}` }
			: {}),
	};
	return { ...task, tags: { ...task.tags, ...tags } };
}
