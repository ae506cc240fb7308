import type { Command } from "commander";
import { counted, plainLine } from "#domain";
import type { AgreementOn } from "#recipes";
import type { ReviewStatus } from "#workbench";
import { type CommonOptions, type Context, sayNext, withWorkspace } from "../context.ts";
import { figure, inPercent, percent, textTable } from "../text-table.ts";
import { watch } from "../watch.ts";

/** `hopscope review status BENCH`: where the items stand, and how far reviewers agree. */
export function addReviewStatus(review: Command, context: Context): void {
	withWorkspace(review.command("status"))
		.description("How far the review is, how far reviewers agree, and how the checks of models stand up to them")
		.argument("<benchmark>", "a benchmark: its name in the workspace or its folder")
		.addHelpText("after", "\nExample:\n  $ hopscope review status mine")
		.action(async (name: string, options: CommonOptions) => {
			const status = await watch(context, options, (bench) => bench.reviewStatus(name));
			context.output.write(options.json ? JSON.stringify(status) : statusText(name, status));
			sayNext(context, `review settle ${name} --to NAME`, options);
		});
}

const mostShown = 20;

function statusText(name: string, about: ReviewStatus): string {
	const { states, splits, consensus, agreement, checks } = about;
	const { decision, reasons, reviewers } = agreement;
	return [
		`${name}: ${counted(agreement.reviews, "review")} of ${counted(agreement.items, "item")}; ${counted(about.perItem, "reviewer")} an item, ${about.policy}`,
		`retained ${states.retain}, edited ${states.edit}, discarded ${states.discard}, in conflict ${states.conflict}, waiting ${states.waiting}`,
		...(splits.all > 0
			? [
					`reviewers differ on ${splits.all}, ${splits.open} of them not adjudicated${splits.open > 0 ? `: hopscope review queue ${name} --adjudication NAME --to DIR` : ""}`,
				]
			: []),
		...(consensus.length > 0
			? [
					"",
					...textTable([
						["consensus on", "is", "by", "at", "votes before"],
						...consensus
							.slice(0, mostShown)
							.map(({ item, state, by, at, votes }) => [
								plainLine(item, 30),
								state,
								plainLine(by, 30),
								plainLine(at?.slice(0, 10) ?? "–", 10),
								plainLine(votes.map(({ reviewer, decision: said }) => `${reviewer} ${said}`).join(", "), 80),
							]),
					]),
					...(consensus.length > mostShown ? [`and ${consensus.length - mostShown} more: --json lists all`] : []),
				]
			: []),
		...(agreement.reviews > 0 ? ["", ...agreementLines(decision)] : []),
		...(Object.keys(reasons).length > 0
			? [
					"",
					...textTable([
						["reason", "given", "alpha"],
						...Object.entries(reasons).map(([reason, { given, alpha }]) => [reason, String(given), figure(alpha)]),
					]),
				]
			: []),
		...(reviewers.length > 0
			? [
					"",
					...textTable([
						["reviewer", "reviews", "kept %", "as settled %", "traps caught", "s an item"],
						...reviewers.map(({ reviewer, reviews, retained, withSettled, traps, caught, ms }) => [
							plainLine(reviewer, 30),
							String(reviews),
							retained === null ? "–" : percent(retained),
							inPercent(withSettled),
							traps > 0 ? `${caught}/${traps}` : "–",
							ms === null ? "–" : (ms / 1000).toFixed(0),
						]),
					]),
				]
			: []),
		...(checks.length > 0
			? [
					"",
					...textTable([
						["check", "passed: people keep %", "failed: people discard %"],
						...checks.map(({ check, passedKept, failedDiscarded }) => [
							check,
							`${inPercent(passedKept)} of ${passedKept.n}`,
							`${inPercent(failedDiscarded)} of ${failedDiscarded.n}`,
						]),
					]),
				]
			: []),
	].join("\n");
}

function agreementLines({ percent: share, cohen, fleiss, alpha, prevalence }: AgreementOn): string[] {
	const why = (estimate: { value: number | null; reason?: string | undefined }) =>
		estimate.value === null ? ` (${estimate.reason ?? "undefined"})` : "";
	return textTable([
		["keep or discard", ""],
		["pairs that agree %", inPercent(share)],
		...(cohen ? [["Cohen's kappa", `${figure(cohen)}${why(cohen)}`]] : []),
		["Fleiss' kappa", `${figure(fleiss)}${why(fleiss)}`],
		["Krippendorff's alpha", `${figure(alpha)}${why(alpha)}`],
		["share kept %", prevalence === null ? "–" : percent(prevalence)],
	]);
}
