/** Records and blobs on disk: appended, versioned, named by content, never rewritten. */
export { type Appender, openAppender } from "./appender.ts";
export { type Archive, type ArchiveBounds, openArchive, writeArchive } from "./archive.ts";
export { columnValue } from "./column-value.ts";
export { csvRows, csvText, type Delimiter, plainCellText, tellDelimiter } from "./csv.ts";
export { entriesIn, pathOnDisk, realPath, shownNames } from "./disk-path.ts";
export { fileInside, folderThere, replaceFolder } from "./folder.ts";
export { isLocked, lockedFolder, lockFolder } from "./folder-lock.ts";
export { canonicalJson, hashing, sha256, sha256File } from "./hash.ts";
export { readJson, writeJson, writeJsonl, writeLines, writeWhole } from "./json-file.ts";
export { parseLine, readAllJsonl, readJsonl, readLines } from "./jsonl.ts";
export {
	type Address,
	addressIn,
	addressText,
	isAddress,
	isService,
	isStorage,
	type Objects,
	openObjects,
	type StorageAccess,
	type StorageEnvironment,
	storageAccess,
} from "./objects.ts";
export { decodePicture, type Picture } from "./picture.ts";
export { isAbandoned, ownMark } from "./unfinished.ts";
export { addVersion, holdVersion } from "./versions.ts";
export { openWorkspace, type Workspace } from "./workspace.ts";
