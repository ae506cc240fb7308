import { Link, useCanGoBack, useNavigate, useParams, useRouter, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { Media } from "../../../../../src/studio/pages.ts";
import type { DocumentPage as Document } from "../../../../../src/studio/sources-pages.ts";
import { knowledgeMedia, useDocument } from "../../../data/sources.ts";
import { Bar } from "../../../parts/bar.tsx";
import { Clipped } from "../../../parts/clipped.tsx";
import { HelpDialog } from "../../../parts/help-dialog.tsx";
import { type KeyBinding, useKeys } from "../../../parts/keys.ts";
import { Picture } from "../../../parts/picture.tsx";
import { type PictureBox, PictureDialog } from "../../../parts/picture-dialog.tsx";
import { Trouble } from "../../../parts/trouble.tsx";
import styles from "./document-page.module.css";
import { DocumentPassage } from "./document-passage.tsx";
import { DocumentSheet } from "./document-sheet.tsx";

const address = { from: "/knowledge/$name/documents/$document" } as const;

/** A document as it was read: its passages, and beside them its pages with their blocks. */
export function DocumentPage() {
	const { name, document } = useParams(address);
	const { at } = useSearch(address);
	const { data: page, isError, error, refetch } = useDocument(name, document);
	const navigate = useNavigate();
	const router = useRouter();
	const canGoBack = useCanGoBack();
	const [help, setHelp] = useState(false);
	const ids = page ? [...page.passages, ...page.images, ...page.pages].map(({ card }) => card.id) : [];
	const point = (id: string | undefined) =>
		id !== undefined &&
		void navigate({
			to: "/knowledge/$name/documents/$document",
			params: { name, document },
			search: { at: id },
			replace: true,
			resetScroll: false,
		});
	const by = (step: number) => () => point(ids[ids.indexOf(at ?? "") + step]);
	const bindings: KeyBinding[] = [
		{ keys: ["j"], says: "point at the next passage, image or page", does: by(1) },
		{ keys: ["k"], says: "point at the previous one", does: by(-1) },
		{
			keys: ["Escape"],
			says: "back",
			// whoever came by a link has nothing to go back to
			does: () => (canGoBack ? router.history.back() : void navigate({ to: "/knowledge/$name", params: { name } })),
		},
		{ keys: ["?"], says: "this help", does: () => setHelp(true) },
	];
	useKeys(bindings);
	return (
		<div className={styles.page}>
			<Bar
				path={[
					<span key="base">
						<Link to="/knowledge/$name" params={{ name }}>
							<bdi>{name}</bdi>
						</Link>{" "}
						/
					</span>,
				]}
				title={page?.title ?? document}
				tags={[document]}
				onHelp={() => setHelp(true)}
			>
				<Link to="/knowledge/$name" params={{ name }} search={{ document }}>
					Search in it
				</Link>
			</Bar>
			<main className={styles.main} aria-busy={!page && !isError}>
				{isError && !page ? (
					<Trouble what="The document could not be opened" error={error} onRetry={() => void refetch()} />
				) : (
					page && <Read name={name} page={page} at={at} onPoint={point} />
				)}
			</main>
			<HelpDialog open={help} onClose={() => setHelp(false)} bindings={bindings} />
		</div>
	);
}

function Read({
	name,
	page,
	at,
	onPoint,
}: {
	name: string;
	page: Document;
	at: string | undefined;
	onPoint: (id: string) => void;
}) {
	const [opened, setOpened] = useState<{ picture: Media; boxes: PictureBox[] } | null>(null);
	const media = knowledgeMedia(name);
	useEffect(() => {
		if (at !== undefined) window.document.querySelector("[data-pointed]")?.scrollIntoView({ block: "nearest" });
	}, [at]);
	const pointed =
		page.passages.find(({ card }) => card.id === at)?.places ??
		page.images.flatMap(({ card, place }) => (card.id === at && place ? [place] : []));
	const reads = page.passages.length + page.images.length > 0;
	return (
		<>
			<dl className={styles.facts}>
				{page.facts.map(({ name: fact, value }) => (
					<div key={fact}>
						<dt>{fact}</dt>
						<dd>
							<Clipped text={value} lines={2} most={160} />
						</dd>
					</div>
				))}
			</dl>
			{page.more && <p className={styles.more}>This document holds more than the 200 of a kind that are shown.</p>}
			<div className={styles.columns} data-sheets={(page.pages.length > 0 && reads) || undefined}>
				<div hidden={!reads}>
					{page.passages.length > 0 && (
						<section aria-labelledby="passages">
							<h2 id="passages">Passages</h2>
							{page.passages.map((passage) => (
								<DocumentPassage
									key={passage.card.id}
									passage={passage}
									pointed={passage.card.id === at}
									onPoint={() => onPoint(passage.card.id)}
								/>
							))}
						</section>
					)}
					{page.images.length > 0 && (
						<section aria-labelledby="images">
							<h2 id="images">Images</h2>
							<div className={styles.images}>
								{page.images.map(({ card }) => (
									<figure key={card.id} data-pointed={card.id === at || undefined}>
										{card.picture && (
											<Picture
												run={media}
												picture={card.picture}
												height={140}
												width={180}
												onOpen={() => card.picture && setOpened({ picture: card.picture, boxes: [] })}
											/>
										)}
										<figcaption>
											<Clipped text={card.text || card.title} lines={5} most={120} />
										</figcaption>
									</figure>
								))}
							</div>
						</section>
					)}
				</div>
				{page.pages.length > 0 && (
					<section aria-labelledby="sheets">
						<h2 id="sheets">Pages</h2>
						{page.pages.map((sheet) => (
							<DocumentSheet
								key={sheet.card.id}
								media={media}
								sheet={sheet}
								pointed={pointed.filter((place) => place.page === sheet.page).map(({ box }) => box)}
								chosen={sheet.card.id === at}
								onOpen={(boxes) => sheet.card.picture && setOpened({ picture: sheet.card.picture, boxes })}
							/>
						))}
					</section>
				)}
			</div>
			<PictureDialog
				run={media}
				picture={opened?.picture ?? null}
				boxes={opened?.boxes ?? []}
				onClose={() => setOpened(null)}
			/>
		</>
	);
}
