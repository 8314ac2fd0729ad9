import { describe, expect, test } from 'vitest';
import { englishRules } from '../../../../src/replay/rules/english/englishRules.ts';

const said = (text: string) =>
  englishRules
    .words(text)
    .map(({ word }) => word)
    .join(' ');

type Cases = readonly (readonly [string, string])[];

const NUMBERS: Cases = [
  ['two', '2'],
  ['zero', '0'],
  ['Thirty-one', '31'],
  ['one hundred', '100'],
  ['a hundred and one', '101'],
  ['three thousand twenty nine', '3029'],
  ['forty three thousand two hundred and sixty', '43260'],
  ['two thousand and five', '2005'],
  ['nineteen hundred', '1900'],
  ['one hundred and two hundred', '100 and 200'],
  ['three billion', '3000000000'],
  ['five thousand million', '5000000000'],
  ['200 thousand', '200000'],
  ['2 thousand 5 hundred', '2500'],
  ['thousands of millions', '1000s of 1000000s'],
  ['one and two', '1 and 2'],
  ['a thousand and one nights and a hundred more', '1001 nights and 100 more'],
];

const DIGITS: Cases = [
  ['twenty twenty four', '2024'],
  ['nineteen ninety nine', '1999'],
  ['nineteen oh five', '1905'],
  ['one oh five', '105'],
  ['five twenty four', '524'],
  ['nine one one', '911'],
  ['nine double one', '911'],
  ['double seven', '77'],
  ['double oh seven', '007'],
  ['one triple oh one', '10001'],
  ['two double o eight', '2008'],
  ['nineteen fifties', '1950s'],
  ['the nineties', 'the 90s'],
  ['nine 1 one', '9 1 1'],
  ['3 14', '3 14'],
  ['two, oh my', '2 oh my'],
  ['oh no', 'oh no'],
  ['double trouble', 'double trouble'],
  ['one eight hundred', '1 800'],
];

const ORDINALS: Cases = [
  ['first', '1st'],
  ['the twelfth', 'the 12th'],
  ['thirty first', '31st'],
  ['one hundred and eleventh', '111th'],
  ['two hundred and twenty second', '222nd'],
  ['thirty two thousandth', '32000th'],
  ['thirty three thousand and three hundred and thirty third', '33333rd'],
  ['August twenty sixth twenty twenty one', 'august 26th 2021'],
  ['one third', '1 3rd'],
  ['10th, 2nd', '10th 2nd'],
];

const FRACTIONS: Cases = [
  ['two point five', '2.5'],
  ['3 point 14', '3.14'],
  ['fourteen point oh four', '14.04'],
  ['two and a half', '2.5'],
  ['2 and a half', '2.5'],
  ['2½', '2.5'],
  ['an hour and a half', 'an hour and a half'],
  ['three and a half million', '3500000'],
  ['two point five million', '2500000'],
  ['2.5 million', '2500000'],
  ['four point two billions', '4200000000s'],
  ['half a million', '500000'],
  ['a half million', '500000'],
  ['two point one point three', '2.1.3'],
  ['at this point', 'at this point'],
  ['one hundred point five', '100.5'],
  ['.5', '0.5'],
];

const WRITTEN_NUMBERS: Cases = [
  ['1,234,567.5', '1234567.5'],
  ['1,23', '1 23'],
  ['1,2,3.', '1 2 3'],
  ['3.14.', '3.14'],
  ['10:30', '1030'],
  ['ten thirty', '1030'],
  ['7:00', '7'],
  ['10:30:15', '10 30 15'],
  ["the 1980's, '90s", 'the 1980s 90s'],
  ['10km RC232 b747', '10 km rc 232 b 747'],
  ['-5, 5-3', 'minus 5 5 3'],
  ['minus five', 'minus 5'],
  ['#1', '1'],
];

const MONEY: Cases = [
  ['$20', '20 dollars'],
  ['twenty dollars', '20 dollars'],
  ['20 $ 20€', '20 dollars 20 euros'],
  ['20 €', '20 euros'],
  ['$ 20, € 5', '20 dollars 5 euros'],
  ['$ 2.70 and 2.70 €', '2 dollars 70 cents and 2 euros 70 cents'],
  ['€ 20 million, 20 million €', '20000000 euros 20000000 euros'],
  ['$ € a $ 5th', 'a 5th'],
  ['the constructor', 'the constructor'],
  ['a $5 bill', 'a 5 dollars bill'],
  ['a five dollar bill', 'a 5 dollars bill'],
  ['$20 million', '20000000 dollars'],
  ['€52.4 million', '52400000 euros'],
  ['$2.70', '2 dollars 70 cents'],
  ['two dollars and seventy cents', '2 dollars 70 cents'],
  ['two dollars seventy cents', '2 dollars 70 cents'],
  ['$2.05', '2 dollars 5 cents'],
  ['£2.70', '2 pounds 70 pence'],
  ['$2.00', '2 dollars'],
  ['$0.36', '36 cents'],
  ['$1,000', '1000 dollars'],
  ['-$5', 'minus 5 dollars'],
  ['$20 dollars', '20 dollars'],
  ['two dollars and seventy people', '2 dollars and 70 people'],
  ['the dollar', 'the dollar'],
];

