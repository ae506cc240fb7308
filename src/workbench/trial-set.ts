/**
 * What an added encoder is tried on: 48 passages and a question for every second one, written before any encoder had
 * ranked them. Half of the questions use the passage's words, half other words for the same, as people do who do not
 * know the manual; the passage after each answer is of the same field and does not answer. `elsewhere` asks eight of the
 * questions in Spanish, German and French.
 */
export const trialPassages: readonly string[] = [
	"With set logscale y the vertical axis of a plot is drawn logarithmically, so that each factor of ten takes the same height.",
	"The command set xtics rotate turns the labels along the horizontal axis, so that long ones do not overlap.",
	"A branch that was deleted can be brought back: git reflog lists the commits it pointed to, and git branch NAME COMMIT makes it anew.",
	"git stash puts changes aside that are not committed yet, and git stash pop applies them again.",
	"To reset the thermostat, hold both arrow keys for ten seconds until the display goes dark and the word INIT appears.",
	"The thermostat's battery lasts two years; a blinking cell in the corner shows that it is nearly empty.",
	"Employees who fall ill tell their supervisor before nine o'clock; from the fourth day on a doctor's note is needed.",
	"Travel expenses are refunded within thirty days when the receipts are handed in with the form.",
	"Yeast dough that was left in the fridge overnight needs an hour at room temperature before it is shaped.",
	"Whipped egg whites are folded in at the end with a spatula, so that the air stays in the batter.",
	"Cron jobs run with a short PATH; name programs by their whole path, or set PATH at the head of the crontab.",
	"A systemd timer with Persistent=true makes up for runs that were missed while the machine was off.",
	"The warranty does not cover damage by liquids, nor devices that were opened by anyone but an authorised workshop.",
	"Orders above fifty euros are delivered free of charge; islands take two days longer.",
	"In case of fire leave by the stairs, never by the lift, and gather at the car park behind the building.",
	"The lift is serviced every six months, and carries eight persons or 630 kilograms at most.",
	"Tomato plants are watered at the foot in the morning; wet leaves invite blight.",
	"Carrots are sown in April in rows a hand's breadth apart and thinned out once they are as long as a finger.",
	"The index of a table is used for a query with LIKE only if the pattern does not begin with a wildcard.",
	"VACUUM gives the space of deleted rows back to the table, and with FULL to the operating system.",
	"Passengers who miss their connection through the airline's fault are rebooked and given a meal and, if needed, a hotel room.",
	"Cabin baggage may weigh eight kilograms and measure 55 by 40 by 23 centimetres.",
	"If the screen stays black after an update, start with the shift key held down, and choose the previous kernel.",
	"The brightness of the screen is set with the keys F5 and F6, or by a light sensor.",
	"Membership can be ended in writing at the end of each quarter, with notice of six weeks.",
	"Members bring guests free of charge on Sundays; on other days a guest pays five euros.",
	"A burn is held under cool running water for twenty minutes; no ice, no butter, no powder.",
	"A nosebleed stops when the head is bent forward and the nostrils are pressed together for ten minutes.",
	"The printer prints on both sides when Duplex is chosen under Layout in the dialog.",
	"Toner is changed from the front: open the flap, pull the blue lever, and slide the cartridge out.",
	"Chess: a pawn that reaches the last rank is exchanged for a queen, rook, bishop or knight of its colour.",
	"Chess: castling is not allowed while the king is in check, nor across a square that is attacked.",
	"The Amazon carries more water to the sea than any other river, about 209,000 cubic metres a second.",
	"The Nile rises in the highlands of East Africa and ends in a delta in the north of Egypt.",
	"Mary Shelley was eighteen when she began Frankenstein, in a wet summer at Lake Geneva.",
	"Bram Stoker managed a theatre in London while he wrote Dracula.",
	"Copper turns green outdoors, since carbonates and sulphates form on its surface over the years.",
	"Aluminium protects itself by a thin layer of oxide, which forms within seconds.",
	"Photosynthesis turns carbon dioxide and water into sugar with the energy of light, and sets oxygen free.",
	"Roots take up nitrogen as nitrate; clover gets it from the air with the help of bacteria.",
	"The statute of limitations for claims from a purchase is three years, from the end of the year in which they arose.",
	"A contract by a minor is valid once a parent agrees to it.",
	"Sound travels through water more than four times as fast as through air.",
	"Light takes eight minutes and twenty seconds from the sun to the earth.",
	"pip install --user puts packages below the home directory, where no administrator's rights are needed.",
	"A lock file holds the exact version of every package, so that two machines install the same.",
	"The museum is closed on Mondays; on the first Thursday of the month it is open until ten in the evening.",
	"Photographs may be taken in the museum without flash and without a tripod.",
];

