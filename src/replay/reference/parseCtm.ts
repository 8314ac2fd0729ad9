import {
  type FieldLine,
  fieldLines,
  type NistPart,
  oneRecording,
  type RecordingOptions,
  secondsOf,
  withVoices,
} from './nistLines.ts';
import { type ReferenceSegment, UnreadableReferenceError } from './reference.ts';

/** Types of sounds other than words. */
const NO_WORDS: ReadonlySet<string> = new Set(['non-lex', 'misc', 'noscore']);
/** Longest pause within a segment, in seconds. */
const MAX_PAUSE = 1;

type CtmWord = ReturnType<typeof withVoices>[number];

/**
 * Parses CTM, words with times: `file channel start duration word [confidence [type [speaker]]]`
 * (https://github.com/usnistgov/SCTK/blob/master/doc/infmts.htm). The first of several alternatives counts. Each
 * segment has one voice, and segments are ordered by start, so that overlapping speech stays in one piece. A new
 * segment begins after a pause of a second, or when another voice has said a word.
 */
export function parseCtm(text: string, options: RecordingOptions = {}): readonly ReferenceSegment[] {
  const lines = firstAlternatives(fieldLines(text)).flatMap(line => wordOf(line, options.path));
  const words = withVoices(oneRecording(lines, options));
  const segments: { text: string; ts: number; endTs: number; speaker?: string }[] = [];
  const open = new Map<string | undefined, (typeof segments)[number]>();
  for (const [index, word] of words.entries()) {
    const own = open.get(word.speaker);
    if (own && word.ts - own.endTs <= MAX_PAUSE && !isInterrupted(words, index, own.endTs)) {
      own.text += ` ${word.text}`;
      own.endTs = Math.max(own.endTs, word.endTs);
    } else {
      const segment = { ...word };
      open.set(word.speaker, segment);
      segments.push(segment);
    }
  }
  return segments;
}

/** Returns whether another voice has a word between the end of a segment and the next word of its voice. */
function isInterrupted(words: readonly CtmWord[], index: number, since: number): boolean {
  const { ts, speaker } = words[index]!;
  for (let at = index - 1; at >= 0 && words[at]!.ts >= since; at--) {
    if (words[at]!.speaker !== speaker && words[at]!.endTs <= ts) return true;
  }
  return false;
}

/** Removes the lines between `<ALT>` and `<ALT_END>`, and the marks themselves. */
function firstAlternatives(lines: readonly FieldLine[]): readonly FieldLine[] {
  let isOther = false;
  return lines.filter(({ fields }) => {
    const mark = /^<(ALT_BEGIN|ALT|ALT_END)>$/i.exec(fields[4] ?? '')?.[1]?.toUpperCase();
    if (mark !== undefined) isOther = mark === 'ALT';
    return mark === undefined && !isOther;
  });
}

function wordOf({ line, fields }: FieldLine, path?: string): readonly NistPart[] {
  const [file = '', channel = '', start, duration, text, , type = 'lex', speaker] = fields;
  const ts = secondsOf(start);
  const seconds = secondsOf(duration);
  if (text === undefined || fields.length > 8 || ts === undefined || seconds === undefined) {
    const fault = 'the line must be CTM (file channel start duration word [confidence [type [speaker]]])';
    throw new UnreadableReferenceError({ path, line }, fault);
  }
  if (text === '@' || NO_WORDS.has(type.toLowerCase())) return [];
  return [{ file, channel, ts, endTs: ts + seconds, text, speaker }];
}
