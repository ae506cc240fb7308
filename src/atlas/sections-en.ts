/** What English articles are written from; see render.ts for the paths in braces. */
import type { Section } from "./section.ts";

const country: Section[] = [
	{
		id: "overview",
		title: "Overview",
		statements: [
			{
				opens: true,
				say: [
					"{s}, officially the {s.official-name}, {s#lies|lie} in {s.subregion}.",
					"{s} {s#is|are} found in {s.subregion}; the full official name is the {s.official-name}.",
					"Situated in {s.subregion}, {s} {s#goes|go} by the official name of “{s.official-name}”.",
					"{s} {s#forms|form} part of {s.subregion}.",
					"{s} {s#has|have} an entry of {s#its|their} own in the Atlas.",
				],
			},
			{
				say: [
					"Its capital is {s.capital}.",
					"The seat of government is {s.capital}.",
					"It is governed from {s.capital}, its capital.",
					"{s.capital} serves as the national capital.",
				],
			},
			{
				say: [
					"People from {s} are known as {s.demonym} in English.",
					"The English demonym is {s.demonym}.",
					"An inhabitant is described as {s.demonym}.",
				],
			},
			{
				say: [
					"In 2015 it was estimated to have {s.population} inhabitants.",
					"Its population was put at {s.population} in 2015.",
					"Some {s.population} people lived there according to estimates for 2015.",
				],
			},
			{
				say: [
					"Everyday payments are made in {s.currency}.",
					"The currency in use is {s.currency}.",
					"Prices are quoted in {s.currency}, the currency of the country.",
				],
			},
			{
				say: [
					"{s.language} is the official language.",
					"The official languages include {s.language*}.",
					"Official business is conducted in {s.language*}.",
				],
			},
			{
				extra: true,
				say: [
					"The colours and emblems of its flag are reproduced among the images of the Atlas, next to an outline of its territory where one could be drawn at this scale.",
					"A drawing of the flag accompanies this entry, and further figures stand in the table of key data and on the fact sheets of the region.",
				],
			},
			{
				extra: true,
				say: [
					"Readers who want to compare it with other places will find the same headings, in the same units, in every entry of this series.",
					"The figures quoted here were collected from public reference works and are given as those works state them, without further rounding.",
				],
			},
		],
	},
	{
		id: "geography",
		title: "Geography",
		statements: [
			{
				opens: true,
				say: [
					"The territory of {s} covers {s.area}.",
					"With an area of {s.area}, {s} {s#takes its|take their} place among the lands of {s.subregion}.",
					"{s} {s#extends|extend} over {s.area}.",
					"The geography of {s} is summed up here.",
				],
			},
			{
				say: [
					"It shares land borders with {s.borders*}.",
					"Its neighbours by land are {s.borders*}.",
					"Travellers leaving overland cross into {s.borders*}.",
				],
			},
			{
				say: [
					"The country {s.landlocked?is landlocked|is not landlocked}.",
					"{s.landlocked?It has no coast of its own|It has access to the sea}.",
					"{s.landlocked?No part of it touches the sea, which makes it landlocked|Its territory reaches the sea}.",
				],
			},
			{
				say: [
					"The land rises to its highest point at {s.highest-point}.",
					"{s.highest-point} is the highest point of the country.",
					"Nothing within its borders stands higher than {s.highest-point}, the highest point.",
				],
			},
			{
				extra: true,
				say: [
					"That summit reaches {s.highest-point.elevation} above the sea; {s.highest-point} therefore marks the top of the country.",
					"The elevation of {s.highest-point}, the highest point, is given as {s.highest-point.elevation}.",
				],
			},
			{
				extra: true,
				with: { n: "borders" },
				say: [
					"On the far side of one of its borders lies {n}, whose capital is {n.capital}.",
					"Neighbouring {n} covers {n.area}.",
					"Across the border, {n} culminates in {n.highest-point}, the highest point of that country.",
					"Beyond the frontier, {n} is governed from {n.capital}, its capital.",
				],
			},
			{
				extra: true,
				say: [
					"An outline map without names, drawn from public boundary data, shows the shape of the territory in simplified form.",
					"Relief, rivers and climate vary from one part of the land to another and are not described in detail in this short entry.",
				],
			},
			{
				extra: true,
				say: [
					"Distances and areas are given in metric units throughout, as in the sources from which the entry was compiled.",
					"Lengths of coasts and borders depend on the scale at which they are measured and should be read with that in mind.",
				],
			},
			{
				extra: true,
				say: [
					"For places within the territory, see the entries on its cities, airports and mountains, where such entries exist.",
					"Further geographical figures are kept apart from this text, in a table that follows the article.",
				],
			},
		],
	},
	{
		id: "history-and-economy",
		title: "History and economy",
		needs: ["independence", "independent-from", "export-partner", "largest-city"],
		statements: [
			{
				opens: true,
				say: [
					"{s} became independent on {s.independence}.",
					"The independence of {s} dates from {s.independence}.",
					"On {s.independence}, {s} gained its independence.",
					"The economy of {s} looks abroad for many of its customers.",
				],
			},
			{
				say: [
					"Until then it had been ruled by {s.independent-from}, from which it became independent.",
					"It separated from {s.independent-from}, its former ruling power.",
					"The power from which it became independent was {s.independent-from}.",
				],
			},
			{
				say: [
					"The largest share of its exports went to {s.export-partner} in the middle of the 2010s.",
					"{s.export-partner} was the main export market in the trade figures published around 2014.",
					"No other buyer took a larger share of its exports than {s.export-partner}, according to figures from around 2014.",
				],
			},
			{
				say: [
					"The most populous city is {s.largest-city}, with an urban area of {s.largest-city.city-population} people.",
					"{s.largest-city} is the largest urban area of the country.",
					"Measured by urban area, {s.largest-city} is the most populous city.",
				],
			},
			{
				say: [
					"Trade within the country is settled in {s.currency}, whose ISO code is {s.currency.currency-code}.",
					"Banknotes are denominated in {s.currency}.",
					"Its currency is {s.currency}.",
				],
			},
			{
				extra: true,
				with: { n: "borders" },
				say: [
					"Neighbouring {n} became independent on {n.independence}.",
					"Next door, {n} sold most of its exports to {n.export-partner}.",
					"The neighbour {n} uses {n.currency} as its currency.",
				],
			},
			{
				extra: true,
				say: [
					"Trade figures change from year to year, and the ranking of partners may have changed since they were published.",
					"Accounts of the past differ between sources; only dates that the sources state without reservation are repeated here.",
				],
			},
			{
				extra: true,
				say: [
					"Statistics on railways, forests and life expectancy are drawn as charts, which are kept among the images of the Atlas.",
					"The charts that belong to this entry set the country beside a few others and carry the values on their bars.",
				],
			},
		],
	},
];

