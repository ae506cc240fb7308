import { useQuery } from "@tanstack/react-query";
import type { Legend, Mark } from "../../../src/studio/pages.ts";
import { useData } from "./source.ts";

/** The words and marks of verdicts, findings and outcomes. They never change. */
export function useLegendQuery() {
	const data = useData();
	return useQuery({ queryKey: ["legend"], queryFn: () => data.legend(), staleTime: Number.POSITIVE_INFINITY });
}

/** The same for pages that do without until it is there. */
export const useLegend = (): Legend | undefined => useLegendQuery().data;

/** What a name means; one that the legend does not know is shown as it is. */
export const markOf = (marks: Readonly<Record<string, Mark>> | undefined, name: string): Mark =>
	(marks && Object.hasOwn(marks, name) ? marks[name] : undefined) ?? {
		mark: "–",
		name,
		plainly: name,
		meaning: "",
		tone: "dim",
	};
