import type { Cue } from '../../transcript/cues/cue.ts';
import { CaptionFormatError } from '../../transcript/formats/captionFormat.ts';
import { readSrt } from '../../transcript/formats/srt.ts';
import { readTtml } from '../../transcript/formats/ttml.ts';
import { readVtt, unescapeVtt } from '../../transcript/formats/vtt.ts';
import { wordKey } from '../../transcript/text/tokens.ts';
import { type ReferenceSegment, UnreadableReferenceError } from './reference.ts';

/** Prefix of a change of speaker: a dash, or the mark of live captions. */
const CHANGE = /^(?:-\s*)?(?:>{2,3}\s*)?/;
/** Prefix such as `JOHN:`, of at most three words. */
const NAMED =
  /^(?<speaker>\p{Lu}[\p{Lu}\p{N}.'’-]+(?: [\p{Lu}\p{N}][\p{Lu}\p{N}.'’-]*){0,2}):\s+(?<said>\S.*)$/u;
/** Sung text, from note to note or to the end; or a line that only ends with a note. */
const SONG = /^[^♩♪♫♬\n]+[♩♪♫♬]$|[♩♪♫♬][^♩♪♫♬]*(?:[♩♪♫♬]+|$(?![\s\S]))/gm;

const READERS = {
  srt: (text: string) => readSrt(text).map(decoded),
  vtt: readVtt,
  ttml: readTtml,
} as const;

type CaptionKind = keyof typeof READERS;

/**
 * Parses captions into a segment per cue. Words that later cues repeat count once, and songs are left out. A name
 * in capitals with a colon begins a segment of that speaker, unless the whole file is in capitals.
 */
export function parseCaptions(text: string, kind: CaptionKind, path?: string): readonly ReferenceSegment[] {
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

function readCues(text: string, kind: CaptionKind, path?: string): readonly Cue[] {
  try {
    return READERS[kind](text);
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
/** Most words of a cue that are searched in the next one. */
const MAX_REPEATED = 200;

/**
 * Removes the words that cues repeat from the cue before, if most cues do so that follow another one: captions that roll up or
 * grow, and karaoke, which shows a line again for each of its words. In other captions a repeated line was said twice, and stays.
 */
export function withoutRepeats(cues: readonly Cue[]): readonly Cue[] {
  const following = cues.filter((cue, index) => follows(cues[index - 1], cue)).length;
  const repeats = cues.map((cue, index) => repeatedWords(cues[index - 1], cue));
  // A single word is repeated by chance, or because it was said twice.
  const rolling = repeats.filter(count => count > 1).length;
  if (rolling < MIN_ROLLING || rolling * 2 < following) return cues;
  return cues.map((cue, index) => ({ ...cue, lines: linesAfter(cue.lines, repeats[index]!) }));
}

function follows(before: Cue | undefined, cue: Cue): before is Cue {
  return before !== undefined && cue.ts >= before.ts && cue.ts - before.endTs <= MAX_APART;
}

const keysOf = (lines: readonly string[]) => lines.flatMap(wordsOf).map(wordKey);
const wordsOf = (line: string) => line.split(/\s+/).filter(word => word !== '');

/** Returns how many words at the beginning repeat the end of the cue before: two, or a last line of one. */
function repeatedWords(before: Cue | undefined, cue: Cue): number {
  if (!follows(before, cue)) return 0;
  const earlier = keysOf(before.lines);
  const later = keysOf(cue.lines);
  const least = keysOf(before.lines.slice(-1)).length > 1 ? 2 : 1;
  for (let count = Math.min(earlier.length, later.length, MAX_REPEATED); count >= least; count--) {
    const end = earlier.slice(-count);
    if (end.every((key, index) => key === later[index])) return count;
  }
  return 0;
}

/** Returns lines without their first words. */
function linesAfter(lines: readonly string[], count: number): readonly string[] {
  let rest = count;
  return lines.map(line => {
    const words = wordsOf(line);
    const said = words.slice(rest);
    rest = Math.max(0, rest - words.length);
    return said.length === words.length ? line : said.join(' ');
  });
}
