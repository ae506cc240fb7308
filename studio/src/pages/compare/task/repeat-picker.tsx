import styles from "./repeat-picker.module.css";

/** Where tasks were answered several times: the repeat that stands for each run, or one of all of them. */
export function RepeatPicker({
	repeats,
	chosen,
	onChoose,
}: {
	repeats: number;
	chosen: number | undefined;
	onChoose: (repeat: number | undefined) => void;
}) {
	if (repeats < 2) return null;
	return (
		<label className={styles.picker}>
			Repeat{" "}
			<select
				value={chosen ?? ""}
				onChange={({ target: { value } }) => onChoose(value === "" ? undefined : Number(value))}
			>
				<option value="">as most went</option>
				{Array.from({ length: repeats }, (_, repeat) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: repeats are numbers
					<option key={repeat} value={repeat}>
						{repeat + 1} of {repeats}
					</option>
				))}
			</select>
		</label>
	);
}
