import type { ReactNode } from "react";
import type { Legend } from "../../../../src/studio/pages.ts";
import { HelpDialog } from "../../parts/help-dialog.tsx";
import type { KeyBinding } from "../../parts/keys.ts";
import { VerdictMark } from "../../parts/verdict-mark.tsx";
import { stepTags } from "./step-words.ts";
import styles from "./task-help.module.css";

/** The keys of the page, and what its marks, words and lines mean. */
export function TaskHelp({
	open,
	onClose,
	bindings,
	legend,
}: {
	open: boolean;
	onClose: () => void;
	bindings: readonly KeyBinding[];
	legend: Legend | undefined;
}) {
	return (
		<HelpDialog open={open} onClose={onClose} bindings={bindings}>
			<h3 className={styles.title}>What becomes of a hop</h3>
			<dl className={styles.marks}>
				{Object.entries(legend?.verdicts ?? {}).map(([kind, mark]) => (
					<Explained key={kind} sign={<VerdictMark mark={mark} />} name={mark.plainly}>
						{mark.meaning}
					</Explained>
				))}
			</dl>
			<h3 className={styles.title}>Words on the cards</h3>
			<dl className={styles.words}>
				{words.map(({ name, meaning, is }) => (
					<Explained key={name} sign={<span data-is={is}>{name}</span>}>
						{meaning}
					</Explained>
				))}
			</dl>
			<h3 className={styles.title}>Results</h3>
			<dl className={styles.marks}>
				<Explained sign="◆">gold evidence of the hop that the step was made for</Explained>
				<Explained sign="◇">gold evidence of another hop</Explained>
				<Explained sign="○">any other result</Explained>
			</dl>
			<h3 className={styles.title}>Bars and lines</h3>
			<dl className={styles.marks}>
				{lines.map(({ is, meaning }) => (
					<Explained key={is} sign={<span className={styles.sample} data-is={is} />}>
						{meaning}
					</Explained>
				))}
			</dl>
			<h3 className={styles.title}>How an answer ends</h3>
			<ul className={styles.ends}>
				{Object.entries(legend?.stops ?? {}).map(([stop, { plainly, meaning }]) => (
					<li key={stop}>
						<b>{plainly}</b> <span>{meaning}</span>
					</li>
				))}
			</ul>
		</HelpDialog>
	);
}

const Explained = ({ sign, name, children }: { sign: ReactNode; name?: string; children: ReactNode }) => (
	<div>
		<dt>{sign}</dt>
		<dd>
			{name !== undefined && <b>{name} </b>}
			<span>{children}</span>
		</dd>
	</div>
);

const words = [
	{ name: "took X", is: "bad", meaning: "X stands in the place of the gold value of a hop that is not solved." },
	{
		name: "read ✓ X",
		is: "ok",
		meaning: "The step states X, or is seen to have read it, and it is this hop's gold value.",
	},
	{
		name: "read ◇ X (hop 2)",
		is: "plain",
		meaning: "X is the gold value of another hop, not of the one the step was made for.",
	},
	{ name: "read ✕ X", is: "bad", meaning: "X is no gold value." },
	{ name: "used ✕ X", is: "bad", meaning: "X stands in nothing that came back: it was not read, it was made up." },
	{ name: "X underlined by a wave", is: "wave", meaning: "A later search carries on the wrong value X." },
	{
		name: "may have broken here",
		is: "dotted",
		meaning: "Evidence came back, and nothing shows which value was taken from it.",
	},
	{ name: "0 gold found", is: "plain", meaning: "How many pieces of the hop's gold evidence came back, in any step." },
	{ name: stepTags.stray.name, is: "dashed", meaning: `${sentence(stepTags.stray.meaning)}` },
	{ name: stepTags.repeated.name, is: "dashed", meaning: `${sentence(stepTags.repeated.meaning)}` },
	{ name: "never tried", is: "hatched", meaning: "No step searched for the hop that stands beside it." },
] as const;

const lines = [
	{
		is: "gold",
		meaning: "Thick green line and ◆: a step made for the hop brought its gold evidence. Its card has a green bar.",
	},
	{
		is: "missed",
		meaning:
			"Dashed red line and ✕: a step made for the hop brought none of its gold evidence. Its card has a dashed red bar, though other texts may have told it the value.",
	},
	{
		is: "besides",
		meaning: "Thin green line and ◇: the hop's gold evidence came back in a step made for another hop.",
	},
	{
		is: "needs",
		meaning:
			"Line at the left of the hops: the lower one needs the value of the upper one. Dashed red from the break on; dotted where nothing can be said.",
	},
	{
		is: "ring",
		meaning:
			"Thick red ring: the hop where the chain is first seen to break. Dashed frames: hops that rest on a broken one.",
	},
	{
		is: "tear",
		meaning:
			"“Chain breaks here”. It runs across the steps where all that follows rests on the break, and only over the hops where other branches go on beneath it.",
	},
] as const;

function sentence(text: string): string {
	return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
