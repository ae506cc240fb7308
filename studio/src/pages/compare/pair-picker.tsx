import type { ComparedPair } from "../../../../src/studio/pages.ts";
import styles from "./pair-picker.module.css";

const titleOf = ({ a, b }: ComparedPair) => `${a.toUpperCase()} − ${b.toUpperCase()}`;

/** Of more than two runs: which two the differences and flips are of. */
export const PairPicker = ({
	pairs,
	chosen,
	onChoose,
}: {
	pairs: readonly ComparedPair[];
	chosen: ComparedPair;
	onChoose: (pair: string) => void;
}) =>
	pairs.length < 2 ? null : (
		<fieldset className={styles.pairs}>
			<legend>Compared</legend>
			{pairs.map((pair) => (
				<label key={pair.a + pair.b}>
					<input type="radio" name="pair" checked={pair === chosen} onChange={() => onChoose(pair.a + pair.b)} />
					<span>{titleOf(pair)}</span>
				</label>
			))}
		</fieldset>
	);
