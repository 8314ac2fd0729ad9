import type { Cue } from '../cues/cue.ts';
import { cueBlocks, cueLines, orderedCues } from './captionFormat.ts';
import { formatTimestamp } from './timestamp.ts';

/**
 * Writes cues as SubRip, in the order of their starts. SubRip has no speakers and no escapes: text that readers take for
 * formatting or a timing is replaced, such as `<b>` by `‹b›`.
 *
 * @throws InvalidArgumentError for a cue that does not end after it starts
 * @example
 * import { writeSrt } from 'rxscribe';
 *
 * writeSrt([{ ts: 1, endTs: 2.5, lines: ['Good morning.'] }]);
 * // '1\n00:00:01,000 --> 00:00:02,500\nGood morning.\n\n'
 */
export function writeSrt(cues: readonly Cue[]): string {
  return numberedSrt(cues, 1);
}

/**
 * Adds cues to a SubRip file, whose text stays as it is; the numbering continues.
 *
 * @throws CaptionFormatError when the file has text, but no cue
 * @throws InvalidArgumentError as {@link writeSrt}
 */
export function continueSrt(file: string, cues: readonly Cue[]): string {
  const blocks = cueBlocks(file, 'SRT');
  const last = blocks.reduce((most, { number }) => Math.max(most, number), blocks.length);
  const parting = file === '' || /(?:\r?\n){2}$/.test(file) ? '' : file.endsWith('\n') ? '\n' : '\n\n';
  return file + parting + numberedSrt(cues, last + 1);
}

function numberedSrt(cues: readonly Cue[], first: number): string {
  return orderedCues(cues)
    .map((cue, index) => {
      const timing = `${formatTimestamp(cue.ts, ',')} --> ${formatTimestamp(cue.endTs, ',')}`;
      return `${first + index}\n${timing}\n${srtText(cue.lines)}\n`;
    })
    .join('');
}

/** Returns the text of a cue. Readers take for formatting: tags, also across lines, styles like `{\an8}` or `{y:i}`, and `\N`. */
function srtText(lines: readonly string[]): string {
  const text = cueLines(lines)
    .map(line => `${line}\n`)
    .join('')
    .replace(/(?<=\d ?)-->/g, '→')
    .replace(/<([^<>]*)>/g, '‹$1›')
    .replace(/\{(?=\\|[a-z]:)/gi, '(')
    .replace(/\\(?=[Nnh])/g, '/');
  const closed = Math.max(0, text.lastIndexOf('>'));
  return text.slice(0, closed).replaceAll('<', '‹') + text.slice(closed);
}

/**
 * Reads SubRip leniently: cue numbers may be missing or wrong, a cue may have blank lines or end before it starts, and formatting
 * (`<i>`, `{\an8}`) is removed. The timings of SubViewer and YouTube (`0:00:01.000,0:00:02.500`) are read, too.
 *
 * @throws CaptionFormatError when the file has text, but no cue
 * @example
 * import { readSrt } from 'rxscribe';
 *
 * readSrt('1\n00:00:01,000 --> 00:00:02,500\nGood morning.\n')[0]?.endTs; // 2.5
 */
export function readSrt(text: string): readonly Cue[] {
  return cueBlocks(text, 'SRT').map(({ ts, endTs, payload }) => {
    return { ts, endTs, lines: cueLines(payload.map(plain)) };
  });
}

/** Tags of SubRip, and those that are left of WebVTT. */
const TAGS = /<\/?(?:[biuscv]|font|lang|ruby|rt)(?:[\s.][^<>]*)?>|<\d[\d:.]*>|\{\\[^{}]*\}/gi;

const plain = (line: string) => line.replace(TAGS, '');
