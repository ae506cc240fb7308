import { Link } from "@tanstack/react-router";
import { useData } from "../data/source.ts";
import styles from "./source-links.module.css";

/** The ways from what was run to what it was run on, and to what people say of it. */
export function SourceLinks({ here }: { here: "runs" | "knowledge" | "benchmarks" }) {
	const { sources, reviews } = useData();
	// an export has nothing of them
	if (!sources) return null;
	return (
		<nav className={styles.links} aria-label="Pages">
			{here !== "runs" && <Link to="/">Runs</Link>}
			{here !== "benchmarks" && <Link to="/benchmarks">Benchmarks</Link>}
			{here !== "knowledge" && <Link to="/knowledge">Knowledge</Link>}
			{reviews && <Link to="/review">Reviews</Link>}
		</nav>
	);
}