const city: Section[] = [
	{
		id: "city",
		title: "",
		statements: [
			{
				opens: true,
				say: [
					"{s} is the capital of {s.^capital}.",
					"{s} serves as the capital city of {s.^capital}.",
					"{s} is a city in {s.city-country}.",
					"{s} lies in {s.city-country}.",
				],
			},
			{
				say: [
					"About {s.city-population} people live in its urban area.",
					"Its urban area had a population of {s.city-population} by the middle of the 2010s.",
					"The population of the urban area is given as {s.city-population}.",
				],
			},
			{
				say: [
					"It is the most populous city of {s.^largest-city}.",
					"No urban area of {s.^largest-city} is larger: it is the most populous city of the country.",
				],
			},
			{
				say: [
					"Served from the air by {s.^airport-city*}, the city has a link to the rest of the world.",
					"The city is served by {s.^airport-city*}.",
					"Flights to {s} land at {s.^airport-city*}.",
				],
			},
			{
				say: ["The element {s.^namesake} is named after {s}.", "Chemists named {s.^namesake} after {s}."],
			},
			{
				extra: true,
				say: [
					"The surrounding country, {s.city-country}, belongs to {s.city-country.subregion}.",
					"Like the rest of {s.city-country}, it forms part of {s.city-country.subregion}.",
				],
			},
			{
				extra: true,
				say: [
					"Shops in {s.city-country} take {s.city-country.currency}, the national currency.",
					"Visitors to {s.city-country} pay in {s.city-country.currency}, the currency of the country.",
				],
			},
			{
				extra: true,
				say: [
					"Figures for urban areas count the suburbs as well, which is why they may differ from those for the municipality alone.",
					"Where a city has several airports, only those that the sources list under its own name are mentioned.",
				],
			},
			{
				extra: true,
				say: [
					"This entry is short by design: it gathers what the public sources say about the city in a few sentences.",
					"More about the country as a whole, its neighbours and its emblems can be read in the article devoted to it.",
				],
			},
			{
				extra: true,
				say: [
					"No street plan or photograph accompanies the entry, since none came with the sources that the Atlas is made from.",
					"The spelling of the name follows common English usage, and other spellings may be met with on maps.",
				],
			},
		],
	},
];

