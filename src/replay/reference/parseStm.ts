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

/** Speakers and texts of stretches that are not scored. */
const NO_SPEECH: ReadonlySet<string> = new Set(['inter_segment_gap', 'excluded_region']);
const IGNORED = 'ignore_time_segment_in_scoring';

/**
 * Parses STM, segments with times: `file channel speaker start end [<label>] text`
 * (https://github.com/usnistgov/SCTK/blob/master/doc/infmts.htm). The first of several alternatives, `{ a / b }`,
 * counts, also of nested ones.
 */
export function parseStm(text: string, options: RecordingOptions = {}): readonly ReferenceSegment[] {
  const lines = fieldLines(text).map(line => lineOf(line, options.path));
  const recorded = oneRecording(lines, options);
  return withVoices(recorded.filter(({ text }) => text !== ''));
}

function lineOf({ line, fields }: FieldLine, path?: string): NistPart {
  const [file = '', channel = '', speaker, start, end, ...rest] = fields;
  const [ts, endTs] = [secondsOf(start), secondsOf(end)];
  if (speaker === undefined || ts === undefined || endTs === undefined || endTs < ts) {
    const fault = 'the line must be STM (file channel speaker start end [<label>] text)';
    throw new UnreadableReferenceError({ path, line }, fault);
  }
  const words = /^<.*>$/.test(rest[0] ?? '') ? rest.slice(1) : rest;
  const text = NO_SPEECH.has(speaker.toLowerCase()) ? '' : textOf(words.join(' '));
  if (text !== undefined) return { file, channel, speaker, ts, endTs, text };
  throw new UnreadableReferenceError({ path, line }, 'the line must be STM with a } for each {');
}

function textOf(written: string): string | undefined {
  if (written.toLowerCase() === IGNORED) return '';
  return firstAlternatives(written)
    ?.split(/\s+/)
    .filter(word => word !== '' && word !== '@')
    .join(' ');
}

/** Replaces alternatives by the first one; undefined when the braces do not match. */
function firstAlternatives(text: string): string | undefined {
  /** For each open brace, whether its first alternative has ended. */
  const open: boolean[] = [];
  let others = 0;
  let first = '';
  for (const part of text.split(/([{}/])/)) {
    if (part === '{') open.push(false);
    else if (part === '}') {
      if (open.length === 0) return undefined;
      if (open.pop()) others--;
    } else if (part === '/' && open.length > 0) {
      if (!open.at(-1)) others++;
      open[open.length - 1] = true;
    } else if (others === 0) first += part;
  }
  return open.length === 0 ? first : undefined;
}
