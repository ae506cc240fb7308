import type { Answer, AnswerType, Topology } from "#domain";
import { booleanAnswer } from "./answers.ts";
import {
	type Computation,
	type Expression,
	entityOf,
	type Leaf,
	meaningOf,
	type Step,
	type Value,
} from "./expression.ts";
import type { GraphEntity, GraphFact, GraphRelation, Language, Operation } from "./graph.ts";
import { calculate, greaterOf, yearOf } from "./quantity.ts";
import { drawn, key, type Move, type Moves, type Steering, stepOver, walkBackFrom } from "./walk.ts";

/** What a walk is asked for; what comes back may still miss it and must be checked. */
export interface Request {
	topology: Topology;
	hops: number;
	language: Language;
	/** Which answer a yes-or-no question should have, so that both stay equally frequent. */
	yes: boolean;
	/** What a chain is to end with: an entity, or a literal of a type. */
	ending: "entity" | AnswerType;
	moves: Moves;
	steering: Steering;
}

type Head = Leaf["kind"];

/** A chain: one path from a leaf to the answer. */
export function chainCandidate(request: Request): Expression | undefined {
	const { moves, steering, hops, topology } = request;
	const head: Head = topology === "image-initiated-chain" ? "pictured" : "named";
	// what only images state makes a text-initiated chain; it is rare, so it is looked for
	const seen = topology === "text-initiated-chain";
	const ends = (move: Move) =>
		("entity" in move.to ? "entity" : move.to.answer.type) === request.ending && (!seen || onlyInImages(move.fact));
	const last = drawn(moves.suiting(`ends ${request.ending} ${seen}`, ends), steering);
	if (!last) return undefined;
	const target = "entity" in last.to ? new Set([last.to.entity.id]) : new Set<string>();
	const of = walkBackFrom(last.from, { hops: hops - 1, head, moves, steering, avoid: target });
	return of && stepOver(of, last, steering.random);
}

/** A fork: branches that do not need one another, merged by a comparison or a calculation. */
export function forkCandidate(request: Request, op: Operation): Expression | undefined {
	const { random } = request.steering;
	const retrieving = request.hops - 1;
	const operands = (op === "add" || op === "mean") && retrieving >= 3 && random.next() < 0.4 ? 3 : 2;
	const heads = headsFor(request, operands);
	const least = heads.map((head) => leastHops(op, head));
	const spare = retrieving - least.reduce((sum, hops) => sum + hops, 0);
	if (spare < 0) return undefined;
	for (let left = spare; left > 0; left -= 1) {
		const index = random.integer(operands);
		least[index] = (least[index] ?? 0) + 1;
	}
	return op === "equal" ? equalityOf(request, least, heads) : measureOf(request, op, least, heads);
}

/**
 * The fewest hops a branch can have. What is measured needs a hop more than naming it; where the answer is one of the
 * operands, naming it would put the answer into the question.
 */
function leastHops(op: Operation, head: Head): number {
	if (op === "equal") return 1;
	return head === "pictured" || op === "argmax" || op === "argmin" ? 2 : 1;
}

/** Comparison or calculation of one number or time relation over several subjects. */
function measureOf(request: Request, op: Operation, depths: number[], heads: Head[]): Expression | undefined {
	const { moves, steering } = request;
	// branches that start at named entities can be image branches when only images state the measure
	const seen = request.topology !== "text-fork" && !heads.includes("pictured");
	const suitable = (move: Move) => suits(move, op, request.language) && (!seen || onlyInImages(move.fact));
	const first = drawn(moves.suiting(`${op} ${seen}`, suitable), steering);
	if (!first) return undefined;
	const same = moves.byKey.get(first.relation.id) ?? [];
	const operands: Step[] = [];
	const avoid = new Set<string>();
	for (const [index, depth] of depths.entries()) {
		const move = index === 0 ? first : steering.random.pick(same);
		if (!move || avoid.has(move.from.id)) return undefined;
		avoid.add(move.from.id);
		const head = heads[index] ?? "named";
		const of = walkBackFrom(move.from, { hops: depth - 1, head, moves, steering, avoid });
		if (!of) return undefined;
		operands.push(stepOver(of, move, steering.random));
	}
	return computed(op, operands, first.relation, request);
}