/** Question by question, the place of its passage. */
export const trialQuestions: readonly { question: string; passage: number }[] = [
	{ question: "make the y scale of my chart exponential", passage: 0 },
	{ question: "git: restore a deleted branch", passage: 2 },
	{ question: "put the heating controller back to factory settings", passage: 4 },
	{ question: "When is a doctor's note needed?", passage: 6 },
	{ question: "what to do with refrigerated bread mix before forming loaves", passage: 8 },
	{ question: "cron job does not find a program", passage: 10 },
	{ question: "will I get a repair for free if I spilled coffee on it", passage: 12 },
	{ question: "Where do we gather in case of fire?", passage: 14 },
	{ question: "right way to give my vegetables a drink without causing disease", passage: 16 },
	{ question: "Is the index used for a query with LIKE?", passage: 18 },
	{ question: "my second flight left without me because the first was late", passage: 20 },
	{ question: "black screen after an update", passage: 22 },
	{ question: "how do I cancel my gym subscription", passage: 24 },
	{ question: "How long is a burn held under running water?", passage: 26 },
	{ question: "save paper by using the back of each sheet", passage: 28 },
	{ question: "What is a pawn exchanged for on the last rank?", passage: 30 },
	{ question: "largest stream on the planet by discharge", passage: 32 },
	{ question: "How old was Mary Shelley when she began Frankenstein?", passage: 34 },
	{ question: "why do old church roofs change colour", passage: 36 },
	{ question: "What does photosynthesis set free?", passage: 38 },
	{ question: "until when can I still sue the seller", passage: 40 },
	{ question: "How fast does sound travel through water?", passage: 42 },
	{ question: "add a Python library when I am not root", passage: 44 },
	{ question: "On which day is the museum closed?", passage: 46 },
];

export const elsewhere: readonly { question: string; passage: number }[] = [
	{ question: "¿Cómo pongo el eje vertical en escala logarítmica?", passage: 0 },
	{ question: "¿Qué hago si me quemo la mano?", passage: 26 },
	{ question: "¿Qué día está cerrado el museo?", passage: 46 },
	{ question: "Ab wann brauche ich ein ärztliches Attest?", passage: 6 },
	{ question: "Wie bekomme ich einen gelöschten Zweig zurück?", passage: 2 },
	{ question: "Welcher Fluss führt das meiste Wasser?", passage: 32 },
	{ question: "Pourquoi le cuivre devient-il vert ?", passage: 36 },
	{ question: "Où se rassembler en cas d'incendie ?", passage: 14 },
];

const svg = (inner: string) =>
	`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><rect width="100" height="100" fill="#fff"/>${inner}</svg>`;

/** Drawings and what is seen on them. */
export const trialPictures: readonly { words: string; svg: string }[] = [
	{ words: "a red circle", svg: svg('<circle cx="50" cy="50" r="32" fill="#d11"/>') },
	{ words: "a blue square", svg: svg('<rect x="20" y="20" width="60" height="60" fill="#12c"/>') },
	{ words: "a green triangle", svg: svg('<path d="M50 15L88 82H12z" fill="#1a3"/>') },
	{
		words: "a tree with green leaves",
		svg: svg('<rect x="44" y="58" width="12" height="34" fill="#743"/><circle cx="50" cy="40" r="28" fill="#283"/>'),
	},
	{
		words: "a house with a red roof",
		svg: svg(
			'<rect x="22" y="48" width="56" height="42" fill="#edc"/><path d="M15 50L50 18L85 50z" fill="#b22"/><rect x="43" y="64" width="14" height="26" fill="#642"/>',
		),
	},
	{
		words: "a sunset over the sea",
		svg: svg(
			'<rect width="100" height="60" fill="#fa5"/><circle cx="50" cy="60" r="20" fill="#fe4"/><rect y="60" width="100" height="40" fill="#157"/>',
		),
	},
	{
		words: "the flag of Japan",
		svg: svg(
			'<rect x="5" y="20" width="90" height="60" fill="#fff" stroke="#999"/><circle cx="50" cy="50" r="18" fill="#b03"/>',
		),
	},
	{
		words: "the flag of France",
		svg: svg(
			'<rect x="5" y="20" width="30" height="60" fill="#025"/><rect x="35" y="20" width="30" height="60" fill="#fff"/><rect x="65" y="20" width="30" height="60" fill="#e23"/>',
		),
	},
	{
		words: "a bar chart",
		svg: svg(
			'<path d="M12 10V88H95" fill="none" stroke="#000"/><path d="M20 60h12v28h-12zM40 40h12v48h-12zM60 50h12v38h-12zM80 22h12v66h-12z" fill="#47a"/>',
		),
	},
	{
		words: "a line graph that rises",
		svg: svg(
			'<path d="M12 10V88H95" fill="none" stroke="#000"/><path d="M12 84L35 70L58 52L92 15" fill="none" stroke="#c33" stroke-width="3"/>',
		),
	},
	{
		words: "a smiling face",
		svg: svg(
			'<circle cx="50" cy="50" r="38" fill="#fd3"/><circle cx="37" cy="40" r="5"/><circle cx="63" cy="40" r="5"/><path d="M30 58Q50 82 70 58" fill="none" stroke="#000" stroke-width="4"/>',
		),
	},
	{
		words: "a snowman",
		svg: svg(
			'<rect width="100" height="100" fill="#bde"/><circle cx="50" cy="72" r="24" fill="#fff"/><circle cx="50" cy="34" r="16" fill="#fff"/><path d="M50 34l16 3l-16 3z" fill="#f80"/><circle cx="44" cy="30" r="2"/><circle cx="56" cy="30" r="2"/>',
		),
	},
];
