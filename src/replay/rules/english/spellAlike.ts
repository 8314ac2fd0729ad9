import { type EnglishWord, inPlaceOf } from './englishWord.ts';

/** Writes British spellings in the American form: "colour" is "color", "organised" "organized". */
export function spellAlike(words: readonly EnglishWord[]): readonly EnglishWord[] {
  const known = new Map<string, string>();
  return words.map(word => {
    const spelled = known.get(word.word) ?? spell(word.word);
    known.set(word.word, spelled);
    return spelled === word.word ? word : inPlaceOf(word, [spelled])[0]!;
  });
}

function spell(word: string): string {
  if (word.endsWith("'s")) return `${spell(word.slice(0, -2))}'s`;
  const known = SPELLINGS.get(word);
  if (known !== undefined) return known;
  const plain = word.replace(PART, part => PARTS.get(part)!);
  return withZ(RULES.reduce((spelled, [from, to]) => spelled.replace(from, to), plain));
}

/** Parts of words, in any position. */
const PARTS: ReadonlyMap<string, string> = pairsOf(`
  anaesth anesth, aesthet esthet, aemi emi, haemo hemo, haema hema, paed ped, gynaec gynec, oesoph esoph,
  oestrog estrog, oestru estru, foet fet, rrhoea rrhea, oedema edema, coeliac celiac, mediaev mediev,
  archaeo archeo, palaeo paleo, aetiol etiol, faec fec, homoeo homeo, mould mold, moult molt, plough plow,
  draught draft, sulph sulf, sceptic skeptic, enquir inquir, chequer checker, manoeuvred maneuvered,
  manoeuvre maneuver, manoeuvr maneuver
  `);

/** Stems with -our and -or, whatever follows. */
const OUR = either(`
  arb ard arm behavi cand clam clang col demean enam endeav fav ferv flav harb hon hum lab neighb od parl ranc rig rum
  savi sav splend succ tum val vap vig`);
/** Stems with -re and -er. */
const RE = either(`
  accout calib cent fib goit lit lust meag met mit nit och reconnoit sab scept somb spect theat`);
/** Stems with one l or two before an ending. */
const L = either(`
  apparel barrel bevel cancel carol channel chisel counsel council cruel devil dial dishevel drivel duel enamel
  equal fuel funnel gruel grovel initial jewel kennel label level libel marshal marvel medal metal model panel
  parcel pedal pencil peril quarrel ravel revel rival shovel shrivel signal snorkel spiral stencil swivel total
  towel travel trial tunnel weasel yodel`);
const OGUE = either('anal catal dial epil homol monol prol travel');

const PART = new RegExp(either([...PARTS.keys()].join(' ')), 'g');
const RULES: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`${OUR}our`), '$1or'],
  [new RegExp(`${RE}re(?=s?$)`), '$1er'],
  [new RegExp(`${RE}red$`), '$1ered'],
  [/^(cent|fib|theat)re(?=[a-z]{3})/, '$1er'],
  [new RegExp(`${L}l(ed|ers?|est|ings?|ists?|ors?|ous(?:ly)?)$`), '$1$2'],
  [new RegExp(`${OGUE}ogue(?=s?$)`), '$1og'],
  [new RegExp(`${OGUE}ogu(?=ed$|ing$|er)`), '$1og'],
  [/lys(?=(?:e[ds]?|ers?|ing)$)/, 'lyz'],
];

function either(stems: string): string {
  return `(${stems.trim().split(/\s+/).join('|')})`;
}

/** Stems whose -ise never becomes -ize. */
const NEVER_Z: ReadonlySet<string> = new Set(
  `
  advert adv amaryll appr cannab cer chast chem chrysal circumc clemat clitor comprom compr conc den dem desp
  dev enfranch enterpr epiderm epiglott exc exerc expert fin franch glott highr improv inc mant megalopol
  merchand metropol moonr mort parad pelv pen portcull prec prem probosc prom repr rev sunr superv surm surpr
  telev treat trell upr
  `
    .trim()
    .split(/\s+/),
);
const WITH_PREFIX = /^(?:un|re|pre|dis|mis|over|self|non|im|in)/;