/** Whether two descriptions mean the same entity: two paths to one end, or to two ends of one type. */
function equalityOf(request: Request, depths: number[], heads: Head[]): Expression | undefined {
	const { moves, steering, yes } = request;
	const [depthA = 1, depthB = 1] = depths;
	const [headA = "named", headB = "named"] = heads;
	const move = drawn(
		moves.suiting("to entity", (candidate) => "entity" in candidate.to),
		steering,
	);
	const end = move && "entity" in move.to ? move.to.entity : undefined;
	if (!end) return undefined;
	const a = walkBackFrom(end, { hops: depthA, head: headA, moves, steering });
	const other = yes ? end : anotherOf(end, a, request);
	if (!a || !other) return undefined;
	const b = walkBackFrom(other, { hops: depthB, head: headB, moves, steering });
	if (!b) return undefined;
	return computed("equal", [a, b], undefined, request);
}

/** Another entity of the same type that something leads to, by the same last relation where there is one. */
function anotherOf(end: GraphEntity, path: Expression | undefined, request: Request): GraphEntity | undefined {
	const { moves, steering } = request;
	const groups =
		path?.kind === "step"
			? moves.suiting(`to by ${key(path)}`, (move) => key(move) === key(path))
			: moves.suiting(`to ${end.type}`, (move) => "entity" in move.to && move.to.entity.type === end.type);
	const move = drawn(groups, steering);
	return move && "entity" in move.to && move.to.entity.id !== end.id ? move.to.entity : undefined;
}

function computed(
	op: Operation,
	operands: Expression[],
	relation: GraphRelation | undefined,
	{ language, steering, yes }: Request,
): Computation | undefined {
	const variant = steering.random.integer(60);
	const node = (value: Value, ordered = operands): Computation => ({
		kind: "computation",
		op,
		operands: ordered,
		...(relation ? { relation } : {}),
		value,
		variant,
	});
	if (op === "equal") {
		const [a, b] = operands.map(entityOf);
		return a && b ? node({ answer: booleanAnswer(a.id === b.id) }) : undefined;
	}
	const answers = operands.flatMap((operand) => {
		const value = meaningOf(operand);
		return "answer" in value ? [value.answer] : [];
	});
	const [a, b] = answers;
	if (!a || !b || answers.length !== operands.length) return undefined;
	switch (op) {
		case "argmax":
		case "argmin": {
			const greater = greaterBy(relation, a, b);
			if (greater === undefined) return undefined;
			const chosen = operands[op === "argmax" ? greater : 1 - greater];
			const entity = chosen?.kind === "step" ? entityOf(chosen.of) : undefined;
			return entity && node({ entity });
		}
		case "greater":
		case "earlier": {
			const greater = greaterBy(relation, a, b);
			if (greater === undefined) return undefined;
			const holds = op === "greater" ? greater === 0 : greater === 1;
			return node({ answer: booleanAnswer(yes) }, holds === yes ? operands : [...operands].reverse());
		}
		default: {
			const answer = calculate(op, answers, language, relation?.unit);
			return answer && node({ answer });
		}
	}
}

/** Within a year, times are compared only where the relation says that they are days. */
function greaterBy(relation: GraphRelation | undefined, a: Answer, b: Answer): 0 | 1 | undefined {
	if (a.type === "time" && relation?.unit !== "days" && yearOf(a) === yearOf(b)) return undefined;
	return greaterOf(a, b);
}

function suits({ relation, direction, to }: Move, op: Operation, language: Language): boolean {
	if (direction === "inverse" || !("answer" in to)) return false;
	const { type } = to.answer;
	if (op === "argmax" || op === "argmin") return (relation.comparison?.[language].more ?? "") !== "";
	if (op === "earlier") return type === "time";
	if (op === "greater") return type === "number";
	if (op === "difference" && type === "time") return true;
	return type === "number" && (relation.arithmetic ?? ["add", "difference", "mean", "divide"]).includes(op);
}

const onlyInImages = (fact: GraphFact) => fact.statements.every((statement) => statement.modality === "image");

function headsFor({ topology, steering }: Request, branches: number): Head[] {
	const all = (head: Head) => Array.from({ length: branches }, () => head);
	if (topology === "text-fork") return all("named");
	if (topology === "multi-image-fork") return all(steering.random.next() < 0.75 ? "pictured" : "named");
	return steering.random.shuffle(Array.from({ length: branches }, (_, index) => (index === 0 ? "pictured" : "named")));
}
