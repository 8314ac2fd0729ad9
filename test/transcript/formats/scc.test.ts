import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cue } from '../../../src/transcript/cues/cue.ts';
import { continueScc, sccState, writeScc } from '../../../src/transcript/formats/scc/scc.ts';
import { SCC_SHAPE, SHOW, sccRows } from '../../../src/transcript/formats/scc/sccCaption.ts';
import { sccCharacter, sccText } from '../../../src/transcript/formats/scc/sccCharacters.ts';
import { sccSchedule } from '../../../src/transcript/formats/scc/sccSchedule.ts';
import { frameOfTimecode, sccTimecode } from '../../../src/transcript/formats/scc/sccTime.ts';
import { cuesOf, hostileLine } from '../../helpers/cueArbitraries.ts';
import { codeLines, decodeScc } from '../../helpers/sccCaptions.ts';

const FRAME_SECONDS = 1001 / 30_000;
const TEXTS =
  ' !"#$%&\'()+,-./0123456789:;<=>?@ABCXYZ[]abcxyz\u00e1\u00e9\u00ed\u00f3\u00fa\u00e7\u00f7\u00d1\u00f1\u2588\u00ae\u00b0\u00bd\u00bf\u2122\u00a2\u00a3\u266a\u00e0\u00e8\u00e2\u00ea\u00ee\u00f4\u00fb' +
  '\u00c1\u00c9\u00d3\u00da\u00dc\u00fc\u2018\u00a1*\u00a9\u2120\u2022\u201c\u201d\u00c0\u00c2\u00c7\u00c8\u00ca\u00cb\u00eb\u00ce\u00cf\u00ef\u00d4\u00d9\u00f9\u00db\u00ab\u00bb' +
  '\u00c3\u00e3\u00cd\u00cc\u00ec\u00d2\u00f2\u00d5\u00f5{}\\^_|\u00c4\u00e4\u00d6\u00f6\u00df\u00a5\u00a4\u00c5\u00e5\u00d8\u00f8';

/** A row of characters that CEA-608 has, none of a pair next to itself: some decoders take it for a repetition. */
const row = fc
  .array(fc.constantFrom(...TEXTS), { minLength: 1, maxLength: 32 })
  .map(characters => characters.filter((each, index) => each !== characters[index - 1]).join(''))
  .map(text => text.replace(/ +/g, ' ').trim())
  .filter(text => text !== '');

