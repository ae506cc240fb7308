/** Diagnosis: which hop of a chain breaks, why, and what it costs. Records in, findings and run plans out. */
export { type DiagnoseInput, type DiagnoseOptions, diagnose, diagnoserVersion } from "./diagnose.ts";
export { type ErrorView, type ErrorViewName, errorTypesOf, errorViews } from "./error-views.ts";