const airport: Section[] = [
	{
		id: "airport",
		title: "",
		statements: [
			{
				opens: true,
				say: [
					"{s} is an airport that serves {s.airport-city}.",
					"The city of {s.airport-city} is served by {s}.",
					"{s} handles flights to and from {s.airport-city}, the city it serves.",
				],
			},
			{
				say: [
					"Its city lies in {s.airport-city.city-country}.",
					"{s.airport-city} belongs to {s.airport-city.city-country}.",
				],
			},
			{
				extra: true,
				say: [
					"{s.airport-city} is the capital of {s.airport-city.^capital}.",
					"The urban area of {s.airport-city} has about {s.airport-city.city-population} inhabitants.",
				],
			},
			{
				extra: true,
				say: [
					"The technical particulars of the airfield are listed in a table of their own, apart from this text.",
					"Code and elevation of the airfield stand in the table that goes with the entry.",
				],
			},
			{
				extra: true,
				say: [
					"Timetables, terminals and airlines change too quickly for an atlas and are left out.",
					"The sources say nothing of its terminals and runways, and neither does this entry.",
				],
			},
			{
				extra: true,
				say: [
					"Airports are often renamed; the name used here is the one under which the public airport database lists it.",
					"Passengers may know it by a shorter name, but the full name is used in this entry to avoid confusion.",
				],
			},
			{
				extra: true,
				say: [
					"Whoever looks for the way from the airfield into town will have to turn to a guidebook.",
					"The entry is one of several hundred on airports and follows the same plan as the others.",
				],
			},
		],
	},
];

const mountain: Section[] = [
	{
		id: "mountain",
		title: "",
		statements: [
			{
				opens: true,
				say: [
					"{s} is the highest point of {s.^highest-point}.",
					"The highest point of {s.^highest-point} is {s}.",
					"Nothing in {s.^highest-point} is higher than {s}, the highest point of the country.",
				],
			},
			{
				say: [
					"It rises {s.elevation} above sea level.",
					"Its elevation is {s.elevation}.",
					"Surveys put the height at {s.elevation}.",
				],
			},
			{
				extra: true,
				say: [
					"{s.^highest-point} lies in {s.^highest-point.subregion}.",
					"The country around it, {s.^highest-point}, belongs to {s.^highest-point.subregion}.",
				],
			},
			{
				extra: true,
				say: [
					"The capital of {s.^highest-point} is {s.^highest-point.capital}.",
					"Anyone travelling there is likely to pass through {s.^highest-point.capital}, the capital of {s.^highest-point}.",
				],
			},
			{
				extra: true,
				say: [
					"Heights of summits differ by a few metres between surveys, and the Atlas repeats the value of a single source.",
					"The value is that of a public reference work of the year 2015; later surveys may have corrected it.",
				],
			},
			{
				extra: true,
				say: [
					"Routes, seasons and dangers of the ascent are matters for a climbing guide and are not treated here.",
					"The name is spelled without accents, as in the source, and local spellings may look different.",
				],
			},
			{
				extra: true,
				say: [
					"Not every highest point is a mountain in the strict sense: some are hills, ridges or even dunes.",
					"The entry belongs to a series on the highest points of countries and territories.",
				],
			},
		],
	},
];

const currency: Section[] = [
	{
		id: "currency",
		title: "",
		statements: [
			{
				opens: true,
				say: [
					"{s} is the currency of {s.^currency*}.",
					"The currency of {s.^currency*} is {s}.",
					"{s} is legal tender in {s.^currency*}, where it is the currency.",
				],
			},
			{
				say: [
					"Its ISO 4217 code is {s.currency-code}.",
					"Banks abbreviate it with the code {s.currency-code}.",
					"On exchange boards it appears under the code {s.currency-code}.",
				],
			},
			{
				extra: true,
				say: [
					"{s.^currency} is governed from {s.^currency.capital}, its capital.",
					"The capital of {s.^currency} is {s.^currency.capital}.",
				],
			},
			{
				extra: true,
				say: [
					"Exchange rates move every day, and none are quoted here.",
					"The entry says nothing of its value, which changes from day to day.",
				],
			},
			{
				extra: true,
				say: [
					"Countries that use several currencies side by side are left out of the list, so as not to mislead the reader.",
					"Only places where it is the one official money are named; some others accept it as well.",
				],
			},
			{
				extra: true,
				say: [
					"Coins and banknotes are not pictured, because their designs are often protected.",
					"Collectors will look in vain for coins and banknotes, which are not shown in the Atlas.",
				],
			},
			{
				extra: true,
				say: [
					"The three-letter codes of currencies are kept by an international standard and are used in banking, on tickets and in price lists all over the world.",
					"As a rule the first two letters of such a code recall the country and the last one the name of the money, though there are exceptions.",
				],
			},
		],
	},
];

