import { isUnknown } from "../driver/recorder.ts";
import type { Said } from "./job.ts";
import type { Report } from "./reported.ts";

/** A final line as the end of a task. */
export function saidIn({ final, usage }: Report): Said {
	const { answer, abstained, stop, cited, plan } = final;
	const declined = abstained ?? (stop === "answered" && (answer === null || isUnknown(answer)));
	return {
		answer: declined || answer === null || answer.trim() === "" ? null : answer,
		abstained: declined,
		stop,
		usage,
		...(cited ? { cited } : {}),
		...(plan === undefined ? {} : { plan }),
	};
}
