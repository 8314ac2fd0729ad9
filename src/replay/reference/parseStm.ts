import { type FieldLine, fieldLines, secondsOf } from './fieldLines.ts';
import { oneRecording, type RecordingOptions } from './oneRecording.ts';
import type { ReferenceSegment } from './reference.ts';
import { UnreadableReferenceError } from './unreadableReferenceError.ts';

/** Speakers and texts that stand for time which is not scored. */
const NO_SPEECH: ReadonlySet<string> = new Set(['inter_segment_gap', 'excluded_region']);
const IGNORED = 'ignore_time_segment_in_scoring';

/**
 * Segments in time: `file channel speaker start end [<label>] text`
 * (https://github.com/usnistgov/SCTK/blob/master/doc/infmts.htm). Of alternatives, `{ a / b }`, the first counts.
 */
export function parseStm(text: string, options: RecordingOptions = {}): readonly ReferenceSegment[] {
  const lines = fieldLines(text).map(line => segmentOf(line, options.path));
  return oneRecording(lines, options)
    .filter(({ segment: { speaker, text } }) => text !== '' && !NO_SPEECH.has(speaker.toLowerCase()))
    .map(({ segment }) => segment)
    .toSorted((left, right) => left.ts - right.ts);
}

function segmentOf({ line, fields }: FieldLine, path?: string) {
  const [file = '', , speaker, start, end, ...rest] = fields;
  const [ts, endTs] = [secondsOf(start), secondsOf(end)];
  if (speaker === undefined || ts === undefined || endTs === undefined || endTs < ts) {
    throw new UnreadableReferenceError(
      { path, line },
      'wanted STM (file channel speaker start end [<label>] text), found another line',
    );
  }
  const words = /^<.*>$/.test(rest[0] ?? '') ? rest.slice(1) : rest;
  return { file, segment: { text: textOf(words), ts, endTs, speaker } };
}

function textOf(words: readonly string[]): string {
  const text = words.join(' ');
  if (text.toLowerCase() === IGNORED) return '';
  return text
    .replace(/\{([^{}/]*)(?:\/[^{}]*)?\}/g, '$1')
    .split(/\s+/)
    .filter(word => word !== '' && word !== '@')
    .join(' ');
}
