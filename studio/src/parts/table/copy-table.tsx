import { useState } from "react";
import type { TableFormat } from "../../../../src/studio/pages.ts";
import { Dialog } from "../dialog.tsx";
import styles from "./copy-table.module.css";

const formats: Record<TableFormat, string> = { markdown: "Markdown", csv: "CSV", latex: "LaTeX" };

type Said = { is: "nothing" } | { is: "copied"; format: TableFormat } | { is: "failed"; message: string };

/** Copies a table, whole, as papers and programs take it; where the browser gives no clipboard, shows it to be copied. */
export function CopyTable({ title, text }: { title: string; text: (format: TableFormat) => Promise<string> }) {
	const [said, setSaid] = useState<Said>({ is: "nothing" });
	const [shown, setShown] = useState<string>();
	async function copy(format: TableFormat) {
		try {
			const whole = await text(format);
			try {
				await navigator.clipboard.writeText(whole);
				setSaid({ is: "copied", format });
			} catch {
				setShown(whole);
			}
		} catch (error) {
			setSaid({ is: "failed", message: error instanceof Error ? error.message : String(error) });
		}
	}
	return (
		<div className={styles.copy}>
			<span className={styles.says} role="status">
				{said.is === "copied" ? "Copied" : said.is === "failed" ? said.message : ""}
			</span>
			<span className={styles.label} aria-hidden="true">
				Copy as
			</span>
			{(Object.keys(formats) as TableFormat[]).map((format) => (
				<button
					key={format}
					type="button"
					aria-label={`Copy “${title}” as ${formats[format]}`}
					title={`Copy as ${formats[format]}`}
					onClick={() => void copy(format)}
				>
					{said.is === "copied" && said.format === format ? "✓ " : ""}
					{formats[format]}
				</button>
			))}
			<Dialog open={shown !== undefined} onClose={() => setShown(undefined)} title={title} wide>
				<textarea
					className={styles.text}
					readOnly
					value={shown ?? ""}
					aria-label="The table, to be copied"
					onFocus={({ currentTarget }) => currentTarget.select()}
				/>
			</Dialog>
		</div>
	);
}
