import { useQuery } from "@tanstack/react-query";
import type { Legend, Mark } from "../../../src/studio/pages.ts";
import { useData } from "./source.ts";

/** The words and marks of verdicts, findings and outcomes; undefined until they are there. They never change. */
export function useLegend(): Legend | undefined {
	const data = useData();
	return useQuery({ queryKey: ["legend"], queryFn: () => data.legend(), staleTime: Number.POSITIVE_INFINITY }).data;
}

/** What a name means; one that the legend does not know is shown as it is. */
export const markOf = (marks: Readonly<Record<string, Mark>> | undefined, name: string): Mark =>
	(marks && Object.hasOwn(marks, name) ? marks[name] : undefined) ?? { mark: "–", name, meaning: "", tone: "dim" };
