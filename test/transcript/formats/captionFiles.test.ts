import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RxscribeError } from '../../../src/base/errors.ts';
import type { Cue } from '../../../src/transcript/cues/cue.ts';
import { CaptionFormatError } from '../../../src/transcript/formats/captionFormat.ts';
import { continueJsonLines, writeJsonLines } from '../../../src/transcript/formats/jsonLines.ts';
import { continueScc, writeScc } from '../../../src/transcript/formats/scc/scc.ts';
import { continueSrt, readSrt, writeSrt } from '../../../src/transcript/formats/srt.ts';
import { continueTtml, writeTtml } from '../../../src/transcript/formats/ttml.ts';
import { continueVtt, readVtt, writeVtt } from '../../../src/transcript/formats/vtt.ts';

const cues: readonly Cue[] = [
  { ts: 0, endTs: 1.5, lines: ['Hello there.'] },
  { ts: 3661.001, endTs: 359_999.999, lines: ['Fish & chips', 'a <b> c --> d'] },
];

describe('writeSrt', () => {
  it('numbers the cues and writes times with a comma', () => {
    expect(writeSrt(cues)).toBe(
      '1\n00:00:00,000 --> 00:00:01,500\nHello there.\n\n' +
        '2\n01:01:01,001 --> 99:59:59,999\nFish & chips\na ‹b› c --> d\n\n',
    );
  });

  it.each([
    ['1 <inaudible> </b>', '1 ‹inaudible› ‹/b›'],
    ['<<b>> 5 < 6', '‹‹b›> 5 < 6'],
    ['5 < 6, 7 >> 6', '5 ‹ 6, 7 ›> 6'],
    ['00:00:01,000 --> 00:00:02,000', '00:00:01,000 → 00:00:02,000'],
    ['0:01-->…', '0:01→…'],
    ['{\\an8}{y:i} {1} C:\\new', '(\\an8}(y:i} {1} C:/new'],
    ['>> I <3 you --> me', '>> I ‹3 you --› me'],
  ])('replaces what readers take for formatting or a timing in %s', (line, written) => {
    const srt = writeSrt([{ ts: 0, endTs: 1, lines: [line] }]);
    expect(srt).toBe(`1\n00:00:00,000 --> 00:00:01,000\n${written}\n\n`);
    expect(readSrt(srt)[0]?.lines).toEqual([written]);
  });

  it('finds formatting that spans lines', () => {
    const [cue] = readSrt(writeSrt([{ ts: 0, endTs: 1, lines: ['a <i', 'x> b'] }]));
    expect(cue?.lines).toEqual(['a ‹i', 'x› b']);
  });

  it('never lets a line end or a blank line into a cue', () => {
    const srt = writeSrt([{ ts: 0, endTs: 1, lines: ['a\n\n2\r\nb', '', ' ', '\0\x85c\x1c\x85d'] }]);
    expect(srt).toBe('1\n00:00:00,000 --> 00:00:01,000\na 2 b\nc d\n\n');
  });

  it('carries milliseconds that round up', () => {
    expect(writeSrt([{ ts: 59.9996, endTs: 3599.9999, lines: [] }])).toContain(
      '00:01:00,000 --> 01:00:00,000',
    );
  });
});

describe('readSrt', () => {
  it('reads files as they are found', () => {
    const text =
      '\uFEFF1\r\n00:01,5 --> 00:00:02.250  X1:40 X2:600 Y1:20 Y2:50\r\n{\\an8}<i>Hello</i>\r\n<font color="#fff">there.</font>\r\n' +
      '\r\n \r\n00:00:03,000 --> 00:00:03,000\r\nno number\r\n\r\n7\r\n0:00:04,000-->0:00:05,000\r\n';
    expect(readSrt(text)).toEqual([
      { ts: 1.5, endTs: 2.25, lines: ['Hello', 'there.'] },
      { ts: 3, endTs: 3, lines: ['no number'] },
      { ts: 4, endTs: 5, lines: [] },
    ]);
  });

  it('parts cues that no blank line parts', () => {
    const text =
      '1\n00:00:01,000 --> 00:00:02,000\nHello\n2\n00:00:03,000 --> 00:00:04,000\n00:00:05,000 --> 00:00:06,000\n7';
    expect(readSrt(text)).toEqual([
      { ts: 1, endTs: 2, lines: ['Hello'] },
      { ts: 3, endTs: 4, lines: [] },
      { ts: 5, endTs: 6, lines: ['7'] },
    ]);
  });

  it('keeps text that is a number', () => {
    expect(readSrt('1\n00:00 --> 00:01\n2\n\n2\n00:01 --> 00:02\n!')[0]?.lines).toEqual(['2']);
    const text = '5\n00:01 --> 00:02\n5\n\n00:03 --> 00:04\n7\n\n6\n00:05 --> 00:06\nsix';
    expect(readSrt(text).map(({ lines }) => lines)).toEqual([['5'], ['7'], ['six']]);
  });

  it('reads cues with blank lines, without a duration, or with a damaged timing', () => {
    const text =
      '1\n00:00:03,000 --> 00:00:02,000\na\n\nb\n\n2\n00:00:O4,000 --> 0\nc\n\n3\n00: 00: 05, 000 -> 0:0:6\nd\n';
    expect(readSrt(text)).toEqual([
      { ts: 3, endTs: 3, lines: ['a', 'b'] },
      { ts: 3, endTs: 3, lines: ['c'] },
      { ts: 5, endTs: 6, lines: ['d'] },
    ]);
  });

  it('reads nothing from an empty file', () => {
    expect(readSrt('')).toEqual([]);
  });
});

