/** How the verdicts at which flipped tasks broke are drawn and said. */
import type { Legend, Mark } from "../../../../src/studio/pages.ts";
import { markOf } from "../../data/legend.ts";

/** As many shades as there are beside that of nothing seen; further verdicts begin anew. */
const shades = 6;
const nothingSeen = 6;

export const shadeOf = (verdict: string, order: readonly string[]): number =>
	verdict === "" ? nothingSeen : order.filter((one) => one !== "").indexOf(verdict) % shades;

export const verdictWords = (verdict: string, legend: Legend): Pick<Mark, "mark" | "plainly" | "meaning"> =>
	verdict === ""
		? { mark: "◌", plainly: "no hop is seen to be broken", meaning: "What is recorded shows no broken hop." }
		: markOf(legend.verdicts, verdict);
