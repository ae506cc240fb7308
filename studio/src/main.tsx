import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { fileSource } from "./data/file-source.ts";
import { httpSource } from "./data/http-source.ts";
import { DataContext } from "./data/source.ts";
import { createStudioRouter } from "./shell/router.tsx";
import "./shell/base.css";

const client = new QueryClient({
	defaultOptions: { queries: { staleTime: 30_000, retry: false, refetchOnWindowFocus: false } },
});

const data = document.documentElement.dataset.source === "files" ? fileSource() : httpSource();

createRoot(document.getElementById("root") as HTMLElement).render(
	<StrictMode>
		<DataContext value={data}>
			<QueryClientProvider client={client}>
				<RouterProvider router={createStudioRouter()} />
			</QueryClientProvider>
		</DataContext>
	</StrictMode>,
);
