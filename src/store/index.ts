/** Records and blobs on disk: appended, versioned, named by content, never rewritten. */
export { type Appender, openAppender } from "./appender.ts";
export { columnValue } from "./column-value.ts";
export { csvRows, csvText, plainCellText } from "./csv.ts";
export { entriesIn, pathOnDisk, realPath, shownNames } from "./disk-path.ts";
export { fileInside, replaceFolder } from "./folder.ts";
export { isLocked, lockedFolder, lockFolder } from "./folder-lock.ts";
export { canonicalJson, hashing, sha256, sha256File } from "./hash.ts";
export { readJson, writeJson, writeJsonl, writeLines, writeWhole } from "./json-file.ts";
export { parseLine, readAllJsonl, readJsonl, readLines } from "./jsonl.ts";
export { decodePicture, type Picture } from "./picture.ts";
export { openWorkspace, type Workspace } from "./workspace.ts";
