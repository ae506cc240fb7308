import { rooms } from "./rooms.mjs";

const names = Object.keys(rooms);
const allowed = (room) => [...rooms[room].may, room];

export default {
	forbidden: [
		{
			name: "no-circles",
			severity: "error",
			from: {},
			to: { circular: true },
			comment: "Two files need each other. Move what they share into the lower one, or pass it as an argument.",
		},
		{
			name: "through-the-face",
			severity: "error",
			from: { path: "^src/([^/]+)/" },
			to: { path: "^src/([^/]+)/", pathNot: ["^src/$1/", "^src/[^/]+/index[.]ts$"] },
			comment:
				"Import another room through its face, e.g. `#scoring`. If the name is not there, ask whether it should be.",
		},
		...names
			.filter((room) => rooms[room].may !== "all")
			.map((room) => ({
				name: `${room}-imports`,
				severity: "error",
				from: { path: `^src/${room}/`, pathNot: "[.]test[.]ts$" },
				to: { path: "^src/", pathNot: `^src/(${allowed(room).join("|")})/` },
				comment: `${room} may import only: ${rooms[room].may.join(", ") || "nothing of ours"}.`,
			})),
	],
	options: {
		tsPreCompilationDeps: true,
		tsConfig: { fileName: "tsconfig.json" },
		doNotFollow: { path: "node_modules" },
		enhancedResolveOptions: {
			extensions: [".ts", ".mjs"],
			conditionNames: ["hopscope-source", "import", "types", "node"],
		},
	},
};
