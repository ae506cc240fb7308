import { type ClipboardEvent, type FormEvent, type Ref, useRef, useState } from "react";
import type { KnowledgePage, KnowledgeTarget } from "../../../../src/studio/sources-pages.ts";
import { useData } from "../../data/source.ts";
import { knowledgeMedia } from "../../data/sources.ts";
import type { KnowledgeChange, KnowledgeSearch } from "../../shell/router.tsx";
import type { GivenPicture } from "./knowledge-page.tsx";
import styles from "./search-form.module.css";

/** A picture this large is as much as the server takes, with what its spelling adds. */
const mostBytes = 11_000_000;

const targetWords: Record<KnowledgeTarget, string> = { text: "Texts", page: "Pages", image: "Images" };

/** What is looked for: words, a picture, or both; in what, and how many of it. */
export function SearchForm({
	page,
	search: { q = "", target: wanted, image, document, k = 10 },
	given,
	onGive,
	onSearch,
	ref,
}: {
	page: KnowledgePage;
	search: KnowledgeSearch;
	given: GivenPicture | null;
	onGive: (picture: GivenPicture | null) => void;
	onSearch: (search: KnowledgeChange) => void;
	ref: Ref<HTMLInputElement>;
}) {
	const target: KnowledgeTarget = wanted ?? "text";
	const [text, setText] = useState(q);
	const [problem, setProblem] = useState("");
	const file = useRef<HTMLInputElement>(null);
	const pictures = page.targets.some((one) => one.target === "image");
	const withPicture = given !== null || image !== undefined;
	function submit(event: FormEvent) {
		event.preventDefault();
		onSearch({ q: text.trim() });
	}
	function take(picture: File | undefined) {
		if (!picture) return;
		if (!picture.type.startsWith("image/") || picture.size > mostBytes) {
			setProblem(picture.size > mostBytes ? "This picture is larger than 11 MB." : "This is no picture.");
			return;
		}
		const reader = new FileReader();
		reader.onload = () => {
			setProblem("");
			onGive({ name: picture.name, url: String(reader.result) });
			onSearch({ q: text.trim(), target: "image", image: "" });
		};
		reader.onerror = () => setProblem("The picture could not be read.");
		reader.readAsDataURL(picture);
	}
	function paste({ clipboardData: { files } }: ClipboardEvent) {
		if (pictures && files.length > 0) take(files[0]);
	}
	return (
		<search>
			<form className={styles.form} onSubmit={submit}>
				<div className={styles.line}>
					<input
						ref={ref}
						className={styles.field}
						type="search"
						aria-label="Query"
						placeholder={pictures ? "Words to look for, or paste a picture" : "Words to look for"}
						maxLength={4000}
						// biome-ignore lint/a11y/noAutofocus: an empty search page is for writing a query
						autoFocus={q === "" && !withPicture}
						value={text}
						onChange={({ target: { value } }) => setText(value)}
						onPaste={paste}
						onKeyDown={({ key, currentTarget }) => key === "Escape" && currentTarget.blur()}
					/>
					<button type="submit" className={styles.go}>
						Search
					</button>
				</div>
				<div className={styles.line}>
					<fieldset className={styles.targets} aria-label="What is looked for">
						{page.targets.map(({ target: one }) => (
							<button
								key={one}
								type="button"
								aria-pressed={(withPicture ? "image" : target) === one}
								disabled={withPicture && one !== "image"}
								title={withPicture && one !== "image" ? "A picture finds images" : undefined}
								onClick={() => onSearch({ q: text.trim(), target: one === "text" ? undefined : one })}
							>
								{targetWords[one]}
							</button>
						))}
					</fieldset>
					<label className={styles.most}>
						each
						<select value={k} onChange={({ target: { value } }) => onSearch({ q: text.trim(), k: Number(value) })}>
							{[...new Set([5, 10, 20, 50, k])]
								.sort((a, b) => a - b)
								.map((count) => (
									<option key={count} value={count}>
										{count}
									</option>
								))}
						</select>
					</label>
					{pictures && (
						<>
							<button type="button" className={styles.give} onClick={() => file.current?.click()}>
								By a picture …
							</button>
							<input
								ref={file}
								type="file"
								accept="image/*"
								hidden
								onChange={({ currentTarget }) => {
									take(currentTarget.files?.[0]);
									currentTarget.value = "";
								}}
							/>
						</>
					)}
					{withPicture && (
						<PictureGiven
							name={page.name}
							given={given}
							image={image}
							onRemove={() => {
								onGive(null);
								onSearch({ q: text.trim(), image: "" });
							}}
						/>
					)}
					{document !== undefined && (
						<span className={styles.chip}>
							only in <bdi>{document}</bdi>
							<button type="button" aria-label="In every document" onClick={() => onSearch({ document: "" })}>
								✕
							</button>
						</span>
					)}
					{problem !== "" && (
						<span className={styles.problem} role="alert">
							{problem}
						</span>
					)}
				</div>
			</form>
		</search>
	);
}

function PictureGiven({
	name,
	given,
	image,
	onRemove,
}: {
	name: string;
	given: GivenPicture | null;
	image: string | undefined;
	onRemove: () => void;
}) {
	const data = useData();
	const address = given?.url ?? data.media(knowledgeMedia(name), evidenceName(image ?? ""), { small: true });
	return (
		<span className={styles.chip}>
			<img src={address} alt="" width={32} height={32} />
			<bdi>{given?.name ?? image}</bdi>
			<button type="button" aria-label="Without the picture" onClick={onRemove}>
				✕
			</button>
		</span>
	);
}

/** The picture of an evidence goes by its id, as the server names it. */
function evidenceName(id: string): string {
	const binary = String.fromCharCode(...new TextEncoder().encode(`e\0${id}`));
	return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
