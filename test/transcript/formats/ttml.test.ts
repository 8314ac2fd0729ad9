import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cue } from '../../../src/transcript/cues/cue.ts';
import { continueTtml, ttmlState, writeTtml } from '../../../src/transcript/formats/ttml.ts';
import { cuesOf, hostileLine } from '../../helpers/cueArbitraries.ts';
import { renderTtml, ttmlFaults } from '../../helpers/ttml.ts';

const cues: readonly Cue[] = [
  { ts: 1, endTs: 2.5, lines: ['Fish & chips', 'a <b> c --> d'] },
  { ts: 2.5, endTs: 3700.0004, lines: ['It\'s "so" ]]>'], speaker: 'Ada' },
];

/** The lines that a document can have: what XML cannot have is missing, and white space is one space. */
const writable = ({ lines }: Cue) =>
  lines
    .map(line =>
      line
        .toWellFormed()
        .replace(/\p{Cc}/gu, ' ')
        .replace(/[\uFFFE\uFFFF]/gu, '')
        .replace(/\s+/gu, ' ')
        .trim(),
    )
    .filter(line => line !== '');

describe('writeTtml', () => {
  test('is valid EBU-TT-D, and shown by a renderer at its times in its region', async () => {
    const document = writeTtml(cues, { language: 'en-GB' });
    expect(await ttmlFaults([document])).toEqual([]);
    const { shown, reports } = renderTtml(document);
    expect(reports).toEqual([]);
    const region = { region: 'bottom', isRightToLeft: false };
    expect(shown).toEqual([
      { ts: 0, lines: [] },
      { ts: 1, lines: ['Fish & chips', 'a <b> c --> d'], ...region },
      { ts: 2.5, lines: ['It\'s "so" ]]>'], ...region },
      { ts: 3700, lines: [] },
    ]);
  });

  test('is checked by a schema that refuses other documents', async () => {
    const document = writeTtml(cues);
    for (const [part, other] of [
      ['ttp:timeBase="media"', 'ttp:timeBase="smpte"'],
      ['xml:id="c2"', 'xml:id="c1"'],
      ['begin="00:00:01.000"', 'begin="1s"'],
      ['<tt:layout>', '<tt:layout><tt:metadata/>'],
    ] as const) {
      expect(await ttmlFaults([document.replace(part, other)])).not.toEqual([]);
    }
  });

  test('has no body without captions, also when they have no text', async () => {
    const document = writeTtml([{ ts: 0, endTs: 1, lines: ['', ' \0'] }], { language: '' });
    expect(document).not.toContain('tt:body');
    expect(await ttmlFaults([document])).toEqual([]);
    expect(renderTtml(document).reports).toEqual([]);
  });

  test.each([
    ['ar', true],
    ['he-IL', true],
    ['az-Arab', true],
    ['en', false],
    ['', false],
    ['"><x', false],
  ])('sets the direction of %s', async (language, isRightToLeft) => {
    const document = writeTtml([{ ts: 0, endTs: 1, lines: ['a'] }], { language });
    expect(renderTtml(document).shown[0]).toMatchObject({ isRightToLeft });
  });

  test('has the text and times of any captions', async () => {
    const documents: string[] = [];
    fc.assert(
      fc.property(cuesOf(hostileLine), list => {
        const document = writeTtml(list);
        documents.push(document);
        const { shown, reports } = renderTtml(document);
        expect(reports).toEqual([]);
        for (const cue of list) {
          const lines = writable(cue);
          if (lines.length === 0) continue;
          const at = shown.find(({ ts }) => Math.abs(ts - cue.ts) < 1e-6);
          expect(at?.lines.map(line => line.replace(/\s+/gu, ' ').trim())).toEqual(lines);
        }
      }),
      { numRuns: 20 },
    );
    expect(await ttmlFaults(documents)).toEqual([]);
  });
});

describe('continueTtml', () => {
  test('adds captions to any document, which is then as if written at once', () => {
    fc.assert(
      fc.property(cuesOf(hostileLine), fc.nat({ max: 12 }), (list, cut) => {
        const continued = continueTtml(writeTtml(list.slice(0, cut)), list.slice(cut));
        expect(continued).toBe(writeTtml(list));
      }),
    );
  });

  test('knows the end of the last caption', () => {
    expect(ttmlState(writeTtml(cues))).toEqual({ lastId: 2, endTs: 3700 });
    expect(ttmlState(writeTtml([]))).toEqual({ lastId: 0, endTs: 0 });
  });

  test('refuses documents of another form, and torn ones', () => {
    const document = writeTtml(cues);
    for (let length = 0; length < document.length; length++) {
      expect(ttmlState(document.slice(0, length))).toBeUndefined();
    }
    expect(continueTtml(document.replace('<tt:span', '<tt:span xml:id="x"'), cues)).toBeUndefined();
    expect(continueTtml('<tt xmlns="http://www.w3.org/ns/ttml"/>', cues)).toBeUndefined();
  });
});