describe('writeVtt', () => {
  it('escapes text and names who speaks', () => {
    expect(
      writeVtt([
        { ts: 0, endTs: 1.5, lines: ['Hello there.'], speaker: 'Ann <& Bob>' },
        { ts: 3661.001, endTs: 3662, lines: ['Fish & chips', 'a <b> c --> d'] },
      ]),
    ).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:01.500\n<v Ann &lt;&amp; Bob&gt;>Hello there.\n' +
        '\n01:01:01.001 --> 01:01:02.000\nFish &amp; chips\na &lt;b&gt; c --&gt; d\n',
    );
  });

  it.each(['', ' \n', '\0'])('names no speaker without a name, such as %j', speaker => {
    expect(writeVtt([{ ts: 0, endTs: 1, lines: ['Hello.'], speaker }])).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nHello.\n',
    );
  });
});

describe('readVtt', () => {
  it('passes over everything that is not text', () => {
    const text = `\uFEFFWEBVTT - a title
Kind: captions

STYLE
::cue { color: red }

REGION
id:fred

NOTE one line

NOTE
00:00.000 --> 00:01.000
still a note

first
00:01.000 --> 00:00:02.250 align:start position:0%
<v.loud Ann>Fish &amp; <c.yellow>chips</c>, &quot;5 &lt; 6&quot;<00:00:01.500> &#39;&#x21;&nbsp;&unknown;
<i
>more</i></v>

01:00:00.000 --> 01:00:01.000
`.replaceAll('\n', '\r\n');
    expect(readVtt(text)).toEqual([
      {
        ts: 1,
        endTs: 2.25,
        lines: ['Fish & chips, "5 < 6" \'! &unknown;', 'more'],
        speaker: 'Ann',
      },
      { ts: 3600, endTs: 3601, lines: [] },
    ]);
  });

  it('loses no cue that no blank line parts from the one before, or from the header', () => {
    const text = 'WEBVTT\nKind: captions\n00:01.000 --> 00:02.000\nHello\n00:03.000 --> 00:04.000\nthere';
    expect(readVtt(text)).toEqual([
      { ts: 1, endTs: 2, lines: ['Hello'] },
      { ts: 3, endTs: 4, lines: ['there'] },
    ]);
    expect(readVtt('WEBVTT\n1\n00:01.000 --> 00:02.000\nHello')).toEqual([
      { ts: 1, endTs: 2, lines: ['Hello'] },
    ]);
  });

  it('reads nothing from a file without cues', () => {
    expect(readVtt('WEBVTT')).toEqual([]);
  });
});

describe('a malformed file', () => {
  it.each([
    ['no timing', 'SRT', '\n1\nsecret words\n', 2],
    ['a broken timing', 'SRT', '1\n1.000 --> 2.000\na\n', 1],
    ['another kind of file', 'SRT', '{"monologues":[]}', 1],
    ['a missing signature', 'WebVTT', '00:00.000 --> 00:01.000\na\n', 1],
    ['a signature that is another word', 'WebVTT', 'WEBVTTX\n', 1],
    ['an empty file', 'WebVTT', '', 1],
    ['no timing', 'WebVTT', 'WEBVTT\n\n1\nsecret words\n', 3],
  ] as const)('with %s is refused by the reader of %s, which names the line and no text', (...fault) => {
    const [, format, text, line] = fault;
    const error = thrownBy(() => (format === 'SRT' ? readSrt(text) : readVtt(text))) as CaptionFormatError;
    expect(error).toBeInstanceOf(CaptionFormatError);
    expect(error).toMatchObject({ name: 'CaptionFormatError', code: 'invalid-argument', line });
    expect(error.message).toMatch(new RegExp(`^Cannot read ${format}, line ${line}: the (cue|file) `));
    expect(error.message).not.toContain('secret');
  });
});

/** Each writer of cues, also as it adds to a file. */
const WRITERS: Readonly<Record<string, (cues: readonly Cue[]) => string | undefined>> = {
  SRT: writeSrt,
  'SRT that goes on': cues => continueSrt('', cues),
  WebVTT: writeVtt,
  'WebVTT that goes on': cues => continueVtt(writeVtt([]), cues),
  TTML: writeTtml,
  'TTML that goes on': cues => continueTtml(writeTtml([]), cues),
  SCC: writeScc,
  'SCC that goes on': cues => continueScc(writeScc([]), cues),
  'JSON Lines': writeJsonLines,
  'JSON Lines that go on': cues => continueJsonLines('', cues),
};

