/** Spanish names that the data packages do not carry; what is not listed here keeps its international name. */

export const subregionsInSpanish: Record<string, string> = {
	Caribbean: "el Caribe",
	"Southern Asia": "Asia meridional",
	"Middle Africa": "África central",
	"Northern Europe": "Europa septentrional",
	"Southeast Europe": "Europa suroriental",
	"Southern Europe": "Europa meridional",
	"Western Asia": "Asia occidental",
	"South America": "América del Sur",
	Polynesia: "Polinesia",
	"Australia and New Zealand": "Australasia",
	"Central Europe": "Europa central",
	"Eastern Africa": "África oriental",
	"Western Europe": "Europa occidental",
	"Western Africa": "África occidental",
	"Eastern Europe": "Europa oriental",
	"Central America": "América Central",
	"North America": "América del Norte",
	"South-Eastern Asia": "el Sudeste Asiático",
	"Southern Africa": "África meridional",
	"Eastern Asia": "Asia oriental",
	"Northern Africa": "África septentrional",
	Melanesia: "Melanesia",
	Micronesia: "Micronesia",
	"Central Asia": "Asia central",
};

/** Country names where the package's Spanish is an inverted, outdated or unaccented form, by ISO alpha-3 code. */
export const countriesInSpanish: Record<string, string> = {
	COD: "la República Democrática del Congo",
	COG: "la República del Congo",
	FSM: "los Estados Federados de Micronesia",
	SLE: "Sierra Leona",
	IRN: "Irán",
	FRO: "las Islas Feroe",
	SWZ: "Esuatini",
	ESH: "el Sáhara Occidental",
	CCK: "las Islas Cocos",
	TKL: "Tokelau",
	ARE: "los Emiratos Árabes Unidos",
	BES: "el Caribe Neerlandés",
	DJI: "Yibuti",
	DOM: "la República Dominicana",
	CAF: "la República Centroafricana",
	GBR: "el Reino Unido",
	GUF: "la Guayana Francesa",
	IND: "la India",
	IOT: "el Territorio Británico del Océano Índico",
	LBN: "el Líbano",
	MDV: "las Maldivas",
	BHS: "las Bahamas",
	COM: "las Comoras",
	NLD: "los Países Bajos",
	PYF: "la Polinesia Francesa",
	USA: "los Estados Unidos",
	VAT: "la Ciudad del Vaticano",
	ATA: "la Antártida",
	ATF: "las Tierras Australes y Antárticas Francesas",
	BMU: "las Bermudas",
};

const cityPairs = `London:Londres|Paris:París|Moscow:Moscú|Beijing:Pekín|Vienna:Viena|Brussels:Bruselas|Sofia:Sofía|Prague:Praga|
Berlin:Berlín|Copenhagen:Copenhague|Algiers:Argel|Cairo:El Cairo|Athens:Atenas|Havana:La Habana|Warsaw:Varsovia|Lisbon:Lisboa|
Bucharest:Bucarest|Rome:Roma|Tokyo:Tokio|Seoul:Seúl|Baghdad:Bagdad|Tehran:Teherán|Damascus:Damasco|Jerusalem:Jerusalén|
Dublin:Dublín|Reykjavik:Reikiavik|Stockholm:Estocolmo|Bern:Berna|Belgrade:Belgrado|Ljubljana:Liubliana|Kyiv:Kiev|
Yerevan:Ereván|Baku:Bakú|Abu Dhabi:Abu Dabi|Addis Ababa:Adís Abeba|Tallinn:Tallin|Tbilisi:Tiflis|Guatemala City:Ciudad de Guatemala|
Budapest:Budapest|New Delhi:Nueva Delhi|Jakarta:Yakarta|Astana:Astaná|Bishkek:Biskek|Kuwait City:Ciudad de Kuwait|Tripoli:Trípoli|
Vilnius:Vilna|Valletta:La Valeta|Mexico City:Ciudad de México|Ulan Bator:Ulán Bator|Kathmandu:Katmandú|Muscat:Mascate|
Panama City:Ciudad de Panamá|Manila:Manila|Pyongyang:Pionyang|Riyadh:Riad|Khartoum:Jartum|Mogadishu:Mogadiscio|Juba:Yuba|
Bangkok:Bangkok|Dushanbe:Dusambé|Ashgabat:Asjabad|Port of Spain:Puerto España|Tunis:Túnez|Tashkent:Taskent|Hanoi:Hanói|
Port-au-Prince:Puerto Príncipe|Washington D.C.:Washington D. C.|Dhaka:Daca|Thimphu:Timbu|Phnom Penh:Nom Pen|Tirana:Tirana|
City of San Marino:Ciudad de San Marino|Islamabad:Islamabad|Antananarivo:Antananarivo|Nouakchott:Nuakchot|Sana'a:Saná|
N'Djamena:Yamena|Chișinău:Chisináu|Geneva:Ginebra|Milan:Milán|Munich:Múnich|New York:Nueva York|Shanghai:Shanghái|
Istanbul:Estambul|Sydney:Sídney|Zurich:Zúrich|Johannesburg:Johannesburgo|Antwerp:Amberes|Casablanca:Casablanca|Naples:Nápoles|
Lahore:Lahore|Karachi:Karachi|Mumbai:Bombay|Montreal:Montreal|Cologne:Colonia|Hamburg:Hamburgo|Frankfurt:Fráncfort|Nicosia:Nicosia|
Luxembourg:Luxemburgo|Naypyidaw:Naipyidó|Zagreb:Zagreb|Ottawa:Ottawa|Canberra:Canberra`;