const language: Section[] = [
	{
		id: "language",
		title: "",
		statements: [
			{
				opens: true,
				say: [
					"{s} is an official language of {s.^language*7}, among others.",
					"Among the countries and territories where {s} is an official language are {s.^language*7}.",
					"{s} is an official language of {s.^language+7}.",
					"{s} has official standing as a language in {s.^language+7}.",
				],
			},
			{
				extra: true,
				say: [
					"{s.^language} lies in {s.^language.subregion}.",
					"The capital of {s.^language} is {s.^language.capital}.",
				],
			},
			{
				extra: true,
				say: [
					"Official standing does not mean that everybody speaks it, nor that it is spoken nowhere else.",
					"How many people speak it is a question on which sources differ widely, and no figure is given here.",
				],
			},
			{
				extra: true,
				say: [
					"Dialects, script and grammar are outside the scope of this short entry, which lists only where the language has an official role.",
					"The list follows a public register of countries; regional languages without national standing are not part of it.",
				],
			},
			{
				extra: true,
				say: [
					"Many countries recognise more than one language, and the articles on the countries name all of them together.",
					"Readers will find the other languages of each country in the article on that country.",
				],
			},
			{
				extra: true,
				say: [
					"The name of the language is the one in common English use and may differ from what its speakers call it themselves.",
					"Speakers may call the language by another name; the Atlas uses the one that is customary in English.",
				],
			},
		],
	},
];

const element: Section[] = [
	{
		id: "element",
		title: "",
		statements: [
			{
				opens: true,
				say: [
					"The chemical element {s} has the atomic number {s.atomic-number}.",
					"With the atomic number {s.atomic-number}, {s} holds its place in the periodic table.",
					"An atom of {s} has {s.atomic-number} protons, which is its atomic number.",
				],
			},
			{
				say: [
					"Its discovery is dated to {s.discovery}.",
					"It was discovered in {s.discovery}.",
					"The year of its discovery is {s.discovery}.",
				],
			},
			{
				say: [
					"It was named after {s.namesake}, the capital of {s.namesake.^capital}.",
					"It takes its name from {s.namesake-country}, the country it was named after.",
				],
			},
			{
				extra: true,
				say: [
					"Symbol and melting point are listed in a separate table, together with those of other elements.",
					"The table that belongs to the entry gives the symbol and, where it has been measured, the melting point.",
				],
			},
			{
				extra: true,
				say: [
					"Years of discovery are a matter of convention, since an element was often known long before it was isolated and recognised as such.",
					"For several elements more than one person claimed the discovery, and the year given is the one most often quoted.",
				],
			},
			{
				extra: true,
				say: [
					"Uses, compounds and hazards are not discussed in this entry, which is meant for looking up a few basic figures.",
					"The Atlas takes up the elements because some of them carry the names of places, and because dates and temperatures invite comparison.",
				],
			},
			{
				extra: true,
				say: [
					"Heavier elements follow and lighter ones come before it in the table, which is ordered by the number of protons.",
					"Its neighbours in the periodic table have entries of their own, arranged in the same way.",
				],
			},
		],
	},
];

const subregion: Section[] = [
	{
		id: "region",
		title: "",
		statements: [
			{
				opens: true,
				say: [
					"As the Atlas divides the world, {s} takes in {s.^subregion*}.",
					"{s} is the part of the world made up of {s.^subregion*}.",
					"The countries and territories of {s} are {s.^subregion*}.",
				],
			},
			{
				say: [
					"Other divisions of the world draw the lines differently, and a country may be counted elsewhere in another book.",
					"The division is one among many and says nothing about politics or culture.",
				],
			},
			{
				say: [
					"Each of them has an article, and fact sheets in portable document format bring the main figures together page by page.",
					"The fact sheets of the region set out the figures of its members side by side.",
				],
			},
			{
				extra: true,
				say: [
					"Territories that are not sovereign states are listed beside those that are, since the international register of country codes treats them alike.",
					"The order of the list is that of the international country codes and implies no ranking of any kind.",
				],
			},
		],
	},
];

export const englishSections: Record<string, Section[]> = {
	country,
	city,
	airport,
	mountain,
	currency,
	language,
	element,
	subregion,
};
