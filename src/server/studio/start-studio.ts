import type { Studio } from "#workbench";
import { limiterOf, listen, type RunningServer, type ServerOptions } from "../start-server.ts";
import { assetRoutes } from "./assets.ts";
import { dataRoutes } from "./data-routes.ts";
import { manageRoutes } from "./manage-routes.ts";
import { reviewRoutes } from "./review-routes.ts";
import { sourcesRoutes } from "./sources-routes.ts";

export type StudioServerOptions = Pick<ServerOptions, "host" | "port" | "token" | "names" | "onProblem">;

/** Serves the pages of the studio with the data of a workspace until it is closed, which closes the data too. */
export async function startStudio(studio: Studio, options: StudioServerOptions = {}): Promise<RunningServer> {
	const routes = [
		...(await assetRoutes()),
		...dataRoutes(studio),
		...manageRoutes(studio),
		...reviewRoutes(studio),
		...sourcesRoutes(studio),
	];
	return listen({ port: 8600, ...options }, { routes, limiter: limiterOf({}), onClose: () => studio.close() });
}
