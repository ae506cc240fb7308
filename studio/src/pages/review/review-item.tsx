import { useEffect, useRef, useState } from "react";
import type { ReviewAsk, ReviewEntry, ReviewQueue, ReviewSeat } from "../../../../src/studio/review-pages.ts";
import { type KeyBinding, useKeys } from "../../parts/keys.ts";
import { AnswerPair } from "./answer-pair.tsx";
import { AsksForm } from "./asks-form.tsx";
import { DecisionBar } from "./decision-bar.tsx";
import { type Decision, decisionOf, editsAnything, type HopSaid, optionsOf } from "./draft.ts";
import { EditForm } from "./edit-form.tsx";
import { EvidencePane } from "./evidence-pane.tsx";
import { PartList } from "./part-list.tsx";
import { QuestionHead } from "./question-head.tsx";
import { ReasonPalette } from "./reason-palette.tsx";
import { Revealed } from "./revealed.tsx";
import styles from "./review-item.module.css";
import { useDecision } from "./use-decision.ts";

type Panel = "none" | "reasons" | "edit" | "comment";

/** One item: its question, its parts with their evidence beside them, and the decision below. */
export function ReviewItem({
	seat,
	entry,
	reasons,
	onStep,
	onward,
	onBack,
	onHelp,
}: {
	seat: ReviewSeat;
	entry: ReviewEntry;
	reasons: ReviewQueue["reasons"];
	onStep: (by: number) => void;
	/** To the next item that is open. */
	onward: () => void;
	/** To the item that was decided last. */
	onBack: () => void;
	onHelp: () => void;
}) {
	const { draft, change, busy, underWay, error, decide, takeBack } = useDecision(seat, entry);
	const [part, setPart] = useState(() =>
		Math.max(
			0,
			entry.parts.findIndex(({ asked }) => asked),
		),
	);
	const [ask, setAsk] = useState(0);
	const [panel, setPanel] = useState<Panel>("none");
	const { parts, asks, mine } = entry;
	const isItem = seat.kind === "items";
	const open = mine === null;

	const go = (to: number) => parts[to] && setPart(to);
	function sayOfHop(said: HopSaid) {
		const here = parts[part];
		if (!here || !open) return;
		const hops = { ...draft.hops, [here.id]: said };
		change({ hops });
		// on to what has no mark yet; the last one stays in view
		const next = parts.findIndex((one, at) => at > part && !hops[one.id]);
		if (next >= 0) setPart(next);
	}
	function allRight() {
		if (!open) return;
		change({ hops: Object.fromEntries(parts.map(({ id }) => [id, draft.hops[id] ?? "right"])) });
	}
	function decideAs(decision: Decision) {
		if (!open) return;
		setPanel("none");
		decide(decisionOf(draft, decision, entry));
	}
	function show(next: Panel) {
		if (!open) return;
		leaveFocus();
		setPanel(next);
	}
	function choose(name: string, value: string) {
		const asked = asks.find((one) => one.name === name);
		if (!asked || !open) return;
		const before = draft.given[name] ?? [];
		const several = before.includes(value) ? before.filter((one) => one !== value) : [...before, value];
		const given = { ...draft.given, [name]: asked.several ? several : [value] };
		change({ given });
		const next = asks.findIndex((one, at) => at > ask && !given[one.name]);
		if (!asked.several && next >= 0) setAsk(next);
	}
	function chooseByKey(key: string) {
		const here = asks[ask];
		const option = here?.options.find((one) => one.key === key);
		if (here && option) choose(here.name, option.value);
	}
	function noToAll() {
		if (!open) return;
		const rest = asks.filter(({ name, options }) => !draft.given[name] && options.some(({ value }) => value === "no"));
		change({ given: { ...draft.given, ...Object.fromEntries(rest.map(({ name }) => [name, ["no"]])) } });
	}
	// a search can be answered with "cannot say"; of an answer that stays open of which nothing can be said
	const answered = ({ name, several }: ReviewAsk) => several || draft.given[name] !== undefined;
	const complete = seat.kind === "hops" ? asks.every(answered) : asks.some(answered);
	function keepOptions() {
		const none = asks.flatMap(({ name, several }) => (several && !draft.given[name] ? [[name, []]] : []));
		const full = { ...draft, given: { ...draft.given, ...Object.fromEntries(none) } };
		if (complete) decide(optionsOf(full, asks));
	}
	// Enter that comes before the decision is on disk goes on as soon as it is
	const hurries = useRef(false);
	useEffect(() => {
		if (underWay.current) return;
		const goes = hurries.current && !open;
		hurries.current = false;
		if (goes) onward();
	});
	function enter() {
		if (underWay.current) hurries.current = true;
		else if (!open) onward();
		else if (panel === "reasons") decideAs("discard");
		else if (!isItem) keepOptions();
	}
	const toggleReason = (reason: string | undefined) => {
		if (!reason) return;
		const given = draft.reasons.includes(reason)
			? draft.reasons.filter((one) => one !== reason)
			: [...draft.reasons, reason];
		change({ reasons: given });
	};

	const digits: KeyBinding = {
		keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
		says: "",
		does: ({ key }) => {
			if (panel === "reasons" || panel === "edit") toggleReason(reasons[Number(key) - 1]?.reason);
			else if (isItem) go(Number(key) - 1);
			else chooseByKey(key);
		},
	};
	const own: KeyBinding[] = isItem
		? [
				{ keys: ["y"], says: "", does: () => sayOfHop("right") },
				{ keys: ["n"], says: "", does: () => sayOfHop("wrong") },
				{ keys: ["u"], says: "", does: () => sayOfHop("unsure") },
				{ keys: ["Y"], says: "", does: allRight },
				{ keys: ["r"], says: "", does: () => decideAs("retain") },
				{ keys: ["d"], says: "", does: () => show("reasons") },
				{ keys: ["e"], says: "", does: () => show("edit") },
				{ keys: ["c"], says: "", does: () => show("comment") },
				{ keys: ["U"], says: "", does: () => decideAs("unsure") },
				{ keys: ["b"], says: "", does: goToPicture },
				{ keys: ["ArrowDown"], says: "", does: () => go(part + 1) },
				{ keys: ["ArrowUp"], says: "", does: () => go(part - 1) },
			]
		: [
				{ keys: ["N"], says: "", does: noToAll },
				{ keys: ["ArrowRight"], says: "", does: () => go(part + 1) },
				{ keys: ["ArrowLeft"], says: "", does: () => go(part - 1) },
				{ keys: ["ArrowDown"], says: "", does: () => setAsk(Math.min(asks.length - 1, ask + 1)) },
				{ keys: ["ArrowUp"], says: "", does: () => setAsk(Math.max(0, ask - 1)) },
				{ keys: asks[ask]?.options.map(({ key }) => key) ?? [], says: "", does: ({ key }) => chooseByKey(key) },
			];
	useKeys([
		...own,
		digits,
		{ keys: ["Enter"], says: "", does: enter },
		{ keys: ["Escape"], says: "", does: () => setPanel("none") },
		{ keys: ["z"], says: "", does: () => (open ? onBack() : takeBack()) },
		{ keys: ["s"], says: "", does: onward },
		{ keys: ["j"], says: "", does: () => onStep(1) },
		{ keys: ["k"], says: "", does: () => onStep(-1) },
		{ keys: ["?"], says: "", does: onHelp },
	]);

	// what a mouse pressed keeps no focus: Enter is the page's again
	useEffect(() => {
		const release = ({ detail }: MouseEvent) => detail > 0 && leaveFocus();
		window.addEventListener("click", release);
		return () => window.removeEventListener("click", release);
	}, []);

	const here = parts[part];
	const boxes = draft.boxes;
	// of an answer drawn without its steps there is nothing but the answer
	const bare = seat.kind === "answers" && parts.length === 0;
	return (
		<>
			<QuestionHead
				queue={seat}
				entry={entry}
				boxes={boxes}
				onBoxes={open ? (next) => change({ boxes: next }) : undefined}
				hop={here?.id}
			/>
			<main className={styles.board} data-kind={seat.kind} data-item={entry.id} data-bare={bare || undefined}>
				{bare ? (
					<AnswerPair entry={entry} />
				) : (
					<>
						<section
							className={styles.parts}
							aria-label={isItem ? "Hops" : seat.kind === "answers" ? "Steps" : "What the agent did"}
						>
							<PartList
								entry={entry}
								said={isItem ? draft.hops : undefined}
								at={part}
								onGo={setPart}
								onSay={isItem && open ? sayOfHop : undefined}
							/>
						</section>
						<EvidencePane
							queue={seat}
							entry={entry}
							part={here}
							boxes={boxes}
							onBoxes={isItem && open ? (next) => change({ boxes: next }) : undefined}
						/>
					</>
				)}
				<aside className={styles.side} aria-label="What others said">
					{!isItem && (
						<AsksForm asks={asks} given={draft.given} at={ask} onAt={setAsk} onChoose={open ? choose : undefined} />
					)}
					<Revealed entry={entry} />
				</aside>
			</main>
			<footer className={styles.foot}>
				{panel === "reasons" && (
					<ReasonPalette
						reasons={reasons}
						chosen={draft.reasons}
						onToggle={toggleReason}
						onDone={() => decideAs("discard")}
						onClose={() => setPanel("none")}
					/>
				)}
				{(panel === "edit" || panel === "comment") && (
					<EditForm
						entry={entry}
						draft={draft}
						reasons={reasons}
						comment={panel === "comment"}
						onChange={change}
						onToggle={toggleReason}
						onDone={
							panel === "comment"
								? () => setPanel("none")
								: editsAnything(draft, entry)
									? () => decideAs("edit")
									: undefined
						}
						onClose={() => setPanel("none")}
					/>
				)}
				<DecisionBar
					kind={seat.kind}
					mine={mine}
					busy={busy}
					error={error}
					ready={complete}
					onDecide={decideAs}
					onPanel={show}
					onKeep={keepOptions}
					onSkip={onward}
					onUndo={takeBack}
					onward={onward}
				/>
			</footer>
		</>
	);
}

/** To the first picture, and from one to the next; where none stands in the page, the question's is opened. */
function goToPicture(): void {
	const surfaces: (Element | null)[] = [...document.querySelectorAll("[data-boxes]")];
	const next = surfaces[(surfaces.indexOf(document.activeElement) + 1) % surfaces.length];
	if (next instanceof HTMLElement) next.focus();
	else document.querySelector<HTMLElement>("[data-opens-picture]")?.click();
}

/** Fields keep the focus, buttons and pictures give it up. */
function leaveFocus(): void {
	const focused = document.activeElement;
	if (focused instanceof HTMLElement && focused.closest("button, [data-boxes]") && !focused.closest("dialog"))
		focused.blur();
}