const PERCENT: Cases = [
  ['20%', '20 percent'],
  ['twenty percent', '20 percent'],
  ['seventy six per cent', '76 percent'],
  ['per hour', 'per hour'],
];

const SHORT_FORMS: Cases = [
  ["don't", 'do not'],
  ['don’t', 'do not'],
  ["can't cannot", 'can not can not'],
  ["won't shan't", 'will not shall not'],
  ["I'm you're we've they'll she'd", 'i am you are we have they will she would'],
  ["Let's", 'let us'],
  ["he's like", 'he is like'],
  ["she's been", 'she has been'],
  ["it's, uh, gone", 'it has gone'],
  ["they'd gone", 'they had gone'],
  ["you'd better", 'you had better'],
  ["shouldn't've", 'should not have'],
  ["John's dogs'", "john's dogs"],
  ["o'clock", "o'clock"],
  ["rock 'n' roll", 'rock n roll'],
  ["get 'em, 'cause", 'get them because'],
  ["'quoted'", 'quoted'],
  ["gonna wanna gotta y'all", 'going to want to got to you all'],
  ['ok, alright', 'okay all right'],
  ['Mr. Park visited Assoc. Prof. Kim Jr.', 'mister park visited associate professor kim junior'],
  ['Mrs Dr St.', 'missus doctor saint'],
  ['U.S.A., e.g. 5 p.m.', 'usa eg 5 pm'],
];

const FILLERS: Cases = [
  ['uh, um, uhm, erm, hm, Hmmm, mm, mmm, mhm, mm-hmm', ''],
  ['uh-huh', 'huh'],
  ['twenty, um, one', '21'],
  ['10mm, ten mm', '10 mm 10 mm'],
  ['her arm, ma, hum, M', 'her arm ma hum m'],
];

const LETTERS: Cases = [
  ['Café naïve Ångström', 'cafe naive angstrom'],
  ['Cafe\u0301', 'cafe'],
  ['ｃａｆｅ ﬁne', 'cafe fine'],
  ['Œuvre Straße Łódź', 'oeuvre strasse lodz'],
  ['well-known — yes… (no) [noise] <unk> “ok”', 'well known yes okay'],
  ['AT&T, R & D', 'at and t r and d'],
  ['half ( open', 'half open'],
  ['100 Ω', '100 ω'],
  ['re\u00ADsume', 'resume'],
];

const SPELLING: Cases = [
  ['colour, Colours, colourful, discoloured', 'color colors colorful discolored'],
  ["neighbour's behaviour", "neighbor's behavior"],
  ['four hours of contour tour', '4 hours of contour tour'],
  ['centre centres centred centrepiece', 'center centers centered centerpiece'],
  ['kilometre acre genre', 'kilometer acre genre'],
  ['travelled travelling traveller cancelled', 'traveled traveling traveler canceled'],
  ['excelled rebelled installed', 'excelled rebelled installed'],
  ['organise organised organisation mobilisation', 'organize organized organization mobilization'],
  ['apologising criticises appetiser', 'apologizing criticizes appetizer'],
  ['exercise surprised promise wise noise advertising', 'exercise surprised promise wise noise advertising'],
  ['shoestring imprecise inadvisable antiseptic', 'shoestring imprecise inadvisable antiseptic'],
  ['sceptical enquiries recognisable', 'skeptical inquiries recognizable'],
  ['improvisation otherwise raised uncompromising', 'improvisation otherwise raised uncompromising'],
  ['analyse paralysed', 'analyze paralyzed'],
  ['catalogue dialogues cataloguing', 'catalog dialogs cataloging'],
  ['anaesthetic paediatric haemorrhage leukaemia', 'anesthetic pediatric hemorrhage leukemia'],
  ['manoeuvre manoeuvred manoeuvring', 'maneuver maneuvered maneuvering'],
  ['defence licence practised judgement', 'defense license practiced judgment'],
  ['grey cheque tyre programme ploughed', 'gray check tire program plowed'],
];

describe('English', () => {
  describe.each([
    ['numbers', NUMBERS],
    ['digits in a row', DIGITS],
    ['ordinals', ORDINALS],
    ['fractions', FRACTIONS],
    ['written numbers', WRITTEN_NUMBERS],
    ['money', MONEY],
    ['percent', PERCENT],
    ['short forms', SHORT_FORMS],
    ['fillers', FILLERS],
    ['letters and marks', LETTERS],
    ['spelling', SPELLING],
  ])('%s', (_, cases) => {
    test.each(cases)('"%s" is "%s"', (text, words) => {
      expect(said(text)).toBe(words);
      expect(said(words)).toBe(words);
    });
  });

  test('has the places of the written words', () => {
    const text = `  "Twenty one" don't; ($2.70\n[x] well-known… -5% &`;
    const places = englishRules.words(text).map(({ word, start, end }) => [word, text.slice(start, end)]);
    expect(places).toEqual([
      ['21', 'Twenty one'],
      ['do', "don't"],
      ['not', "don't"],
      ['2', '$2.70'],
      ['dollars', '$2.70'],
      ['70', '$2.70'],
      ['cents', '$2.70'],
      ['well', 'well-known'],
      ['known', 'well-known'],
      ['minus', '-5%'],
      ['5', '-5%'],
      ['percent', '-5%'],
      ['and', '&'],
    ]);
  });
});
