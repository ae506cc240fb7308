const works =
	"film|movie|song|single|album|track|anthem|hymn|ballad|band|group|duo|trio|novel|book|poem|play|opera|operetta|musical|ballet|symphony|piece|work|story|tale|show|series|sitcom|episode|game|painting|sculpture|magazine|newspaper|journal|brand|label|ship|yacht|boat|horse|dog|club|character|book series|comic|manga";
const sayings =
	"motto|slogan|phrase|saying|inscription|proverb|nickname|title|lyrics?|line|refrain|chorus|name|word|term|translation|toast|greeting|expression";
const german =
	"Film|Lied|Song|Album|Hymne|Band|Gruppe|Roman|Buch|Gedicht|Stück|Oper|Ballett|Serie|Spiel|Gemälde|Zeitung|Zeitschrift|Schiff|Pferd|Verein|Motto|Titel|Name|Spruch|Inschrift|Wahlspruch";

const named = new RegExp(
	`\\b(?:which|what|whose|name(?: of)? the|name(?: of)? an?)\\s+(?:(?!(?:is|was|are|were|did|does)\\b)[\\p{L}’'-]+\\s+){0,4}(?:${works})\\b|\\b(?:what|which) (?:is|was|are|were) the (?:[\\p{L}'’-]+ ){0,3}(?:${works}|${sayings})\\b|\\b(?:titled|entitled|called|named|nicknamed|known as|inscribed)\\b[^?]{0,20}\\?|(?<!\\p{L})(?:Welche[nrms]?|welche[nrms]?) (?:\\p{Ll}+ ){0,2}(?:\\p{L}*(?:${german}|${german.toLowerCase()}))(?!\\p{L})|\\bby what (?:name|title)\\b`,
	"iu",
);

/** Whether a question wants what somebody called a thing: the title of a work, a name, a motto; it may be in any words. */
export const asksForName = (question: string): boolean => named.test(question);