describe('writeScc', () => {
  test('loads a caption so that it is shown at its start, and erases it at its end', () => {
    expect(writeScc([{ ts: 2, endTs: 4, lines: ['Hi \u266a', 'there'] }])).toBe(
      'Scenarist_SCC V1.0\n' +
        '\n00:00:01;11\t9420 9420 94ae 94ae 94d6 94d6 97a1 97a1 c8e9 2080 9137 9137 9476 9476 97a1 97a1 f468 e5f2 e580 942f 942f\n' +
        '\n00:00:04;00\t942c 942c\n',
    );
  });

  test('can write other timecodes, and begin at another hour', () => {
    const cues = [{ ts: 600, endTs: 602, lines: ['a'] }];
    expect(writeScc(cues, { dropFrame: false, offsetSeconds: 3600 })).toContain('\n01:09:57:24\t942c 942c\n');
    expect(writeScc(cues, { offsetSeconds: 3600 })).toContain('\n01:10:02;00\t942c 942c\n');
  });

  test('is decoded to the same rows, at the same frames, at the bottom of the screen', () => {
    const roomy = cuesOf(row, { leastMs: 3000 });
    fc.assert(
      fc.property(roomy, list => {
        // The first caption needs time to load as well.
        const cues = list.map(cue => ({ ...cue, ts: cue.ts + 5, endTs: cue.endTs + 5 }));
        const decoded = decodeScc(writeScc(cues));
        expect(decoded.map(({ rows }) => rows)).toEqual(cues.map(({ lines }) => lines));
        for (const [index, { ts, endTs, places }] of decoded.entries()) {
          expect(Math.abs(ts - cues[index]!.ts)).toBeLessThan(1.01 * FRAME_SECONDS);
          // A code that erases takes two frames, and never parts a pair from its repetition.
          expect(Math.abs(endTs - cues[index]!.endTs)).toBeLessThan(2.51 * FRAME_SECONDS);
          expect(places.at(-1)).toBe(14);
        }
      }),
    );
  });

  test('never sends two codes in one frame, and counts what it drops, however dense', () => {
    fc.assert(
      fc.property(cuesOf(fc.oneof(row, hostileLine), { maxGapMs: 50 }), cues => {
        const { lines, dropped } = sccSchedule(cues);
        const file = writeScc(cues);
        let free = 0;
        for (const { frame, bytes } of codeLines(file)) {
          expect(frame).toBeGreaterThanOrEqual(free);
          free = frame + bytes.length / 2;
          for (const byte of bytes) expect(byte.toString(2).replaceAll('0', '').length % 2).toBe(1);
        }
        const captions = cues.map(({ lines }) => Math.ceil(sccRows(lines).length / SCC_SHAPE.rows));
        const shown = lines.filter(({ pairs }) => pairs.at(-1) === SHOW[1]).length;
        expect(shown + dropped).toBe(captions.reduce((sum, count) => sum + count, 0));
      }),
    );
  });

  test('shows no caption after its time, and says how many are left out', () => {
    const notes: string[] = [];
    const dense = Array.from({ length: 100 }, (_, at) => ({
      ts: 10 + at / 4,
      endTs: 10 + (at + 1) / 4,
      lines: [`This is caption number ${at}.`],
    }));
    const decoded = decodeScc(writeScc(dense, { onNote: note => notes.push(note) }));
    for (const { ts, rows } of decoded) {
      const cue = dense[Number(/\d+/.exec(rows[0]!)?.[0])]!;
      expect(ts).toBeGreaterThan(cue.ts - FRAME_SECONDS);
      expect(ts).toBeLessThan(cue.endTs);
    }
    expect(decoded.length).toBeGreaterThan(20);
    expect(notes).toEqual([
      `The SCC file lacks ${100 - decoded.length} captions that could not be sent in time.`,
    ]);
  });

  test('names the characters that it shows as question marks, once', () => {
    const notes: string[] = [];
    const onNote = (note: string) => notes.push(note);
    const cues = [
      { ts: 5, endTs: 7, lines: ['\u4f60\u597d, \u201cCaf\u00e9\u201d \u2013 5 \u20ac'] },
      { ts: 9, endTs: 11, lines: ['\u4f60 \u{1F600}'] },
    ];
    expect(decodeScc(writeScc(cues, { onNote })).map(({ rows }) => rows)).toEqual([
      ['??, \u201cCaf\u00e9\u201d - 5 EUR'],
      ['? ?'],
    ]);
    expect(notes).toEqual([
      "The SCC file has '?' for 3 characters that CEA-608 lacks: \u4f60 \u597d \u{1F600}.",
    ]);
    writeScc([{ ts: 5, endTs: 7, lines: ['Caf\u00e9'] }], { onNote });
    expect(notes).toHaveLength(1);
    continueScc(writeScc([]), cues, { onNote });
    expect(notes[1]).toBe(notes[0]);
  });

  test('refuses captions that end after a hundred hours', () => {
    const file = writeScc([{ ts: 359_990, endTs: 359_999, lines: ['a'] }]);
    expect(file).toContain('\n99:59:59;11\t942c 942c\n');
    const message = 'Cannot write SCC: its times end at 100 hours, and a caption ends later.';
    const cues = [{ ts: 359_990, endTs: 359_999.9, lines: ['a'] }];
    expect(() => writeScc(cues)).toThrow(message);
    expect(() => continueScc(file, cues)).toThrow(message);
    const early = cues.map(cue => ({ ...cue, ts: 1, endTs: 2 }));
    expect(() => writeScc(early, { offsetSeconds: 360_000 })).toThrow(message);
  });

  test('catches up after captions that are too dense', () => {
    const dense: readonly Cue[] = Array.from({ length: 10 }, (_, at) => ({
      ts: at / 10,
      endTs: (at + 1) / 10,
      lines: ['Word by word.'],
    }));
    const [last] = decodeScc(writeScc([...dense, { ts: 30, endTs: 32, lines: ['At last.'] }])).slice(-1);
    expect(last!.ts).toBeCloseTo(30, 1);
    expect(last!.rows).toEqual(['At last.']);
  });

  test('splits a caption that is too long for the screen', () => {
    const decoded = decodeScc(writeScc([{ ts: 10, endTs: 18, lines: ['word '.repeat(40)] }]));
    expect(decoded.map(({ rows }) => rows.length)).toEqual([4, 3]);
    expect(decoded[1]!.ts).toBeCloseTo(10 + (8 * 4) / 7, 1);
  });
});

