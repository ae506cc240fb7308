import type { Legend } from "../../../../src/studio/pages.ts";
import { HelpDialog } from "../../parts/help-dialog.tsx";
import type { KeyBinding } from "../../parts/keys.ts";
import { VerdictMark } from "../../parts/verdict-mark.tsx";
import styles from "./task-help.module.css";

/** The keys of the page, and what its marks and lines mean. */
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
					<div key={kind}>
						<dt>
							<VerdictMark mark={mark} />
						</dt>
						<dd>
							<b>{mark.plainly}</b> <span>{mark.meaning}</span>
						</dd>
					</div>
				))}
			</dl>
			<h3 className={styles.title}>Lines and results</h3>
			<ul className={styles.lines}>
				<li>◆ gold evidence; ◇ gold of another hop; ○ other</li>
				<li>A solid line with ◆: the step aimed at the hop and brought its gold.</li>
				<li>A dashed line with ✕: the step aimed at the hop and missed.</li>
				<li>A thin line with ◇: its gold came back by the way, in a step made for another hop.</li>
				<li>At the left: which hop needs which; dashed from the break on.</li>
				<li>A filled square with a thick ring: the hop where the chain is first seen to break.</li>
				<li>A wave under a word: a value that was taken wrongly, carried on.</li>
			</ul>
		</HelpDialog>
	);
}
