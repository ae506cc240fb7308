import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useData } from "../data/source.ts";

/** The runs that can be opened: an export holds some only. Undefined until it is known. */
export function useRunIds(): ReadonlySet<string> | undefined {
	const data = useData();
	const runs = useQuery({ queryKey: ["runs"], queryFn: () => data.runs() }).data?.runs;
	return runs && new Set(runs.map(({ id }) => id));
}

/** A link to a run where it can be opened, else its words alone. */
export function RunLink({ run, children }: { run: string; children: ReactNode }) {
	const known = useRunIds();
	if (!known?.has(run)) return children;
	return (
		<Link to="/runs/$run" params={{ run }}>
			{children}
		</Link>
	);
}
