/** Relations whose objects are entities, names and codes. */
import type { Wording } from "./relation-wording.ts";

export const nameRelations: Record<string, Wording> = {
	capital: {
		from: "country",
		to: "city",
		impliesInverse: "city-country",
		inverseSingle: true,
		en: {
			noun: ["the capital of {}", "the capital city of {}", "the seat of government of {}"],
			inverseNoun: ["the country whose capital is {}", "the country governed from {}"],
		},
		es: {
			noun: ["la capital de {}", "la ciudad capital de {}"],
			inverseNoun: ["el país cuya capital es {}", "el país que tiene por capital {}"],
		},
	},
	"city-country": {
		from: "city",
		to: "country",
		en: {
			noun: ["the country in which {} lies", "the country that {} belongs to"],
			question: ["In which country does {} lie?", "Which country does {} belong to?"],
		},
		es: {
			noun: ["el país en el que se encuentra {}", "el país al que pertenece {}"],
			question: ["¿En qué país se encuentra {}?", "¿A qué país pertenece {}?"],
		},
	},
	"official-name": {
		from: "country",
		to: "string",
		inverseSingle: true,
		en: { noun: ["the official name of {}", "the full official name of {}"] },
		es: { noun: ["el nombre oficial en inglés de {}"] },
	},
	demonym: {
		from: "country",
		to: "string",
		en: {
			noun: ["the demonym for people from {}", "the English word for an inhabitant of {}"],
			question: ["What are people from {} called in English?", "What is the English demonym for someone from {}?"],
		},
		es: {
			noun: ["el gentilicio inglés de {}"],
			question: ["¿Cuál es el gentilicio inglés de quienes viven en {}?"],
		},
	},
	subregion: {
		from: "country",
		to: "subregion",
		en: {
			noun: ["the part of the world in which {} lies", "the subregion that {} belongs to"],
			question: ["In which part of the world does {} lie?", "Which subregion does {} belong to?"],
		},
		es: {
			noun: ["la parte del mundo en la que está el territorio de {}", "la subregión del territorio de {}"],
			question: [
				"¿En qué parte del mundo está el territorio de {}?",
				"¿A qué subregión corresponde el territorio de {}?",
			],
		},
	},
	borders: {
		from: "country",
		to: "country",
		impliesInverse: "borders",
		single: false,
		en: {
			noun: ["a country that shares a land border with {}", "a neighbour of {}"],
			question: ["Which countries share a land border with {}?"],
		},
		es: {
			noun: ["un país que limita por tierra con {}", "un vecino de {}"],
			question: ["¿Qué países limitan por tierra con {}?"],
		},
	},
	landlocked: {
		from: "country",
		to: "boolean",
		en: {
			noun: ["whether {} is landlocked"],
			question: ["Is {} landlocked?", "Is {} without a coast of its own?"],
		},
		es: {
			noun: ["si el territorio de {} carece de litoral"],
			question: ["¿Carece de litoral el territorio de {}?", "¿Carece de salida al mar el territorio de {}?"],
		},
	},
	language: {
		from: "country",
		to: "language",
		single: false,
		en: {
			noun: ["an official language of {}", "a national language of {}"],
			question: ["Which languages are official in {}?", "Which official language does {} use?"],
			inverseNoun: ["a country where {} is an official language"],
		},
		es: {
			noun: ["una lengua oficial de {}", "un idioma oficial de {}"],
			question: ["¿Qué lenguas son oficiales en {}?", "¿Qué lengua oficial se usa en {}?"],
			inverseNoun: ["un país donde el {} es lengua oficial"],
		},
	},
	currency: {
		from: "country",
		to: "currency",
		en: {
			noun: ["the currency of {}", "the money used in {}"],
			question: ["What is the currency of {}?", "Which currency is used in {}?"],
			inverseNoun: ["the country whose currency is {}", "the country that pays with {}"],
		},
		es: {
			noun: ["la moneda de {}", "la moneda que se usa en {}"],
			question: ["¿Cuál es la moneda de {}?", "¿Qué moneda se usa en {}?"],
			inverseNoun: ["el país cuya moneda es {}", "el país que paga con {}"],
		},
	},
	"currency-code": {
		from: "currency",
		to: "string",
		inverseSingle: true,
		en: {
			noun: ["the ISO 4217 code of {}", "the three-letter currency code of {}"],
			inverseNoun: ["the currency whose ISO 4217 code is {}"],
		},
		es: {
			noun: ["el código ISO 4217 de {}", "el código de tres letras de {}"],
			inverseNoun: ["la moneda cuyo código ISO 4217 es {}"],
		},
	},
	"highest-point": {
		from: "country",
		to: "mountain",
		inverseSingle: true,
		en: {
			noun: ["the highest point of {}", "the highest elevation in {}"],
			inverseNoun: ["the country whose highest point is {}", "the country that culminates in {}"],
		},
		es: {
			noun: ["el punto más alto de {}", "la mayor elevación de {}"],
			inverseNoun: ["el país cuyo punto más alto es {}", "el país que culmina en {}"],
		},
	},
	"independent-from": {
		from: "country",
		to: "country",
		en: {
			noun: ["the country from which {} became independent", "the former ruling power of {}"],
			question: ["From which country did {} become independent?"],
		},
		es: {
			noun: ["la antigua potencia gobernante de {}", "el país que gobernaba antes de la independencia de {}"],
			question: ["¿Cuál es la antigua potencia gobernante de {}?"],
		},
	},
	"export-partner": {
		from: "country",
		to: "country",
		en: {
			noun: ["the country that took the largest share of the exports of {}", "the main export market of {}"],
			question: ["Which country took the largest share of the exports of {}?", "What is the main export market of {}?"],
		},
		es: {
			noun: [
				"el país que recibió la mayor parte de las exportaciones de {}",
				"el principal mercado de exportación de {}",
			],
			question: ["¿Qué país recibió la mayor parte de las exportaciones de {}?"],
		},
	},
	"largest-city": {
		from: "country",
		to: "city",
		impliesInverse: "city-country",
		inverseSingle: true,
		en: {
			noun: ["the most populous city of {}", "the largest urban area of {}"],
			inverseNoun: ["the country whose most populous city is {}", "the country whose largest urban area is {}"],
		},
		es: {
			noun: ["la ciudad más poblada de {}", "la mayor área urbana de {}"],
			inverseNoun: ["el país cuya ciudad más poblada es {}"],
		},
	},
	"calling-code": {
		from: "country",
		to: "string",
		inverseSingle: true,
		en: {
			noun: ["the international calling code of {}", "the telephone country code of {}"],
			inverseNoun: ["the country whose international calling code is {}"],
		},
		es: {
			noun: ["el prefijo telefónico internacional de {}"],
			inverseNoun: ["el país cuyo prefijo telefónico internacional es {}"],
		},
	},
	"internet-domain": {
		from: "country",
		to: "string",
		inverseSingle: true,
		en: {
			noun: ["the internet country domain of {}", "the country-code top-level domain of {}"],
			inverseNoun: ["the country whose internet domain is {}"],
		},
		es: {
			noun: ["el dominio de internet de {}", "el dominio territorial de internet de {}"],
			inverseNoun: ["el país cuyo dominio de internet es {}"],
		},
	},
	"iso-code": {
		from: "country",
		to: "string",
		inverseSingle: true,
		en: {
			noun: ["the three-letter ISO 3166 code of {}", "the ISO 3166 alpha-3 code of {}"],
			inverseNoun: ["the country whose three-letter ISO 3166 code is {}"],
		},
		es: {
			noun: ["el código ISO 3166 de tres letras de {}"],
			inverseNoun: ["el país cuyo código ISO 3166 de tres letras es {}"],
		},
	},
	anthem: {
		from: "country",
		to: "string",
		inverseSingle: true,
		en: {
			noun: ["the national anthem of {}", "the title of the national anthem of {}"],
			inverseNoun: ["the country whose national anthem is “{}”"],
		},
		es: {
			noun: ["el himno nacional de {}", "el título del himno nacional de {}"],
			inverseNoun: ["el país cuyo himno nacional es «{}»"],
		},
	},
	"national-symbol": {
		from: "country",
		to: "string",
		en: {
			noun: ["the national symbol of {}", "the national emblem of {}"],
		},
		es: {
			noun: ["el símbolo nacional (en inglés) de {}"],
		},
	},
	"airport-city": {
		from: "airport",
		to: "city",
		en: {
			noun: ["the city served by {}", "the city that {} serves"],
			question: ["Which city is served by {}?", "Which city does {} serve?"],
		},
		es: {
			noun: ["la ciudad a la que da servicio {}", "la ciudad que atiende {}"],
			question: ["¿A qué ciudad da servicio {}?", "¿Qué ciudad atiende {}?"],
		},
	},
	"airport-code": {
		from: "airport",
		to: "string",
		inverseSingle: true,
		en: {
			noun: ["the IATA code of {}", "the three-letter airport code of {}"],
			inverseNoun: ["the airport whose IATA code is {}", "the airport with the IATA code {}"],
		},
		es: {
			noun: ["el código IATA de {}"],
			inverseNoun: ["el aeropuerto cuyo código IATA es {}"],
		},
	},
	"element-symbol": {
		from: "element",
		to: "string",
		inverseSingle: true,
		en: {
			noun: ["the chemical symbol of {}", "the symbol for {} in the periodic table"],
			inverseNoun: ["the chemical element with the symbol {}", "the element whose chemical symbol is {}"],
		},
		es: {
			noun: ["el símbolo químico de {}"],
			inverseNoun: ["el elemento químico cuyo símbolo es {}"],
		},
	},
	namesake: {
		from: "element",
		to: "city",
		inverseSingle: true,
		en: {
			noun: ["the city that {} is named after", "the city after which {} was named"],
			question: ["Which city is {} named after?"],
			inverseNoun: ["the chemical element named after {}", "the element that takes its name from {}"],
		},
		es: {
			noun: ["la ciudad que da nombre a {}"],
			question: ["¿Qué ciudad da nombre a {}?"],
			inverseNoun: ["el elemento químico que toma su nombre de {}"],
		},
	},
	"namesake-country": {
		from: "element",
		to: "country",
		inverseSingle: true,
		en: {
			noun: ["the country that {} is named after", "the country after which {} was named"],
			question: ["Which country is {} named after?"],
			inverseNoun: ["the chemical element named after {}", "the element that takes its name from {}"],
		},
		es: {
			noun: ["el país que da nombre a {}"],
			question: ["¿Qué país da nombre a {}?"],
			inverseNoun: ["el elemento químico que toma su nombre de {}"],
		},
	},
};
