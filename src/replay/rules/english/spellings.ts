/** Words with two spellings that follow no rule; the second is written here. */
export const SPELLINGS: ReadonlyMap<string, string> = new Map(
  `
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
  `
    .trim()
    .split(/\s*,\s*/)
    .map(pair => pair.split(/\s+/) as [string, string]),
);
