import { saidByLanguage } from "../text-reading.ts";
import type { BenchmarkCheck } from "./check.ts";
import type { FoundProblems } from "./finding.ts";

/** Words for the present, by language: what they ask for is another thing next year. */
const present: Record<string, RegExp> = {
	de: /\b(?:aktuell|derzeit|heute|gegenwärtig|jetzig|neueste|momentan)\w*/iu,
	en: /\b(?:current(?:ly)?|now|today|at present|present-day|latest|most recent|newest|nowadays|so far|to date|still|incumbent|this (?:year|month|season)|as of (?:now|today))\b/iu,
	es: /\b(?:actual(?:mente)?|hoy|ahora|último|última|más reciente|vigente)\b/iu,
	fr: /\b(?:actuel(?:le(?:ment)?)?|aujourd['’]hui|maintenant|dernier|dernière|plus récente?)\b/iu,
	it: /\b(?:attual(?:e|mente)|oggi|adesso|più recente)\b/iu,
	pt: /\b(?:atual(?:mente)?|hoje|agora|mais recente)\b/iu,
	ja: /現在|今の|最新|最近/u,
	zh: /目前|现在|現在|当前|最新|最近|如今|现任/u,
	ar: /حاليا|الحالي(?:ة)?|الآن|اليوم|أحدث|الأحدث/u,
};
/** What changes without saying so (English): holders of offices, records, counts. */
const changing =
	/\b(?:president|prime minister|chancellor|mayor|governor|ceo|chief executive|head coach|manager|captain|king|queen|leader|population|inhabitants|gdp|richest|tallest|largest|biggest|fastest|highest[- ]paid|world record|net worth|how old)\b/iu;
/** A year, or a date, ties the question to a time. */
const anchored = /(?<!\d)(?:1\d{3}|20\d{2})(?!\d)/u;

/** Questions whose answer may change, without a date on which it was found right (`asOf`) or a year in the question. */
export const timeVaryingCheck: BenchmarkCheck = {
	name: "time-varying",
	about: "answers that can change say on which day they were right (asOf), or the question names its time",
	async run({ tasks }) {
		const findings: FoundProblems = [];
		let looked = 0;
		let dated = 0;
		for await (const task of tasks) {
			looked += 1;
			if (task.answer.asOf !== undefined) dated += 1;
			if (task.answer.asOf !== undefined || anchored.test(task.question)) continue;
			const now = saidByLanguage(task, present);
			const [what] = now === undefined ? (changing.exec(task.question) ?? []) : [];
			const said = now ?? what;
			if (said === undefined) continue;
			findings.push({
				...{ code: now === undefined ? "may-change" : "asks-for-now", task: task.id },
				severity: now === undefined ? ("note" as const) : ("warning" as const),
				message: `task ${task.id}: "${said}" has other answers at other times, and no asOf says when this one was right`,
			});
		}
		return { looked, findings, figures: [{ name: "answers with asOf", value: dated, of: looked }] };
	},
};
