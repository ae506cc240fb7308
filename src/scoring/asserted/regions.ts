/** Names of countries and of states that a place may be written with: "Paris, France", "Seattle, Washington". */
import { nameOf } from "./name-variants.ts";

const states =
	"Alabama Alaska Arizona Arkansas California Colorado Connecticut Delaware Florida Georgia Hawaii Idaho Illinois Indiana Iowa Kansas Kentucky Louisiana Maine Maryland Massachusetts Michigan Minnesota Mississippi Missouri Montana Nebraska Nevada New_Hampshire New_Jersey New_Mexico New_York North_Carolina North_Dakota Ohio Oklahoma Oregon Pennsylvania Rhode_Island South_Carolina South_Dakota Tennessee Texas Utah Vermont Virginia Washington West_Virginia Wisconsin Wyoming Ontario Quebec British_Columbia Alberta Manitoba Saskatchewan Nova_Scotia New_South_Wales Victoria Queensland Bavaria Saxony Hesse Brandenburg Catalonia Andalusia Tuscany Lombardy Sicily Kent Essex Surrey Sussex Dorset Devon Cornwall Norfolk Suffolk Yorkshire Lancashire Cheshire Shropshire Somerset Hampshire Oxfordshire Cambridgeshire Staffordshire";
const more =
	"England Scotland Wales Northern_Ireland USA U.S. UK Great_Britain Britain USSR Soviet_Union Czechoslovakia Yugoslavia Prussia Russia Turkey Türkei Czech_Republic Ivory_Coast Burma Holland D.C. DC AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY";

let regions: Set<string> | undefined;

/** Whether a text is the name of a country (English, German, Spanish or French) or of a state or county listed here. */
export function isRegion(text: string): boolean {
	regions ??= new Set(
		[...states.split(" "), ...more.split(" "), ...countries()].map(
			(name) => nameOf(name.replaceAll("_", " ")).squashed,
		),
	);
	return regions.has(nameOf(text).squashed);
}

function countries(): string[] {
	const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
	const namesIn = (language: string) => new Intl.DisplayNames(language, { type: "region", fallback: "none" });
	const english = namesIn("en");
	// asking for a code that is none takes as long as for one that is
	const codes = letters.flatMap((a) => letters.map((b) => a + b)).filter((code) => english.of(code) !== undefined);
	return ["en", "de", "es", "fr"].flatMap((language) => {
		const names = namesIn(language);
		return codes.flatMap((code) => names.of(code) ?? []);
	});
}