const currencyPairs = `AWG:el florín arubeño|AFN:el afgani afgano|AOA:el kwanza angoleño|XCD:el dólar del Caribe Oriental|EUR:el euro|ALL:el lek albanés|
AED:el dírham de los Emiratos Árabes Unidos|ARS:el peso argentino|AMD:el dram armenio|USD:el dólar estadounidense|AUD:el dólar australiano|
AZN:el manat azerbaiyano|BIF:el franco burundés|XOF:el franco CFA de África Occidental|BDT:la taka bangladesí|BGN:el lev búlgaro|
BHD:el dinar bareiní|BSD:el dólar bahameño|BAM:el marco convertible bosnio|GBP:la libra esterlina|SHP:la libra de Santa Elena|
BYN:el rublo bielorruso|BZD:el dólar beliceño|BMD:el dólar bermudeño|BOB:el boliviano|BRL:el real brasileño|BBD:el dólar barbadense|
BND:el dólar bruneano|SGD:el dólar singapurense|BTN:el ngultrum butanés|INR:la rupia india|BWP:el pula botsuano|
XAF:el franco CFA de África Central|CAD:el dólar canadiense|CHF:el franco suizo|CLP:el peso chileno|CNY:el yuan chino|
CDF:el franco congoleño|CKD:el dólar de las Islas Cook|NZD:el dólar neozelandés|COP:el peso colombiano|KMF:el franco comorense|
CVE:el escudo caboverdiano|CRC:el colón costarricense|CUC:el peso convertible cubano|CUP:el peso cubano|ANG:el florín antillano neerlandés|
KYD:el dólar de las Islas Caimán|CZK:la corona checa|DJF:el franco yibutiano|DKK:la corona danesa|DOP:el peso dominicano|
DZD:el dinar argelino|EGP:la libra egipcia|ERN:el nakfa eritreo|MAD:el dírham marroquí|MRU:la uguiya mauritana|ETB:el bir etíope|
FJD:el dólar fiyiano|FKP:la libra malvinense|FOK:la corona feroesa|GEL:el lari georgiano|GGP:la libra de Guernsey|GHS:el cedi ghanés|
GIP:la libra gibraltareña|GNF:el franco guineano|GMD:el dalasi gambiano|GTQ:el quetzal guatemalteco|GYD:el dólar guyanés|
HKD:el dólar de Hong Kong|HNL:el lempira hondureño|HTG:el gourde haitiano|HUF:el forinto húngaro|IDR:la rupia indonesia|
IMP:la libra manesa|IRR:el rial iraní|IQD:el dinar iraquí|ISK:la corona islandesa|ILS:el nuevo séquel israelí|JMD:el dólar jamaicano|
JEP:la libra de Jersey|JOD:el dinar jordano|JPY:el yen japonés|KZT:el tengue kazajo|KES:el chelín keniano|KGS:el som kirguís|
KHR:el riel camboyano|KID:el dólar de Kiribati|KRW:el won surcoreano|KWD:el dinar kuwaití|LAK:el kip laosiano|LBP:la libra libanesa|
LRD:el dólar liberiano|LYD:el dinar libio|LKR:la rupia esrilanquesa|LSL:el loti lesotense|ZAR:el rand sudafricano|MOP:la pataca macaense|
MDL:el leu moldavo|MGA:el ariary malgache|MVR:la rufiya maldiva|MXN:el peso mexicano|MKD:el denar macedonio|MMK:el kiat birmano|
MNT:el tugrik mongol|MZN:el metical mozambiqueño|MUR:la rupia mauriciana|MWK:el kwacha malauí|MYR:el ringit malasio|
NAD:el dólar namibio|XPF:el franco CFP|NGN:el naira nigeriano|NIO:el córdoba nicaragüense|NOK:la corona noruega|NPR:la rupia nepalí|
OMR:el rial omaní|PKR:la rupia pakistaní|PAB:el balboa panameño|PEN:el sol peruano|PHP:el peso filipino|PGK:la kina papuana|
PLN:el esloti polaco|KPW:el won norcoreano|PYG:el guaraní paraguayo|QAR:el rial catarí|RON:el leu rumano|RUB:el rublo ruso|
RWF:el franco ruandés|SAR:el rial saudí|SDG:la libra sudanesa|SBD:el dólar de las Islas Salomón|SLL:el leone sierraleonés|
SOS:el chelín somalí|RSD:el dinar serbio|SSP:la libra sursudanesa|STN:la dobra santotomense|SRD:el dólar surinamés|SEK:la corona sueca|
SZL:el lilangeni esuatiniano|SCR:la rupia seychellense|SYP:la libra siria|THB:el bat tailandés|TJS:el somoni tayiko|
TMT:el manat turcomano|TOP:el paanga tongano|TTD:el dólar de Trinidad y Tobago|TND:el dinar tunecino|TRY:la lira turca|
TVD:el dólar tuvaluano|TWD:el nuevo dólar taiwanés|TZS:el chelín tanzano|UGX:el chelín ugandés|UAH:la grivna ucraniana|
UYU:el peso uruguayo|UZS:el som uzbeko|VES:el bolívar soberano venezolano|VND:el dong vietnamita|VUV:el vatu vanuatuense|
WST:el tala samoano|YER:el rial yemení|ZMW:el kwacha zambiano`;