/** Writes -ise as -ize where it is an ending: "realise", not "rise", "noise" and "exercise". */
function withZ(word: string): string {
  const [, stem, ending] =
    /^(.{2,}[^aeiouw])is((?:e[ds]?|ers?|ing(?:ly)?|abl[ey]|an(?:ce|t)|ements?|ation(?:s|al)?))$/.exec(word) ??
    [];
  if (stem === undefined || NEVER_Z.has(stem) || NEVER_Z.has(stem.replace(WITH_PREFIX, ''))) return word;
  return `${stem}iz${ending}`;
}

/** Words with two irregular spellings; the second one is the normalized form. */
export const SPELLINGS: ReadonlyMap<string, string> = pairsOf(`
  abridgement abridgment, acknowledgement acknowledgment, acknowledgements acknowledgments, adviser advisor,
  advisers advisors, aeon eon, aeons eons, aeroplane airplane, aeroplanes airplanes, ageing aging,
  almanack almanac, almanacks almanacs, aluminium aluminum, annexe annex, appal appall, appals appalls,
  artefact artifact, artefacts artifacts, axe ax, baulk balk, baulked balked, baulking balking, baulks balks,
  behove behoove, behoved behooved, behoves behooves, caesarean cesarean, caesareans cesareans, caesium cesium,
  carburettor carburetor, carburettors carburetors, carcase carcass, centring centering, cheque check,
  chequebook checkbook, chequebooks checkbooks, cheques checks, chilli chili, connexion connection,
  connexions connections, cosier cozier, cosily cozily, cosiness coziness, cosy cozy, cypher cipher,
  cyphers ciphers, czar tsar, defence defense, defenceless defenseless, defences defenses, despatch dispatch,
  despatched dispatched, despatches dispatches, disc disk, discs disks, distil distill, distils distills,
  donut doughnut, donuts doughnuts, enrol enroll, enrolment enrollment, enrolments enrollments, enrols enrolls,
  enthral enthrall, eyrie aerie, eyries aeries, fulfil fulfill, fulfilment fulfillment, fulfils fulfills,
  furore furor, gaol jail, gaoled jailed, gaoler jailer, gaolers jailers, gaols jails, gipsy gypsy,
  gramme gram, grammes grams, grey gray, greyer grayer, greying graying, greyish grayish, greyness grayness,
  greys grays, hiccough hiccup, hiccoughs hiccups, inflexion inflection, inflexions inflections,
  instal install, instalment installment, instalments installments, instil instill, instils instills,
  jewellery jewelry, judgement judgment, judgemental judgmental, judgements judgments, kerb curb,
  kerbed curbed, kerbing curbing, kerbs curbs, kerbside curbside, kilogramme kilogram, kilogrammes kilograms,
  licence license, licences licenses, likeable likable, liquorice licorice, lodgement lodgment, louvre louver,
  louvres louvers, milligramme milligram, milligrammes milligrams, mollusc mollusk, molluscs mollusks,
  moustache mustache, moustaches mustaches, nett net, nought naught, offence offense, offences offenses,
  omelette omelet, omelettes omelets, practise practice, practised practiced, practises practices,
  practising practicing, pretence pretense, pretences pretenses, programme program, programmes programs,
  pyjama pajama, pyjamas pajamas, reprogramme reprogram, rouble ruble, roubles rubles, sizeable sizable,
  skilful skillful, skilfully skillfully, specialities specialties, speciality specialty, storey story,
  storeys stories, tyre tire, tyres tires, waggon wagon, waggons wagons, whisky whiskey, wilful willful,
  wilfully willfully, woollen woolen, woollens woolens, woolly wooly, yoghurt yogurt, yoghurts yogurts
  `);

/** Parses pairs of words: `tyre tire, tyres tires`. */
function pairsOf(text: string): ReadonlyMap<string, string> {
  const pairs = text.trim().split(/\s*,\s*/);
  return new Map(pairs.map(pair => pair.split(/\s+/) as [string, string]));
}
