import { attemptKey, type Diagnosis, grouped, type Task, type Verdict } from "#domain";
import { cohenKappa, type Estimate, type JudgeSeen, judgesIn, stampOf, verdictsOf } from "#scoring";
import { type ErrorView, type ErrorViewName, errorTypesOf, errorViews, sightOfType } from "./error-views.ts";

/** How far the rules and one judge say the same of the same records. */
export interface ErrorAgreement {
	judge: string;
	/** Records that both labelled. */
	records: number;
	/** Of them, those with the very same labels, as far as the rules could see them. */
	same: number;
	/**
	 * Kappa over all labels: each (record, label) that the rules could see is an item where several may hold; else each record
	 * with its one label, where nothing that was not seen could have come before it.
	 */
	overall: Estimate;
	/** Pairs of a record and a label that are left out: the record does not show whether the label holds. */
	unseen: number;
	labels: {
		label: string;
		/** Records that are left out of what follows: they do not show whether the label holds. */
		unseen: number;
		/** Records on which the rules, the judge, and both find it. */
		rules: number;
		judge: number;
		both: number;
		kappa: Estimate;
	}[];
}

type Keyed = Pick<Verdict, "task" | "repeat" | "attempt">;
const none = "none";

/**
 * Cohen's kappa between the error types that the rules give and those of each judge by the view's rubric. A judge's label
 * holds where more than half of its runs over the record name it. Records that only one of the two labelled are left out;
 * of dominant failures those to which the rules give none (right answers among them) too. `judges` is empty, with the reason,
 * where nobody judged.
 */
export function errorAgreement(
	diagnoses: readonly Diagnosis[],
	verdicts: readonly Verdict[],
	{ view, tasks }: { view: ErrorViewName; tasks: readonly Task[] },
): { judges: ErrorAgreement[]; reason?: string } {
	const { rubric }: ErrorView = errorViews[view];
	const seen = judgesIn(verdicts).filter((one) => one.rubric.name === rubric);
	if (seen.length === 0) return { judges: [], reason: `no judge has judged by the rubric ${rubric}` };
	const byId = new Map(tasks.map((task) => [task.id, task]));
	const judgedRight = judgedRightIn(verdicts);
	const labels = Object.keys(errorViews[view].types);
	const found = diagnoses.flatMap((diagnosis): Labelled[] => {
		const task = byId.get(diagnosis.task);
		if (!task) return [];
		const options = { view, task, judgedRight: judgedRight(diagnosis) };
		const sights = labels.map((type) => [type, sightOfType(diagnosis, { ...options, type })] as const);
		const unseen = sights.flatMap(([type, sight]) => (sight === "hidden" || sight === null ? [type] : []));
		return [{ key: attemptKey(diagnosis), types: errorTypesOf(diagnosis, options), unseen: new Set(unseen) }];
	});
	return { judges: seen.map((one) => agreementWith(one, { found, verdicts, view })) };
}

/** The labels that the rules give a record, and those that they could not see. */
interface Labelled {
	key: string;
	types: string[];
	unseen: ReadonlySet<string>;
}

function agreementWith(
	{ judge, rubric, seed }: JudgeSeen,
	{ found, verdicts, view }: { found: readonly Labelled[]; verdicts: readonly Verdict[]; view: ErrorViewName },
): ErrorAgreement {
	const { types, gives }: ErrorView = errorViews[view];
	const votes = votesByRecord(verdictsOf(verdicts, stampOf({ judge, rubric, seed })));
	const pairs = found.flatMap(({ key, types: rules, unseen }) => {
		const labels = votes.get(key);
		if (!labels || (gives === "first" && rules.length === 0)) return [];
		return [{ rules: new Set(rules), judge: new Set(labels), unseen }];
	});
	const labels = Object.keys(types).map((label) => {
		const seen = pairs.filter(({ unseen }) => !unseen.has(label));
		const byRules = seen.map((pair) => pair.rules.has(label));
		const byJudge = seen.map((pair) => pair.judge.has(label));
		return {
			label,
			unseen: pairs.length - seen.length,
			byRules,
			byJudge,
			rules: byRules.filter(Boolean).length,
			judge: byJudge.filter(Boolean).length,
			both: byRules.filter((is, at) => is && byJudge[at]).length,
			kappa: cohenKappa(byRules, byJudge),
		};
	});
	const one = (held: ReadonlySet<string>) => [...held][0] ?? none;
	// a label that needs a judge's grade is no rival of the one that the record shows
	const { beyond = {} }: ErrorView = errorViews[view];
	const isCertain = ({ unseen }: (typeof pairs)[number]) =>
		[...unseen].every((label) => beyond[label] === "judged-right");
	const certain = pairs.filter(isCertain);
	const overall =
		gives === "first"
			? cohenKappa(
					certain.map((pair) => one(pair.rules)),
					certain.map((pair) => one(pair.judge)),
				)
			: cohenKappa(
					labels.flatMap(({ byRules }) => byRules),
					labels.flatMap(({ byJudge }) => byJudge),
				);
	const isSame = (pair: (typeof pairs)[number]) =>
		labels.every(({ label }) => pair.unseen.has(label) || pair.rules.has(label) === pair.judge.has(label));
	return {
		judge,
		records: pairs.length,
		same: pairs.filter(isSame).length,
		overall,
		unseen: labels.reduce((sum, { unseen }) => sum + unseen, 0),
		labels: labels.map(({ byRules: _rules, byJudge: _judge, ...label }) => label),
	};
}

/** By record, the labels that more than half of the runs name; records without a run that came to something are absent. */
function votesByRecord(verdicts: readonly Verdict[]): Map<string, string[]> {
	return new Map(
		[...grouped(verdicts, attemptKey)].flatMap(([key, given]): [string, string[]][] => {
			const named = given.flatMap(({ judgement }) => (judgement.is === "judged" ? [judgement.labels] : []));
			if (named.length === 0) return [];
			const all = [...new Set(named.flat())];
			return [[key, all.filter((label) => 2 * named.filter((one) => one.includes(label)).length > named.length)]];
		}),
	);
}

/** Whether most of the verdicts that grade a record find its answer right; undefined where none grades it. */
export function judgedRightIn(verdicts: readonly Verdict[]): (record: Keyed) => boolean | undefined {
	const last = new Map(verdicts.map((one) => [`${attemptKey(one)} ${JSON.stringify(one.judge)} ${one.run}`, one]));
	const grades = new Map<string, { right: number; all: number }>();
	for (const verdict of last.values()) {
		if (verdict.judgement.is !== "judged" || verdict.judgement.grade === null) continue;
		const key = attemptKey(verdict);
		const { right, all } = grades.get(key) ?? { right: 0, all: 0 };
		grades.set(key, { right: right + (verdict.judgement.grade === "right" ? 1 : 0), all: all + 1 });
	}
	if (grades.size === 0) return () => undefined;
	return (record) => {
		const graded = grades.get(attemptKey(record));
		return graded && 2 * graded.right > graded.all;
	};
}
