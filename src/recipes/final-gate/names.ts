import { plainOf } from "./words.ts";

/** Words before or behind a name that tell what kind of thing it is, not which. */
export const kindsOfThings = new Set(
	"lake mount mt mountain mountains river sea ocean bay gulf island islands isle cape valley desert fort saint st port city town village county state province district region republic kingdom empire federation commonwealth united union university college school institute academy museum gallery library hospital church cathedral temple palace castle tower bridge airport station stadium park street avenue road square building hall house hotel company corporation corp inc incorporated ltd limited llc group holdings gmbh ag co records pictures production productions studios studio films film entertainment band orchestra choir theatre theater award awards prize medal cup league championship club fc football team party movement order association society foundation organization organisation agency department ministry office bureau committee commission council court army navy force war battle treaty act law album song novel book series show magazine newspaper press journal times news international national royal grand great new old north south east west northern southern eastern western central upper lower shipwrights shipyard shipyards boatyard shipbuilders boatbuilders yard works ironworks steelworks foundry forge mill mills brothers bros sons engineers engineering builders construction architects motors industries enterprises partners associates bank banking brewery brewers distillery winery bakery dairy farms foods steel textiles weavers tailors outfitters clothing technologies systems software electronics instruments opticians glassworks pottery potters ceramics airlines airways aviation aircraft aerospace railways railway railroad tramways transport shipping line lines logistics publishing publishers printers printing books communications media network television radio broadcasting pharmaceuticals chemicals chemical energy power oil gas mining mines minerals quarry colliery timber insurance capital ventures laboratories laboratory labs research manufacturing manufacturers tools machinery locomotive locomotives carriage bicycles cycles watches clockmakers jewellers toys games sports stores traders trading merchants import export services solutions consulting management agency clinic abbey priory monastery chapel basilica shrine mosque synagogue minster castle fortress manor villa villas tower towers lighthouse harbour harbor port pier dam canal falls waterfall glacier peak summit ridge pass range plain plains forest wood woods moor heath beach coast creek brook stream reservoir lagoon strait channel cave caverns crater volcano spring springs peninsula archipelago reef borough parish canton municipality prefecture observatory archive archives garden gardens zoo theatre opera cinema arena circuit racecourse ballpark symphony philharmonic quartet trio ensemble chorus festival exhibition gazette herald tribune chronicle post mirror review quarterly the of and de la le el los las der die das von van du des di da del".split(
		" ",
	),
);

/** Words before a surname that are no part of another name. */
export const titles = new Set(
	"mr mrs ms miss dr sir dame lord lady prof professor president king queen prince princess pope emperor empress saint captain general colonel major senator governor mayor judge justice chancellor director actor actress singer author writer artist painter composer poet herr frau señor señora don doña monsieur madame m mme".split(
		" ",
	),
);

/** A person's name: two to four words with capitals, particles among them, that name no kind of thing. */
export function isPersonsName(name: string): boolean {
	const words = name.trim().split(/\s+/);
	if (words.length < 2 || words.length > 5 || /[\p{N},;:&/]/u.test(name)) return false;
	const named = words.filter((word) => /^\p{Lu}/u.test(word));
	if (named.length < 2 || !/^\p{Lu}/u.test(words.at(-1) ?? "")) return false;
	const between = words.filter((word) => !/^\p{Lu}/u.test(word));
	if (
		between.some(
			(word) =>
				!/^(?:de|da|di|del|della|der|den|van|von|zu|la|le|el|al|bin|ibn|y|e|dos|du|ter|af|d['’]\p{L}+)$/u.test(word),
		)
	)
		return false;
	return !named.some((word) => kindsOfThings.has(plainOf(word)));
}

const asksPerson =
	/^\W*(?:(?:by|to|for|from|with|after|of|under|about|against|before|on|in|at) )?(?:who|whom|whose)\b|^[^?]{1,80},\s+(?:(?:by|to|for|from|with|after|of|under) )?(?:who|whom)\s+(?:is|was|were|did|has)\b|(?:\bname of (?:the|an?) |\bwhich |\bwhat |>> ?)(?:[\p{L}-]+ ){0,2}(?:person|people|man|woman|actor|actress|author|writer|novelist|poet|playwright|director|producer|screenwriter|composer|singer|rapper|musician|songwriter|drummer|guitarist|performer|artist|painter|sculptor|architect|photographer|scientist|physicist|chemist|mathematician|biologist|astronomer|philosopher|historian|economist|engineer|inventor|founder|ceo|chairman|president|prime minister|chancellor|king|queen|emperor|monarch|prince|princess|pope|bishop|politician|senator|governor|mayor|minister|general|officer|admiral|coach|manager|player|footballer|athlete|driver|champion|winner|captain|father|mother|parent|son|daughter|child|brother|sister|sibling|spouse|husband|wife|grandfather|grandmother|cousin|uncle|aunt|leader|designer|creator|owner|host|presenter|discoverer|explorer|astronaut|pilot|author|explorer|namesake|character)\b|(?<!\p{L})(?:quién|quien|wer|wem|wen|wessen|qui|chi|quem)\b|谁|誰|من/iu;

/** Whether it is a person that the question wants. */
export const isPersonAsked = (question: string): boolean => asksPerson.test(question);

/** The last part of a person's name, unless it is a number of his line or "the Great". */
export function surnameOf(name: string): string | undefined {
	if (!isPersonsName(name)) return undefined;
	const words = name
		.replace(/,.*$/u, "")
		.split(/\s+/)
		.filter((word) => !/^(?:jr|sr|junior|senior|[IVX]+|\d\p{L}*)\.?$/iu.test(word));
	const last = words.at(-1);
	return words.length > 1 && last && last.length > 2 ? last : undefined;
}
