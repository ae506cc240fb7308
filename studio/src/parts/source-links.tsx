import { Link } from "@tanstack/react-router";
import styles from "./source-links.module.css";

/** The ways from what was run to what it was run on. */
export const SourceLinks = ({ here }: { here?: "runs" | "knowledge" | "benchmarks" }) => (
	<nav className={styles.links} aria-label="Sources">
		{here !== "runs" && <Link to="/">Runs</Link>}
		{here !== "benchmarks" && <Link to="/benchmarks">Benchmarks</Link>}
		{here !== "knowledge" && <Link to="/knowledge">Knowledge bases</Link>}
	</nav>
);
