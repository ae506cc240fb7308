import { pipelinePlayers } from "./pipelines.ts";
import { type Asked, goldAnswer, type Player } from "./scripted-model.ts";

const json = (value: object) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

/** Whose turn it is, by the first words of the instructions: `seeker`, `general`, … */
const roleOf = ({ said: [system] }: Asked) => /^You are the (\w+)/.exec(system?.text ?? "")?.[1] ?? "";

const brokenJson = [
	"no JSON at all",
	"{",
	'{"reason": "cut in the mid',
	'{"reason": 1, "choice": "all", "Answer": ["x"]}',
	'{"reason": "", "summary": "", "choice": [0, -3, 999], "answer": "", "reference": []}',
	"[1, 2, 3]",
	"}{",
];

const mdocagent: Player = {
	competent(asked) {
		const answer = goldAnswer(asked.task);
		if (roleOf(asked) === "summarising") return json({ Answer: answer });
		if (roleOf(asked) === "general" && asked.turn === 1) return json({ text: `it says ${answer}`, image: "" });
		return `It is ${answer}.`;
	},
	malformed: brokenJson,
};

const vidorag: Player = {
	competent(asked) {
		const answer = goldAnswer(asked.task);
		if (roleOf(asked) === "seeker") return json({ reason: "It fits.", summary: `It says ${answer}.`, choice: [1] });
		return json({ reason: `The page says ${answer}.`, answer, reference: [1] });
	},
	malformed: brokenJson,
};

export const documentPlayers = {
	"page-gen": pipelinePlayers["closed-book"],
	m3docrag: { competent: ({ task }) => goldAnswer(task), malformed: ["", "   ", "one\ntwo", "Unknown."] },
	mdocagent,
	vidorag,
} satisfies Record<string, Player>;
