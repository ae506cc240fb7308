import { Link } from "@tanstack/react-router";
import { useData } from "../data/source.ts";
import styles from "./source-links.module.css";

/** The ways from what was run to what it was run on. */
export function SourceLinks({ here }: { here: "runs" | "knowledge" | "benchmarks" }) {
	// an export has nothing of them
	if (!useData().sources) return null;
	return (
		<nav className={styles.links} aria-label="Sources">
			{here !== "runs" && <Link to="/">Runs</Link>}
			{here !== "benchmarks" && <Link to="/benchmarks">Benchmarks</Link>}
			{here !== "knowledge" && <Link to="/knowledge">Knowledge</Link>}
		</nav>
	);
}