const languagePairs = `nld:neerlandés|pap:papiamento|prs:darí|pus:pastún|tuk:turcomano|por:portugués|eng:inglés|swe:sueco|sqi:albanés|cat:catalán|
ara:árabe|grn:guaraní|spa:español|hye:armenio|smo:samoano|fra:francés|bar:austrobávaro|aze:azerí|rus:ruso|run:kirundi|deu:alemán|
ben:bengalí|bul:búlgaro|bos:bosnio|hrv:croata|srp:serbio|bel:bielorruso|bjz:criollo beliceño|aym:aimara|que:quechua|msa:malayo|
dzo:dzongkha|nor:noruego|tsn:setsuana|sag:sango|gsw:alemán de Suiza|ita:italiano|roh:romanche|zho:chino|kon:kikongo|lin:lingala|
lua:chiluba|swa:suajili|rar:maorí de las Islas Cook|zdj:comorense|ell:griego|tur:turco|ces:checo|slk:eslovaco|dan:danés|tir:tigriña|
ber:bereber|mey:hassanía|est:estonio|amh:amárico|fin:finés|fij:fiyiano|hif:hindi de Fiyi|fao:feroés|kat:georgiano|nfr:guerneseyés|
pov:criollo de la Alta Guinea|kal:groenlandés|cha:chamorro|hat:criollo haitiano|hun:húngaro|ind:indonesio|glv:manés|hin:hindi|
tam:tamil|gle:irlandés|fas:persa|arc:arameo|ckb:sorani|isl:islandés|heb:hebreo|jam:patois jamaicano|nrf:jèrriais|jpn:japonés|
kaz:kazajo|kir:kirguís|khm:jemer|gil:gilbertés|kor:coreano|lao:lao|sin:cingalés|sot:sesotho|lit:lituano|ltz:luxemburgués|lav:letón|
ron:rumano|mlg:malgache|div:maldivo|mah:marshalés|mkd:macedonio|mlt:maltés|mya:birmano|cnr:montenegrino|mon:mongol|cal:carolinio|
mfe:criollo mauriciano|nya:chichewa|afr:afrikáans|her:herero|hgm:khoekhoe|kwn:kwangali|loz:lozi|ndo:ndonga|pih:norfuk|niu:niueano|
nno:nynorsk noruego|nob:bokmål noruego|smi:sami|nep:nepalí|nau:nauruano|mri:maorí|nzs:lengua de señas neozelandesa|urd:urdu|
fil:filipino|pau:palauano|hmo:hiri motu|tpi:tok pisin|pol:polaco|kin:kiñaruanda|som:somalí|slv:esloveno|ssw:suazi|
crs:criollo seychellense|tha:tailandés|tgk:tayiko|tkl:tokelauano|tet:tetun|ton:tongano|tvl:tuvaluano|ukr:ucraniano|uzb:uzbeko|
lat:latín|vie:vietnamita|bis:bislama|nbl:ndebele del sur|nso:sesotho del norte|tso:tsonga|ven:venda|xho:xhosa|zul:zulú|bwg:chibarwe|
kck:kalanga|khi:joisán|ndc:ndau|nde:ndebele del norte|sna:shona|toi:chitonga|zib:lengua de señas zimbabuense`;

