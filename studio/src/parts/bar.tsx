import type { ReactNode } from "react";
import styles from "./bar.module.css";

/** The bar at the head of every page: where one is, and what can be done here. */
export function Bar({
	path = [],
	title,
	tags = [],
	children,
	onHelp,
}: {
	/** Links to what stands above this page, the widest first. */
	path?: readonly ReactNode[];
	title: string;
	/** What is told of it besides, in a word or two each. */
	tags?: readonly string[];
	/** Buttons and hints at the right. */
	children?: ReactNode;
	onHelp?: () => void;
}) {
	return (
		<header className={styles.bar}>
			<nav className={styles.path} aria-label="Where you are">
				{path.map((link, place) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: the links of a path have no other name and never change places
					<span key={place} className={styles.link}>
						{link}
					</span>
				))}
			</nav>
			<h1 className={styles.title} title={title}>
				<bdi>{title}</bdi>
			</h1>
			<p className={styles.tags}>
				{tags.map((tag, place) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: two tags may say the same, and none changes its place
					<bdi key={place}>{place === 0 ? tag : ` · ${tag}`}</bdi>
				))}
			</p>
			<div className={styles.actions}>
				{children}
				{onHelp && (
					<button
						type="button"
						className={styles.help}
						onClick={onHelp}
						aria-label="Keys and marks"
						title="Keys and marks (?)"
					>
						?
					</button>
				)}
			</div>
		</header>
	);
}
