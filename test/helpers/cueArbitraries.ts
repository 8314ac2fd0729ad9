import fc from 'fast-check';
import type { Cue } from '../../src/transcript/cues/cue.ts';

/** Texts that formats of captions may take for something else. */
const HOSTILE = [
  ...['<', '>', '&', '&amp;', '&#0;', '-->', ']]>', '<!--', '<?xml?>', '"', "'", '{\\an8}', '<i>', '</tt:p>'],
  ...['\0', '\u0007', '\u001b[2J', '\u0085', '\uFFFE', '\uD800', '\u202E', '\u200B', '\uFEFF'],
  ...[
    '\u05E9\u05DC\u05D5\u05DD',
    '\u0645\u0631\u062D\u0628\u0627',
    '\u4F60\u597D',
    '\u{1F469}\u200D\u{1F4BB}',
  ],
  ...[
    'e\u0301\u0323',
    'x'.repeat(90),
    'NOTE',
    'WEBVTT',
    '1',
    '00:00:01,000',
    '00:00:01,000 --> 00:00:02,000',
    '<inaudible>',
    '</b>',
    '{y:i}',
    '\\N',
    '\n\n2\n',
    'Scenarist_SCC V1.0',
    '{"a":1}',
  ],
];

/** A line of hostile texts and ordinary characters, without white space at its ends. */
export const hostileLine: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'grapheme', maxLength: 6 })), {
    minLength: 1,
    maxLength: 4,
  })
  .map(texts => texts.join(' '));

/** Cues in order without overlaps, at whole milliseconds. */
export function cuesOf(
  line: fc.Arbitrary<string>,
  { maxGapMs = 3000, leastMs = 1 }: { readonly maxGapMs?: number; readonly leastMs?: number } = {},
): fc.Arbitrary<readonly Cue[]> {
  const cue = fc.record({
    gapMs: fc.integer({ min: 0, max: maxGapMs }),
    lengthMs: fc.integer({ min: leastMs, max: leastMs + 6000 }),
    lines: fc.array(line, { minLength: 1, maxLength: 3 }),
  });
  return fc.array(cue, { maxLength: 12 }).map(list => {
    let atMs = 0;
    return list.map(({ gapMs, lengthMs, lines }): Cue => {
      const fromMs = atMs + gapMs;
      atMs = fromMs + lengthMs;
      return { ts: fromMs / 1000, endTs: atMs / 1000, lines };
    });
  });
}
