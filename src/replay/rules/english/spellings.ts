/** Words with two spellings that follow no rule; the second is written here. */
export const SPELLINGS: ReadonlyMap<string, string> = new Map(
  `
  abridgement abridgment, acknowledgement acknowledgment, acknowledgements acknowledgments, adviser advisor,
  advisers advisors, aeon eon, aeons eons, aeroplane airplane, aeroplanes airplanes, ageing aging, aluminium aluminum,
  annexe annex, appal appall, appals appalls, artefact artifact, artefacts artifacts, axe ax,
  baulk balk, baulked balked, caesarean cesarean, caesareans cesareans, carcase carcass, cheque check, cheques checks,
  chequebook checkbook, chequebooks checkbooks, chequered checkered, chilli chili, connexion connection, cosy cozy,
  cosier cozier, cosily cozily, cosiness coziness, cypher cipher, czar tsar, defence defense, defences defenses,
  defenceless defenseless, despatch dispatch, despatched dispatched, despatches dispatches, disc disk, discs disks,
  distil distill, distils distills, donut doughnut, donuts doughnuts, 
  enquire inquire, enquired inquired, enquiries inquiries, enquiring inquiring, enquiry inquiry, enrol enroll,
  enrols enrolls, enrolment enrollment, enrolments enrollments, enthral enthrall, fulfil fulfill, fulfils fulfills,
  fulfilment fulfillment, furore furor, gaol jail, gramme gram, grammes grams, gipsy gypsy, grey gray, greys grays,
  greyer grayer, greying graying, greyish grayish, hiccough hiccup, hiccoughs hiccups, instal install,
  instalment installment, instalments installments, instil instill, instils instills, jewellery jewelry,
  judgement judgment, judgements judgments, judgemental judgmental, kerb curb,
  kerbs curbs, kilogramme kilogram, kilogrammes kilograms, licence license, licences licenses, lodgement lodgment,
  likeable likable, mollusc mollusk, molluscs mollusks, moustache mustache, moustaches mustaches, nought naught,
  offence offense, offences offenses, omelette omelet, omelettes omelets, practise practice, practised practiced,
  practises practices, practising practicing, pretence pretense, pretences pretenses, programme program,
  programmes programs, pyjama pajama, pyjamas pajamas, sceptic skeptic, sceptics skeptics, sceptical skeptical,
  scepticism skepticism, sizeable sizable, skilful skillful, skilfully skillfully, speciality specialty,
  specialities specialties, storey story, storeys stories, tyre tire, tyres tires,
  whisky whiskey, wilful willful, wilfully willfully, woollen woolen, woollens woolens, woolly wooly,
  yoghurt yogurt, yoghurts yogurts
  `
    .trim()
    .split(/\s*,\s*/)
    .map(pair => pair.split(/\s+/) as [string, string]),
);
