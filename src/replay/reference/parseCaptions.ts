import type { Cue } from '../../transcript/cues/cue.ts';
import { CaptionFormatError } from '../../transcript/formats/captionFormat.ts';
import { readSrt } from '../../transcript/formats/srt.ts';
import { readVtt } from '../../transcript/formats/vtt.ts';
import type { ReferenceSegment } from './reference.ts';
import { UnreadableReferenceError } from './unreadableReferenceError.ts';
import { withoutRepeats } from './withoutRepeats.ts';

/** A line of a cue, by the standard of WebVTT; captions that roll up have it for a row that is empty. */
const SPACES_ONLY = /^[ \t]+$/gm;

/** The cues of captions, each a segment; what rolls up is there once. */
export function parseCaptions(text: string, kind: 'srt' | 'vtt', path?: string): readonly ReferenceSegment[] {
  const cues = withoutRepeats(readCues(text, kind, path));
  return cues.flatMap(({ ts, endTs, lines, speaker }) => {
    const said = lines.map(line => line.replace(/^-?\s*>{2,3}\s*/, '')).join(' ');
    return said.trim() === '' ? [] : [{ text: said, ts, endTs, ...(speaker !== undefined && { speaker }) }];
  });
}

function readCues(text: string, kind: 'srt' | 'vtt', path?: string): readonly Cue[] {
  try {
    return kind === 'srt' ? readSrt(text) : readVtt(text.replace(SPACES_ONLY, '<c></c>'));
  } catch (cause) {
    if (!(cause instanceof CaptionFormatError)) throw cause;
    const fault = cause.message.replace(/line \d+: /, '');
    throw new UnreadableReferenceError({ path, line: cause.line }, fault, { cause });
  }
}
