/** The sample: a knowledge base of countries, cities and more, drawn and written from data packages. */
export { type Atlas, buildAtlas } from "./build.ts";
export { type AtlasCharts, atlasCharts } from "./charts.ts";
export { type PreparedAtlas, prepareAtlas } from "./prepare.ts";
