import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { Media } from "../../../../../src/studio/pages.ts";
import type { BenchmarkTask, GoldHop } from "../../../../../src/studio/sources-pages.ts";
import { benchmarkMedia, useBenchmark, useGoldEvidence } from "../../../data/sources.ts";
import { EvidenceCard } from "../../../parts/evidence-card.tsx";
import { plural } from "../../../parts/format.ts";
import styles from "./gold-hop-card.module.css";

/** One hop with what it asks, what is right, and its evidence on demand; without a hop: what the source marks as supporting. */
export function GoldHopCard({
	name,
	page: { task, hops, supporting },
	hop,
	pointed,
	onPicture,
}: {
	name: string;
	page: BenchmarkTask;
	hop: GoldHop | null;
	pointed: boolean;
	onPicture: (picture: Media) => void;
}) {
	const [open, setOpen] = useState(pointed);
	useEffect(() => {
		if (pointed) setOpen(true);
	}, [pointed]);
	const count = hop ? hop.evidence : supporting;
	const evidence = useGoldEvidence(name, { task, hop: hop?.id ?? "" }, open && count > 0);
	const knowledge = useBenchmark(name).data?.knowledge;
	const others = hop?.accepted.filter((one) => one !== hop.gold) ?? [];
	return (
		<article className={styles.card} id={`hop-${hop?.id ?? ""}`} data-pointed={pointed || undefined}>
			{hop && (
				<>
					<header>
						<b>Hop {hop.place}</b>
						<span>{hop.modality.toLowerCase()}</span>
						{hop.relation !== "" && <code>{hop.relation}</code>}
						{hop.needs.map(({ hop: needed, role }) => (
							<span key={needed}>
								{role} from hop {hops.find(({ id }) => id === needed)?.place ?? needed}
							</span>
						))}
					</header>
					<p className={styles.question} dir="auto">
						{hop.question}
					</p>
					<p className={styles.gold}>
						<span aria-hidden="true">◆</span> <bdi>{hop.gold}</bdi>
						{others.length > 0 && (
							<small title={others.join(" · ")}>
								also <bdi>{others.slice(0, 4).join(" · ")}</bdi>
								{others.length > 4 && ` and ${others.length - 4} more`}
							</small>
						)}
					</p>
				</>
			)}
			{count === 0 ? (
				<p className={styles.none}>It rests on no evidence of its own.</p>
			) : (
				<button type="button" className={styles.more} aria-expanded={open} onClick={() => setOpen(!open)}>
					{open ? "▾" : "▸"} {plural(count, "piece")} of evidence{hop && count > 1 && ": any one suffices"}
				</button>
			)}
			{open && evidence.isError && (
				<p role="alert" className={styles.problem} dir="auto">
					{evidence.error.message}{" "}
					<button type="button" onClick={() => void evidence.refetch()}>
						Try again
					</button>
				</p>
			)}
			{open && count > 0 && !evidence.data && !evidence.isError && <p className={styles.none}>Fetching …</p>}
			{open &&
				evidence.data?.evidence.map((card) => (
					<div key={card.id}>
						<EvidenceCard run={benchmarkMedia(name)} card={card} is="gold" onPicture={onPicture} />
						{knowledge?.there && card.kind !== "unknown" && (
							<Link
								className={styles.document}
								to="/knowledge/$name/documents/$document"
								params={{ name: knowledge.name, document: card.document }}
								search={{ at: card.id }}
							>
								its document
							</Link>
						)}
					</div>
				))}
			{open && evidence.data && evidence.data.of > evidence.data.evidence.length && (
				<p className={styles.none}>and {evidence.data.of - evidence.data.evidence.length} more</p>
			)}
		</article>
	);
}
