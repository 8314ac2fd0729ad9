import { type FieldLine, fieldLines, secondsOf } from './fieldLines.ts';
import { oneRecording, type RecordingOptions } from './oneRecording.ts';
import type { ReferenceSegment } from './reference.ts';
import { UnreadableReferenceError } from './unreadableReferenceError.ts';

/** Sounds that are no words. */
const NO_WORDS: ReadonlySet<string> = new Set(['non-lex', 'misc', 'noscore']);
/** A longer pause parts segments, in seconds. */
const MAX_PAUSE = 1;

interface CtmWord {
  readonly file: string;
  readonly channel: string;
  readonly ts: number;
  readonly endTs: number;
  readonly word: string;
  readonly speaker?: string;
}

/**
 * Words in time: `file channel start duration word [confidence [type [speaker]]]`
 * (https://github.com/usnistgov/SCTK/blob/master/doc/infmts.htm). Of alternatives the first counts. A pause of a second
 * or another speaker begins a segment; channels are speakers where there are several.
 */
export function parseCtm(text: string, options: RecordingOptions = {}): readonly ReferenceSegment[] {
  const words = firstAlternatives(fieldLines(text)).flatMap(line => wordOf(line, options.path));
  const recorded = oneRecording(words, options).toSorted((left, right) => left.ts - right.ts);
  const hasChannels = new Set(recorded.map(({ channel }) => channel)).size > 1;
  const segments: { text: string; ts: number; endTs: number; speaker?: string }[] = [];
  for (const { word, ts, endTs, channel, speaker = hasChannels ? channel : undefined } of recorded) {
    const open = segments.at(-1);
    if (open && open.speaker === speaker && ts - open.endTs <= MAX_PAUSE) {
      open.text += ` ${word}`;
      open.endTs = Math.max(open.endTs, endTs);
    } else segments.push({ text: word, ts, endTs, ...(speaker !== undefined && { speaker }) });
  }
  return segments;
}

/** Without what stands between `<ALT>` and `<ALT_END>`, and without the marks. */
function firstAlternatives(lines: readonly FieldLine[]): readonly FieldLine[] {
  let isOther = false;
  return lines.filter(({ fields }) => {
    const mark = /^<(ALT_BEGIN|ALT|ALT_END)>$/i.exec(fields[4] ?? '')?.[1]?.toUpperCase();
    if (mark !== undefined) isOther = mark === 'ALT';
    return mark === undefined && !isOther;
  });
}

function wordOf({ line, fields }: FieldLine, path?: string): readonly CtmWord[] {
  const [file = '', channel = '', start, duration, word, , type = 'lex', speaker] = fields;
  const ts = secondsOf(start);
  const seconds = secondsOf(duration);
  if (word === undefined || fields.length > 8 || ts === undefined || seconds === undefined) {
    throw new UnreadableReferenceError(
      { path, line },
      'wanted CTM (file channel start duration word [confidence [type [speaker]]]), found another line',
    );
  }
  if (word === '@' || NO_WORDS.has(type.toLowerCase())) return [];
  return [{ file, channel, ts, endTs: ts + seconds, word, ...(speaker !== undefined && { speaker }) }];
}
