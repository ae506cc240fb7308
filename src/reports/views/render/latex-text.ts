/**
 * Any text as LaTeX that plain pdflatex sets, in ASCII only: special characters by their commands, accents by theirs,
 * Greek by mathematics, Cyrillic by Latin letters, and a character that it has no way to set by its code point, `[U+4E2D]`.
 */
import { plain } from "#domain";

/**
 * Commands of the base fonts only (OT1), so that no font encoding has to be loaded. Brackets and asterisks after a line's
 * end would be its arguments.
 */
const signs = String.raw`\ \textbackslash{} { \{ } \} $ \$ & \& # \# % \% _ \_ ^ \textasciicircum{} ~ \textasciitilde{} < $<$ > $>$
| $|$ [ {[} ] {]} * {*} " '' – -- — --- ‐ - ‑ - − $-$ ’ ' ” '' „ ,, … \ldots{} · $\cdot$ • $\bullet$
× $\times$ ÷ $\div$ ± $\pm$ ≤ $\leq$ ≥ $\geq$ ≈ $\approx$ ≠ $\neq$ ∞ $\infty$ → $\rightarrow$ ← $\leftarrow$
↔ $\leftrightarrow$ ° $^{\circ}$ ² $^{2}$ ³ $^{3}$ ¹ $^{1}$ ½ 1/2 † \dag{} ‡ \ddag{} § \S{} ¶ \P{}
© \copyright{} £ \pounds{} € EUR « $\ll$ » $\gg$ ß \ss{} æ \ae{} Æ \AE{} œ \oe{} Œ \OE{} ø \o{} Ø \O{}
ł \l{} Ł \L{} ı \i{} đ d Đ D ð d Ð D þ th Þ Th`;
const blanksAndQuotes: [string, string][] = [
	["\u00a0", "~"],
	["\u202f", "~"],
	["\u2009", "~"],
	["‘", "`"],
	["“", "``"],
	["¡", "!`"],
	["¿", "?`"],
	["\ufffd", "?"],
];

/** Combining marks by their code points. An ogonek is beyond the base fonts and is left out. */
const marks = String.raw`0300 \` 0301 \' 0302 \^ 0303 \~ 0304 \= 0306 \u 0307 \. 0308 \" 030a \r 030b \H 030c \v 0323 \d 0327 \c 0331 \b`;

const greek =
	"α alpha β beta γ gamma δ delta ε epsilon ζ zeta η eta θ theta ι iota κ kappa λ lambda μ mu ν nu ξ xi π pi ρ rho σ sigma ς varsigma τ tau υ upsilon φ phi χ chi ψ psi ω omega Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega";
const greekLike = "ο o Α A Β B Ε E Ζ Z Η H Ι I Κ K Μ M Ν N Ο O Ρ P Τ T Χ X";
const cyrillic =
	"а a б b в v г g д d е e ж zh з z и i к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh щ shch ъ '' ы y ь ' э e ю yu я ya й y ё yo ї yi і i є ye ґ g ђ dj ћ c љ lj њ nj џ dz ј j";

const pairsOf = (text: string): [string, string][] => {
	const words = text.split(/[ \n]/);
	return words.flatMap((word, place) => (place % 2 === 0 ? [[word, words[place + 1] ?? ""] as [string, string]] : []));
};

const accents = new Map(
	pairsOf(marks).map(([code, accent]) => [String.fromCharCode(Number.parseInt(code, 16)), accent]),
);

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const table = new Map<string, string>([
	...pairsOf(signs),
	...blanksAndQuotes,
	...pairsOf(greek).map(([letter, name]): [string, string] => [letter, `$\\${name}$`]),
	...pairsOf(greekLike),
	...pairsOf(cyrillic).flatMap(([letter, latin]): [string, string][] => [
		[letter, latin],
		[letter.toUpperCase(), capital(latin)],
	]),
]);

/** The text in one line, as LaTeX shows it. No command, group, comment or formula of the text's own survives. */
export function latexText(text: string): string {
	const safe = plain(text).replace(/\s+/gu, (space) => (/^[\u00a0\u202f\u2009]$/.test(space) ? space : " "));
	let set = "";
	// a letter with what combines with it, composed first: what is in the table whole stays whole
	for (const [cluster] of safe.normalize("NFC").matchAll(/.\p{M}*/gsu)) {
		const next = clusterText(cluster);
		// hyphens, commas and quotation marks in a row would run together into other characters
		const joins = /[-`',]/.test(next.charAt(0)) && (set.endsWith(next.charAt(0)) || /[?!]$/.test(set));
		set += joins ? `{}${next}` : next;
	}
	return set;
}

function clusterText(cluster: string): string {
	const characters = [...cluster];
	if (characters.length === 1) {
		const known = characterText(cluster);
		if (known !== undefined) return known;
	}
	const [base = "", ...marks] = cluster.normalize("NFD");
	const inner = characterText(base);
	if (inner === undefined)
		return characters.map((character) => characterText(character) ?? codePoint(character)).join("");
	if (!/^[A-Za-z]$/.test(inner)) return inner;
	const dotless = inner === "i" || inner === "j" ? `\\${inner}` : inner;
	// what goes below is set around what goes above
	const above = marks
		.flatMap((mark) => accents.get(mark) ?? [])
		.sort((a, b) => Number(isBelow(a)) - Number(isBelow(b)));
	return above.reduce(
		(letter, accent, place) => `${accent}{${place === 0 && !isBelow(accent) ? dotless : letter}}`,
		inner,
	);
}

const isBelow = (accent: string) => /^\\[dcb]$/.test(accent);

/** Of one character; undefined of one that neither the table nor its plainer forms have. */
function characterText(character: string): string | undefined {
	const known = table.get(character);
	if (known !== undefined) return known;
	if (/^[\u0020-\u007e]$/.test(character)) return character;
	const compatible = character.normalize("NFKC");
	return compatible === character ? undefined : latexText(compatible);
}

const codePoint = (character: string): string =>
	`{[}U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}{]}`;
