import { describe, expect, test } from 'vitest';
import { blankBrackets } from '../../../src/replay/rules/blankBrackets.ts';
import { plainRules } from '../../../src/replay/rules/ruleSets.ts';
import { foldCase, unicodeRules } from '../../../src/replay/rules/unicodeRules.ts';

const said = (text: string, locale?: string) =>
  unicodeRules(locale)
    .words(text)
    .map(({ word }) => word);

describe('words by Unicode', () => {
  test.each([
    ['de', 'Die STRASSE, die Straße!', ['die', 'strasse', 'die', 'strasse']],
    ['fr', "L’été à l'hôtel — 3,5 €", ["l'été", 'à', "l'hôtel", '3,5']],
    ['fr', "aujourd'hui AUJOURD’HUI 'hui'", ["aujourd'hui", "aujourd'hui", 'hui']],
    ['de', '1.000,50 €, 5 % oder 100%ig', ['1.000,50', '5', '%', 'oder', '100', '%', 'ig']],
    ['uk', "м'ята М’ята мʼята", ["м'ята", "м'ята", "м'ята"]],
    ['he', 'ד"ר ד״ר', ['ד"ר', 'ד"ר']],
    ['en', '_foo_ foo_bar 5％ ½ m²', ['foo', 'foo_bar', '5', '%', '1', '2', 'm2']],
    ['fr', 'e\u0301te\u0301 ÉTÉ', ['été', 'été']],
    ['el', 'ΟΔΟΣ οδός οδος', ['οδοσ', 'οδόσ', 'οδοσ']],
    ['tr', 'IŞIK ışık İstanbul', ['ışık', 'ışık', 'istanbul']],
    ['de', 'ISTANBUL ı', ['istanbul', 'ı']],
    ['hi', 'नमस्ते, दुनिया।', ['नमस्ते', 'दुनिया']],
    ['ru', '«Ёлка» и ещё-то', ['ёлка', 'и', 'ещё', 'то']],
    ['zh', '你好，世界！', ['你好', '世界']],
    ['ja', '東京へ行く。', ['東京', 'へ', '行く']],
    ['th', 'สวัสดีครับ', ['สวัสดี', 'ครับ']],
    ['ko', '안녕하세요, 세계!', ['안녕하세요', '세계']],
    ['ko', '\u1112\u1161\u11AB', ['한']],
    ['ja', 'ｶﾞｲﾄﾞ １２', ['ガイド', '12']],
    ['ar', 'السلام (ضحك) عليكم؟', ['السلام', 'عليكم']],
    ['fa', 'می\u200Cروم', ['میروم']],
    ['es', '[música] ¿Qué? 👩‍👩‍👧 sí 😀', ['qué', 'sí']],
    ['en', 'ﬁne re\u00ADsume', ['fine', 'resume']],
  ])('%s: %s', (locale, text, words) => {
    expect(said(text, locale)).toEqual(words);
    expect(said(words.join(' '), locale)).toEqual(words);
  });

  test('have the places of whole letters', () => {
    const text = 'ﬁ-e\u0301t, 你好世界 ㍿';
    const places = unicodeRules('zh')
      .words(text)
      .map(({ word, start, end }) => [word, text.slice(start, end)]);
    expect(places.slice(0, 4)).toEqual([
      ['fi', 'ﬁ'],
      ['ét', 'e\u0301t'],
      ['你好', '你好'],
      ['世界', '世界'],
    ]);
    expect(places.slice(4).every(([, place]) => place === '㍿')).toBe(true);
    expect(places.length).toBeGreaterThan(4);
  });
});

test.each([
  ['STRASSE', 'strasse', 'de'],
  ['ẞ', 'ss', 'de'],
  ['Σας', 'σασ', 'el'],
  ['İI', 'i\u0307i', 'de'],
  ['İI', 'iı', 'az-Latn'],
  ['ŉ ﬃ', 'ʼn ffi', 'en'],
  ['ᾳ', 'αι', 'el'],
])('%s folds to %s', (text, folded, locale) => {
  expect(foldCase(text, locale)).toBe(folded);
});

test.each([
  ['a [b] c', 'a     c'],
  ['a (b [c) d] e', 'a        d] e'],
  ['[a [b] c]', '       c]'],
  ['(a', '(a'],
  ['((((a)', '      '],
  ['a < b', 'a < b'],
  ['a < b and c > d', 'a < b and c > d'],
  ['<unk> a', '      a'],
  ['a smile :( is no :-) note', 'a smile :( is no :-) note'],
  ['one (\ntwo) three', 'one (\ntwo) three'],
  [`(${'a'.repeat(60)})`, ' '.repeat(62)],
  [`(${'a'.repeat(61)})`, `(${'a'.repeat(61)})`],
  ['（笑）はい', '   はい'],
])('%s without brackets is "%s"', (text, blank) => {
  expect(blankBrackets(text)).toBe(blank);
});

test('plain words are separated by white space', () => {
  expect(plainRules.words(' Well,  (yes).\n\u3000A ')).toEqual([
    { word: 'Well,', start: 1, end: 6 },
    { word: '(yes).', start: 8, end: 14 },
    { word: 'A', start: 16, end: 17 },
  ]);
});
