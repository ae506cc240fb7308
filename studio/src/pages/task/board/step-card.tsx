import type { EvidenceCard, TaskStep } from "../../../../../src/studio/pages.ts";
import { resultMarks } from "../../../parts/evidence-card.tsx";
import { showTime } from "../../../parts/format.ts";
import { Picture } from "../../../parts/picture.tsx";
import { Spans } from "../../../parts/spans.tsx";
import { Unseen } from "../../../parts/unseen.tsx";
import { readWords, stepTags } from "../step-words.ts";
import styles from "./step-card.module.css";

interface Props {
	run: string;
	step: TaskStep;
	evidence: Readonly<Record<string, EvidenceCard>>;
	selected: boolean;
	onSelect: () => void;
}

const mostMarks = 10;

/** One step of the agent: what it asked for, what came back, and what it read. Its height never changes on a wide page. */
export function StepCard({ run, step, evidence, selected, onSelect }: Props) {
	const pictures = step.results.flatMap(({ id }) => evidence[id]?.picture ?? []).slice(0, 2);
	return (
		<button
			type="button"
			className={styles.step}
			data-measured={`step:${step.index}`}
			data-is={kindOf(step)}
			aria-pressed={selected}
			onClick={onSelect}
		>
			<span className={styles.number}>
				<Unseen>Step </Unseen>
				{step.index + 1}
			</span>
			<span className={styles.asked}>
				<span className={styles.tool}>
					{step.role !== null && <bdi>{step.role} · </bdi>}
					<bdi>{step.tool ?? "no call"}</bdi>
				</span>
				<span className={styles.query}>
					{step.query.length > 0 ? <Spans spans={step.query} /> : <bdi>{step.subQuestion ?? step.thought ?? ""}</bdi>}
				</span>
			</span>
			<span className={styles.came}>
				<Results step={step} />
				{step.stray && <Tag says={stepTags.stray} />}
				{step.repeated && <Tag says={stepTags.repeated} />}
				{step.error !== null && (
					<span className={styles.error} title={step.error}>
						⚠ <bdi>{step.error}</bdi>
					</span>
				)}
				<Read step={step} />
				{step.ms > 0 && <span className={styles.time}>{showTime(step.ms)}</span>}
			</span>
			{pictures.length > 0 && (
				<span className={styles.pictures}>
					{pictures.map((picture) => (
						<Picture key={picture.name} run={run} picture={picture} height={36} />
					))}
				</span>
			)}
		</button>
	);
}

/** A word for what is odd about a step. What it means opens beside it, for the mouse and for the keyboard. */
const Tag = ({ says: { name, meaning } }: { says: { name: string; meaning: string } }) => (
	<span className={styles.tag} title={meaning}>
		<span>{name}</span>
		<span className={styles.meaning}>: {meaning}</span>
	</span>
);

/** `gold`: brought evidence of a hop that it aimed at; `missed`: aimed and did not; `stray`: has to do with no hop. */
function kindOf({ aimed, brought, stray, error }: TaskStep): string {
	if (stray) return "stray";
	if (aimed.some((hop) => brought.includes(hop))) return "gold";
	return aimed.length > 0 || error !== null ? "missed" : "besides";
}

function Results({ step: { results, more, tool } }: { step: TaskStep }) {
	if (results.length === 0) return tool === null ? null : <span className={styles.none}>nothing came back</span>;
	const shown = results.slice(0, mostMarks);
	const rest = results.length - shown.length + more;
	const counted = (["gold", "other-hop", "other"] as const).flatMap((kind) => {
		const own = results.filter(({ is }) => is === kind).length;
		return own === 0 ? [] : `${own} ${resultMarks[kind].words}`;
	});
	return (
		<span className={styles.marks} role="img" aria-label={`results: ${counted.join(", ")}`}>
			{shown.map(({ id, rank, is }) => (
				<span key={`${rank} ${id}`} data-is={is}>
					{resultMarks[is].mark}
				</span>
			))}
			{rest > 0 && <span className={styles.rest}>+{rest}</span>}
		</span>
	);
}

function Read({ step: { read } }: { step: TaskStep }) {
	if (read === null) return null;
	if (read.text.trim() === "") return <i className={styles.read}>read nothing</i>;
	const { verb, mark, after } = readWords(read);
	return (
		<span className={styles.read} data-is={read.is} title={`${verb} ${read.text}${after}`}>
			{verb}{" "}
			<b>
				{mark} <bdi>{read.text}</bdi>
			</b>
			{after}
		</span>
	);
}
