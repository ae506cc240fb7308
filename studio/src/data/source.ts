/** Where the pages get their data: from the server that served them, or from the files of an export beside them. */
import { createContext, useContext } from "react";
import type { StudioData } from "../../../src/studio/pages.ts";

export const DataContext = createContext<StudioData | null>(null);

export function useData(): StudioData {
	const data = useContext(DataContext);
	if (!data) throw new Error("no source of data");
	return data;
}