describe('sccText', () => {
  test.each([
    ['\u201cIt\u2019s\u2026\u201d', "\u201cIt's...\u201d"],
    ['\u0141\u00f3d\u017a \u2013 \u0152uvre 5 \u20ac', 'L\u00f3dz - OEuvre 5 EUR'],
    ['e\u0301\u0323 \u1ebf', 'e e'],
    ['\u4f60\u597d \u{1F469}\u200D\u{1F4BB}!', '?? ?!'],
    ['a\u200Bb\u202E\0c\u00a0d', 'ab c d'],
    ['\u2460 \ufb01n', '1 fin'],
    [
      '`it\u00b4s\u2032 \u2015\u2212\u2012 \u20b9 \u00bc 2\u00d73 \u00b1 \u0301',
      "'it's' --- INR 1/4 2x3 +/-",
    ],
  ])('transliterates %s', (text, written) => {
    expect(sccText(text)).toBe(written);
  });

  test('has only characters of CEA-608, whatever the text', () => {
    fc.assert(
      fc.property(hostileLine, line => {
        for (const each of sccText(line)) expect(sccCharacter(each)).toBeDefined();
        for (const each of sccRows([line])) expect([...each].length).toBeLessThanOrEqual(32);
      }),
    );
  });
});

describe('timecodes', () => {
  test.each([
    [1799, '00:00:59;29'],
    [1800, '00:01:00;02'],
    [17_981, '00:09:59;29'],
    [17_982, '00:10:00;00'],
    [107_892, '01:00:00;00'],
    [2_589_408 * 5, '120:00:00;00'],
  ])('of frame %d, dropping numbers, is %s', (frame, timecode) => {
    expect(sccTimecode(frame, { dropFrame: true })).toBe(timecode);
  });

  test('are read as they were written', () => {
    fc.assert(
      fc.property(fc.nat({ max: 10 ** 8 }), fc.boolean(), (frame, dropFrame) => {
        expect(frameOfTimecode(sccTimecode(frame, { dropFrame }))).toEqual({ frame, dropFrame });
      }),
    );
  });
});

describe('continueScc', () => {
  test('keeps the file, and shows everything', () => {
    fc.assert(
      fc.property(
        cuesOf(row, { leastMs: 3000 }),
        fc.boolean(),
        fc.nat({ max: 12 }),
        (list, dropFrame, cut) => {
          const file = writeScc(list.slice(0, cut), { dropFrame });
          const continued = continueScc(file, list.slice(cut))!;
          expect(continued.startsWith(file)).toBe(true);
          expect(decodeScc(continued).flatMap(({ rows }) => rows)).toEqual(
            list.flatMap(({ lines }) => lines),
          );
        },
      ),
    );
  });

  test('knows the end of the last caption, and counts as the file does', () => {
    const file = writeScc([{ ts: 600, endTs: 602, lines: ['a'] }], { dropFrame: false });
    expect(sccState(file)).toMatchObject({ dropFrame: false, endTs: expect.closeTo(602, 1) });
    expect(continueScc(file, [{ ts: 610, endTs: 611, lines: ['b'] }])).toMatch(
      /\n00:10:10:\d\d\t942c 942c\n$/,
    );
  });

  test('refuses files of another form, and torn ones', () => {
    const file = writeScc([{ ts: 2, endTs: 4, lines: ['Hello.'] }]);
    expect(sccState(file.slice(0, -3))).toBeUndefined();
    expect(sccState(`${file}\n00:00:01;00\t942c 942c\n`)).toBeUndefined();
    expect(sccState(`${file}\n00:00:09;00\thello\n`)).toBeUndefined();
    expect(continueScc('WEBVTT\n', [])).toBeUndefined();
  });
});
