import type { HopVerdict } from "#domain";
import { openDiagnosed } from "./diagnosed-run.ts";
import type { Bench } from "./work.ts";

/** An attempt whose answer is not right, and where its chain broke. */
export interface FailedTask {
	task: string;
	repeat: number;
	question: string;
	answer: string | number | string[] | null;
	/** What would have been right. */
	accepted: string[];
	/** The first hop that broke, and how; null where no hop was seen to, or the task has no chain. */
	broke: { hop: string; verdict: HopVerdict } | null;
	/** Hops of its chain that were judged, and those of them that were solved. */
	hops: { judged: number; solved: number };
	/** Every finding in a sentence, in the order of the steps. */
	says: string[];
}

/** The attempts of a run that failed, those that got least far first; `verdict`: only where the first broken hop has it. */
export async function failedTasks(
	name: string,
	{ most = 20, verdict }: { most?: number | undefined; verdict?: string | undefined },
	bench: Bench,
): Promise<{ run: string; failed: number; shown: FailedTask[] }> {
	const { run, diagnosed } = await openDiagnosed(name, {}, bench);
	try {
		const failed = diagnosed.flatMap(({ task, record, diagnosis }): FailedTask[] => {
			if (diagnosis.right !== false) return [];
			const judged = diagnosis.hops.flatMap((hop) => (hop.is === "judged" ? [hop] : []));
			const broken = judged.find(({ hop }) => hop === diagnosis.firstBroken);
			if (verdict !== undefined && broken?.verdict !== verdict) return [];
			return [
				{
					...{ task: task.id, repeat: record.repeat, question: task.question },
					...{ answer: record.trajectory.answer, accepted: task.answer.accepted },
					broke: broken ? { hop: broken.hop, verdict: broken.verdict } : null,
					hops: { judged: judged.length, solved: judged.filter((hop) => hop.verdict === "solved").length },
					says: diagnosis.findings.map(({ says }) => says),
				},
			];
		});
		const share = ({ hops }: FailedTask) => (hops.judged === 0 ? 1 : hops.solved / hops.judged);
		const shown = failed.sort((a, b) => share(a) - share(b) || (a.task < b.task ? -1 : 1)).slice(0, most);
		return { run: run.manifest.id, failed: failed.length, shown };
	} finally {
		await run.close();
	}
}
