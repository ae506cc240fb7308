/** The maker of the sample: a knowledge base of countries, cities and more, drawn and written from data packages. */
export { buildAtlas } from "./build.ts";
export { atlasCharts } from "./charts.ts";
export { makeSample } from "./make-sample.ts";
export { writeCountries } from "./write-countries.ts";
