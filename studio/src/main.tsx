import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { httpSource } from "./data/http-source.ts";
import { DataContext } from "./data/source.ts";
import { createStudioRouter } from "./shell/router.tsx";
import "./shell/base.css";

const client = new QueryClient({
	defaultOptions: { queries: { staleTime: 30_000, retry: false, refetchOnWindowFocus: false } },
});

createRoot(document.getElementById("root") as HTMLElement).render(
	<StrictMode>
		<DataContext value={httpSource()}>
			<QueryClientProvider client={client}>
				<RouterProvider router={createStudioRouter()} />
			</QueryClientProvider>
		</DataContext>
	</StrictMode>,
);
