import { useState } from "react";
import type { BudgetPage } from "../../../../src/studio/pages.ts";
import styles from "./commands.module.css";

/** The commands that make re-runs, as they are typed; given again, they resume and do nothing twice. */
export const Commands = ({
	commands,
	cannot,
	none,
}: {
	commands: BudgetPage["commands"];
	cannot: string;
	/** Whether there are no re-runs at all. */
	none: boolean;
}) => (
	<section aria-labelledby="commands">
		<h2 id="commands">{none ? "Find out" : "Find out more"}</h2>
		{cannot !== "" ? (
			<p className={styles.note}>{cannot}</p>
		) : (
			<>
				<p className={styles.note}>
					Each asks the same agent again with a part of the world changed, and keeps the answers as runs of their own.
					With <code>--dry-run</code> it says first how many answers that takes. Given again, it resumes.
				</p>
				<dl className={styles.commands}>
					{commands.map((one) => (
						<Command key={one.command} {...one} />
					))}
				</dl>
			</>
		)}
	</section>
);

function Command({ says, command }: BudgetPage["commands"][number]) {
	const [copied, setCopied] = useState(false);
	const copy = () =>
		navigator.clipboard.writeText(command).then(
			() => setCopied(true),
			// it stands there to be selected
			() => undefined,
		);
	return (
		<div>
			<dt>{says}</dt>
			<dd>
				<code>{command}</code>
				<button type="button" onClick={() => void copy()} aria-label={`Copy the command: ${says}`}>
					{copied ? "Copied" : "Copy"}
				</button>
			</dd>
		</div>
	);
}