describe.for(Object.entries(WRITERS))('the writer of %s', ([, write]) => {
  it.for([
    ['a start that is no number', Number.NaN, 2],
    ['an end that is no number', 1, Number.NaN],
    ['an end that never comes', 1, Number.POSITIVE_INFINITY],
    ['a start that never was', Number.NEGATIVE_INFINITY, 1],
    ['an end before its start', 2, 1],
    ['an end at its start', 1, 1],
    ['less than a millisecond', 1, 1.0004],
    ['an end before the file begins', -2, -1],
  ] as const)('refuses a caption with %s', ([, ts, endTs]) => {
    const error = thrownBy(() =>
      write([
        { ts: 0, endTs: 1, lines: ['a'] },
        { ts, endTs, lines: ['secret'] },
      ]),
    ) as RxscribeError;
    expect(error.code).toBe('invalid-argument');
    expect(error.message).toBe(
      `Cannot write captions: caption 2 must be on screen for a millisecond or more, not from ${ts} to ${endTs} s.`,
    );
  });

  it('sorts captions by their starts', () => {
    const late = { ts: 30, endTs: 32, lines: ['late'] };
    const early = { ts: 10, endTs: 12, lines: ['early'] };
    const same = { ts: 30, endTs: 33, lines: ['same'] };
    expect(write([late, same, early])).toBe(write([early, late, same]));
  });
});

const milliseconds = fc.integer({ min: 0, max: 10 ** 8 });
const cueList = (characters: fc.Arbitrary<string>) => {
  const text = fc
    .string({ unit: characters, minLength: 1 })
    .map(line => line.replace(/\s+/gu, ' ').trim())
    .filter(line => line !== '');
  return fc
    .array(
      fc
        .tuple(milliseconds, milliseconds, fc.array(text, { maxLength: 3 }))
        .map(([ts, length, lines]): Cue => ({ ts: ts / 1000, endTs: (ts + length + 1) / 1000, lines })),
    )
    .map(list => list.toSorted((one, other) => one.ts - other.ts));
};
const lineEnds = fc.constantFrom('\n', '\r\n', '\r');

describe('caption files', () => {
  it('come back from SRT as they were, with any line ends', () => {
    // SRT has no escapes: what looks like `<i>`, `{\an8}`, `\N` or a timing is replaced.
    const characters = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 1 })
      .filter(c => !/[<{\\]/.test(c));
    fc.assert(
      fc.property(cueList(characters), lineEnds, (list, lineEnd) => {
        expect(readSrt(writeSrt(list).replaceAll('\n', lineEnd))).toEqual(list);
      }),
    );
  });

  it('come back from WebVTT as they were, with any line ends', () => {
    const characters = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
      fc.constantFrom('<', '>', '&', '&lt;', '-->', 'NOTE', '<v Ann>', '1'),
    );
    const speakers = fc.constantFrom('Ann', 'Speaker 1', '<&>');
    const spoken = cueList(characters).chain(list =>
      fc
        .array(speakers, { minLength: list.length, maxLength: list.length })
        .map(names =>
          list.map((cue, index) => (cue.lines.length > 0 ? { ...cue, speaker: names[index]! } : cue)),
        ),
    );
    fc.assert(
      fc.property(fc.oneof(cueList(characters), spoken), lineEnds, (list, lineEnd) => {
        expect(readVtt(writeVtt(list).replaceAll('\n', lineEnd))).toEqual(list);
      }),
    );
  });

  // A pattern that starts over at each of them would take minutes.
  it.each(['<v ', '<v.', '<b ', '{\\', '<', '</'])('are read in one pass, also when full of %s', mark => {
    const text = `00:00:01.000 --> 00:00:02.000\n${mark.repeat(300_000)}`;
    expect(readSrt(text)).toHaveLength(1);
    expect(readVtt(`WEBVTT\n\n${text}`)).toHaveLength(1);
  });

  it('give cues or a CaptionFormatError, whatever the file', () => {
    const lines = fc.constantFrom(
      ...['', ' ', '1', 'WEBVTT', 'NOTE', 'STYLE', '00:00:01,000 --> 00:00:02,000', '00:01.5 --> 00:00.1 x'],
      ...['a', '<v', '&#0;', '-->', '99999:99:99,999 --> 0:0:0', '<v >x'],
    );
    fc.assert(
      fc.property(fc.array(lines), lineEnds, (list, lineEnd) => {
        for (const read of [readSrt, readVtt]) {
          const outcome = attempt(() => read(list.join(lineEnd)));
          if (outcome instanceof Error) expect(outcome).toBeInstanceOf(CaptionFormatError);
          else for (const cue of outcome) expect(cue.endTs).toBeGreaterThanOrEqual(cue.ts);
        }
      }),
    );
  });
});

function attempt<T>(run: () => T): T | Error {
  try {
    return run();
  } catch (error) {
    return error as Error;
  }
}

function thrownBy(run: () => unknown): unknown {
  const outcome = attempt(run);
  expect(outcome).toBeInstanceOf(Error);
  return outcome;
}
