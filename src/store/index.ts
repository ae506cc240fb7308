/** Records and blobs on disk: appended, versioned, named by content, never rewritten. */
export { fileInside, replaceFolder } from "./folder.ts";
export { canonicalJson, sha256, sha256File } from "./hash.ts";
export { readJson, writeJson, writeJsonl, writeWhole } from "./json-file.ts";
export { type Appender, openAppender, parseLine, readJsonl, readLines } from "./jsonl.ts";
export { openWorkspace, type Workspace } from "./workspace.ts";
