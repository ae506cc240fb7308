import type { Route } from "../route.ts";
import type { Upgrade } from "../upgrade.ts";

/** What one way of playing episodes adds to a server. */
export interface Face {
	routes: Route[];
	upgrades?: Upgrade[];
}
