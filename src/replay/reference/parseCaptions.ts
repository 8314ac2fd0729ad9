import type { Cue } from '../../transcript/cues/cue.ts';
import { CaptionFormatError } from '../../transcript/formats/captionFormat.ts';
import { readSrt } from '../../transcript/formats/srt.ts';
import { readVtt, unescapeVtt } from '../../transcript/formats/vtt.ts';
import { type ReferenceSegment, UnreadableReferenceError } from './reference.ts';

/**
 * A line of spaces only, which belongs to the cue by the standard of WebVTT; rolling captions have it as an empty row.
 */
const SPACES_ONLY = /^[ \t]+$/gm;

/** Prefix of a change of speaker: a dash, or the mark of live captions. */
const CHANGE = /^(?:-\s*)?(?:>{2,3}\s*)?/;
/** Prefix such as `JOHN:`, of at most three words. */
const NAMED =
  /^(?<speaker>\p{Lu}[\p{Lu}\p{N}.'’-]+(?: [\p{Lu}\p{N}][\p{Lu}\p{N}.'’-]*){0,2}):\s+(?<said>\S.*)$/u;
/** Sung text, from note to note or to the end; or a line that only ends with a note. */
const SONG = /^[^♩♪♫♬\n]+[♩♪♫♬]$|[♩♪♫♬][^♩♪♫♬]*(?:[♩♪♫♬]+|$(?![\s\S]))/gm;

/**
 * Parses captions into a segment per cue. Repeated lines of rolling captions count once, and songs are left out. A name
 * in capitals with a colon begins a segment of that speaker, unless the whole file is in capitals.
 */
export function parseCaptions(text: string, kind: 'srt' | 'vtt', path?: string): readonly ReferenceSegment[] {
  const cues = withoutRepeats(readCues(text, kind, path));
  const hasNames = cues.some(({ lines }) => lines.some(line => /\p{Ll}/u.test(line)));
  return cues.flatMap(({ ts, endTs, lines, speaker }) => {
    const said = lines.join('\n').replace(SONG, ' ').split('\n');
    return spokenBy(said, hasNames)
      .filter(({ text }) => text.trim() !== '')
      .map(spoken => ({ ts, endTs, speaker, ...spoken }));
  });
}

/** Joins the lines of a cue, split where another speaker is named. */
function spokenBy(lines: readonly string[], hasNames: boolean) {
  const spoken: { text: string; speaker?: string }[] = [];
  for (const line of lines) {
    const plain = line.trim().replace(CHANGE, '');
    const { speaker, said = '' } = (hasNames && NAMED.exec(plain)?.groups) || {};
    const last = spoken.at(-1);
    if (speaker !== undefined) spoken.push({ text: said, speaker });
    else if (last) last.text = `${last.text} ${plain}`.trim();
    else spoken.push({ text: plain });
  }
  return spoken;
}

function readCues(text: string, kind: 'srt' | 'vtt', path?: string): readonly Cue[] {
  try {
    return kind === 'srt' ? readSrt(text).map(decoded) : readVtt(text.replace(SPACES_ONLY, '<c></c>'));
  } catch (cause) {
    if (!(cause instanceof CaptionFormatError)) throw cause;
    const fault = `${cause.format}: ${cause.problem}`;
    throw new UnreadableReferenceError({ path, line: cause.line }, fault, { cause });
  }
}

const decoded = (cue: Cue): Cue => ({ ...cue, lines: cue.lines.map(unescapeVtt) });

/** Longest pause in seconds between a cue and its continuation. */
const MAX_APART = 0.5;
/** Fewest repetitions that show rolling captions: one alone may be a line that was said twice. */
const MIN_ROLLING = 2;

/**
 * Removes the lines that cues repeat from the cue before, if the captions roll up: most cues of several lines begin
 * with the last lines of the cue before, and continue. In other captions a repeated line was said twice, and stays.
 */
export function withoutRepeats(cues: readonly Cue[]): readonly Cue[] {
  const repeats = cues.map((cue, index) => repeatedLines(cues[index - 1], cue));
  const following = cues.flatMap((cue, index) =>
    cue.lines.length > 1 && follows(cues[index - 1], cue) ? [isPart(repeats[index] ?? 0, cue)] : [],
  );
  const rolling = following.filter(repeated => repeated).length;
  if (rolling < MIN_ROLLING || rolling * 2 < following.length) return cues;
  return cues.map((cue, index) => ({ ...cue, lines: cue.lines.slice(repeats[index]) }));
}

const isPart = (repeated: number, cue: Cue) => repeated > 0 && repeated < cue.lines.length;

function follows(before: Cue | undefined, cue: Cue): boolean {
  return before !== undefined && Math.abs(cue.ts - before.endTs) <= MAX_APART;
}

/** Returns how many lines at the beginning repeat the end of the cue before. */
function repeatedLines(before: Cue | undefined, cue: Cue): number {
  if (!before || !follows(before, cue)) return 0;
  for (let count = Math.min(before.lines.length, cue.lines.length); count > 0; count--) {
    const end = before.lines.slice(-count);
    if (end.every((line, index) => line === cue.lines[index])) return count;
  }
  return 0;
}