const elementPairs = `H:hidrógeno|He:helio|Li:litio|Be:berilio|B:boro|C:carbono|N:nitrógeno|O:oxígeno|F:flúor|Ne:neón|Na:sodio|Mg:magnesio|Al:aluminio|
Si:silicio|P:fósforo|S:azufre|Cl:cloro|Ar:argón|K:potasio|Ca:calcio|Sc:escandio|Ti:titanio|V:vanadio|Cr:cromo|Mn:manganeso|Fe:hierro|
Co:cobalto|Ni:níquel|Cu:cobre|Zn:zinc|Ga:galio|Ge:germanio|As:arsénico|Se:selenio|Br:bromo|Kr:kriptón|Rb:rubidio|Sr:estroncio|
Y:itrio|Zr:circonio|Nb:niobio|Mo:molibdeno|Tc:tecnecio|Ru:rutenio|Rh:rodio|Pd:paladio|Ag:plata|Cd:cadmio|In:indio|Sn:estaño|
Sb:antimonio|Te:telurio|I:yodo|Xe:xenón|Cs:cesio|Ba:bario|La:lantano|Ce:cerio|Pr:praseodimio|Nd:neodimio|Pm:prometio|Sm:samario|
Eu:europio|Gd:gadolinio|Tb:terbio|Dy:disprosio|Ho:holmio|Er:erbio|Tm:tulio|Yb:iterbio|Lu:lutecio|Hf:hafnio|Ta:tantalio|W:wolframio|
Re:renio|Os:osmio|Ir:iridio|Pt:platino|Au:oro|Hg:mercurio|Tl:talio|Pb:plomo|Bi:bismuto|Po:polonio|At:astato|Rn:radón|Fr:francio|
Ra:radio|Ac:actinio|Th:torio|Pa:protactinio|U:uranio|Np:neptunio|Pu:plutonio|Am:americio|Cm:curio|Bk:berkelio|Cf:californio|
Es:einstenio|Fm:fermio|Md:mendelevio|No:nobelio|Lr:lawrencio|Rf:rutherfordio|Db:dubnio|Sg:seaborgio|Bh:bohrio|Hs:hasio|
Mt:meitnerio|Ds:darmstatio|Rg:roentgenio|Cn:copernicio|Nh:nihonio|Fl:flerovio|Mc:moscovio|Lv:livermorio|Ts:teneso|Og:oganesón`;

export const citiesInSpanish = pairs(cityPairs);
export const currenciesInSpanish = pairs(currencyPairs);
export const languagesInSpanish = pairs(languagePairs);
export const elementsInSpanish = pairs(elementPairs);

function pairs(text: string): Map<string, string> {
	return new Map(
		text
			.replaceAll("\n", "")
			.split("|")
			.map((entry) => {
				const colon = entry.indexOf(":");
				return [entry.slice(0, colon), entry.slice(colon + 1)] as const;
			}),
	);
}
