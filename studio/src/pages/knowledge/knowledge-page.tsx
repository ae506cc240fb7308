import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useRef, useState } from "react";
import type { Media } from "../../../../src/studio/pages.ts";
import type { KnowledgeQuery } from "../../../../src/studio/sources-pages.ts";
import { knowledgeMedia, useFound, useKnowledge } from "../../data/sources.ts";
import { Bar } from "../../parts/bar.tsx";
import { plural, showCount } from "../../parts/format.ts";
import { HelpDialog } from "../../parts/help-dialog.tsx";
import { type KeyBinding, useKeys } from "../../parts/keys.ts";
import { PictureDialog } from "../../parts/picture-dialog.tsx";
import { SourceLinks } from "../../parts/source-links.tsx";
import { Trouble } from "../../parts/trouble.tsx";
import type { KnowledgeChange, KnowledgeSearch } from "../../shell/router.tsx";
import { AboutKnowledge } from "./about-knowledge.tsx";
import { Agreement } from "./agreement.tsx";
import { FoundLists } from "./found-lists.tsx";
import styles from "./knowledge-page.module.css";
import { SearchForm } from "./search-form.tsx";

/** A picture that was handed over: it is in no address. */
export interface GivenPicture {
	name: string;
	url: string;
}

const address = { from: "/knowledge/$name" } as const;

/** A knowledge base: ask, and see what comes back from each of its indexes. */
export function KnowledgePage() {
	const { name } = useParams(address);
	const search = useSearch(address);
	const { q = "", target = "text", image, document, k = 10, view } = search;
	const navigate = useNavigate(address);
	const about = useKnowledge(name);
	const [given, setGiven] = useState<GivenPicture | null>(null);
	const [help, setHelp] = useState(false);
	const [picture, setPicture] = useState<Media | null>(null);
	const field = useRef<HTMLInputElement>(null);
	const shownImage = given?.url ?? image;
	const query: KnowledgeQuery = {
		...{ text: q, target: shownImage ? "image" : target, k },
		...(shownImage === undefined ? {} : { image: shownImage }),
		...(document === undefined ? {} : { document }),
	};
	const found = useFound(name, query, given ? `${given.name} ${given.url.length} ${given.url.slice(-40)}` : "");
	const asked = q !== "" || shownImage !== undefined;
	const show = (next: KnowledgeChange) => void navigate({ search: tidied({ ...search, ...next }) });
	const move = (step: number) => () => {
		const hits = [...window.document.querySelectorAll<HTMLElement>("[data-hit]")];
		const at = hits.indexOf(window.document.activeElement as HTMLElement);
		hits[Math.max(0, Math.min(hits.length - 1, at + step))]?.focus();
	};
	const bindings: KeyBinding[] = [
		{ keys: ["/"], says: "write a query", does: () => field.current?.select() },
		{ keys: ["j", "ArrowDown"], says: "next result", does: move(1) },
		{ keys: ["k", "ArrowUp"], says: "previous result", does: move(-1) },
		{ keys: ["Enter"], says: "open the document of the result" },
		{
			keys: ["a"],
			says: "side by side, or where they agree",
			does: () => show({ view: view === "agree" ? undefined : "agree" }),
		},
		{ keys: ["?"], says: "this help", does: () => setHelp(true) },
	];
	useKeys(bindings);
	const page = about.data;
	const shownView = asked ? view : "about";
	return (
		<div className={styles.page}>
			<Bar
				path={[
					<span key="all">
						<Link to="/knowledge">Knowledge bases</Link> /
					</span>,
				]}
				title={name}
				tags={
					page
						? [
								page.counts.passage === undefined ? "passages" : plural(page.counts.passage, "passage"),
								plural(page.counts.page, "page"),
								plural(page.counts.image, "image"),
							]
						: []
				}
				onHelp={() => setHelp(true)}
			>
				<SourceLinks here="knowledge" />
			</Bar>
			{about.isError && !page ? (
				<main className={styles.main}>
					<Trouble
						what="The knowledge base could not be opened"
						error={about.error}
						onRetry={() => void about.refetch()}
					/>
				</main>
			) : (
				<main className={styles.main} aria-busy={!page || (asked && found.isFetching)}>
					{page && (
						<SearchForm
							key={JSON.stringify([q, target, document, k])}
							ref={field}
							page={page}
							search={search}
							given={given}
							onGive={setGiven}
							onSearch={show}
						/>
					)}
					{asked && (
						<nav className={styles.views} aria-label="What is shown">
							{(
								[
									[undefined, "Side by side"],
									["agree", "Where they agree"],
									["about", "About"],
								] as const
							).map(([of, says]) => (
								<button key={says} type="button" aria-pressed={view === of} onClick={() => show({ view: of })}>
									{says}
								</button>
							))}
							<p className={styles.count} role="status">
								{found.isFetching
									? "searching …"
									: found.data &&
										`${showCount(found.data.of)} different results, ${showCount(found.data.agreed.length)} from several indexes`}
							</p>
						</nav>
					)}
					{shownView === "about" && page && <AboutKnowledge page={page} />}
					{asked && shownView !== "about" && found.isError && (
						<Trouble what="Nothing could be searched" error={found.error} onRetry={() => void found.refetch()} />
					)}
					{asked && found.data && !found.isError && shownView === undefined && (
						<FoundLists
							name={name}
							found={found.data}
							onPicture={setPicture}
							onAlike={(id) => {
								setGiven(null);
								show({ image: id, target: "image", q: "" });
							}}
						/>
					)}
					{asked && found.data && !found.isError && shownView === "agree" && (
						<Agreement name={name} found={found.data} />
					)}
				</main>
			)}
			<PictureDialog run={knowledgeMedia(name)} picture={picture} onClose={() => setPicture(null)} />
			<HelpDialog open={help} onClose={() => setHelp(false)} bindings={bindings} />
		</div>
	);
}

/** Only what is not as usual stands in the address. */
function tidied({ q, target, image, document, k, view }: KnowledgeChange): KnowledgeSearch {
	return {
		...(q ? { q } : {}),
		...(target === "page" || target === "image" ? { target } : {}),
		...(image ? { image } : {}),
		...(document ? { document } : {}),
		...(k !== undefined && k !== 10 ? { k } : {}),
		...(view ? { view } : {}),
	};
}
