import { InvalidArgumentError } from '../../../base/errors.ts';
import { namedOptions } from '../../../base/namedOptions.ts';
import { counted } from '../../../base/text.ts';
import type { Cue } from '../../cues/cue.ts';
import { orderedCues } from '../captionFormat.ts';
import { sccUnknown } from './sccCharacters.ts';
import { type SccLine, type SccSchedule, sccSchedule } from './sccSchedule.ts';
import { FRAMES_OF_TIMECODES, frameOfTimecode, sccTimecode, secondsOfFrame } from './sccTime.ts';

export interface SccOptions {
  /** Writes drop-frame timecodes, which stay with the clock on the wall. Default true. */
  readonly dropFrame?: boolean;
  /** Seconds added to all times, such as 3600 for a programme that begins at 01:00:00;00. Default 0. */
  readonly offsetSeconds?: number;
  /** Called once, with a sentence that counts the captions that are left out, and names the characters that CEA-608 lacks. */
  readonly onNote?: (note: string) => void;
}

/** Defaults of {@link SccOptions}. */
export const SCC_DEFAULTS = { dropFrame: true, offsetSeconds: 0 } as const satisfies SccOptions;

const HEADER = 'Scenarist_SCC V1.0\n';

/**
 * Writes cues as Scenarist Closed Captions: pop-on captions of CEA-608 on channel 1, at 29.97 frames a second.
 *
 * Each caption is loaded before its start and shown at the frame of its start; where captions are denser than two bytes a frame,
 * one is shown late, or left out once its time is over. Rows are at the bottom, of at most 32 columns: longer ones are wrapped.
 * Characters that CEA-608 lacks are transliterated, and those of other scripts become question marks.
 *
 * @throws InvalidArgumentError for a cue that does not end after it starts, or ends after 100 hours
 * @example
 * import { CAPTION_PROFILES, captionCues, readPlainText, writeScc } from 'rxscribe';
 *
 * const transcript = readPlainText('Speaker 0    00:00:05    Good morning.');
 * writeScc(captionCues(transcript, { profile: CAPTION_PROFILES.cea608 }));
 */
export function writeScc(cues: readonly Cue[], options: SccOptions = {}): string {
  namedOptions('SccOptions', options);
  const { dropFrame = SCC_DEFAULTS.dropFrame, offsetSeconds = SCC_DEFAULTS.offsetSeconds, onNote } = options;
  const { lines } = scheduled(shifted(cues, offsetSeconds), { onNote });
  return HEADER + linesOf(lines, { dropFrame });
}

/**
 * Adds cues to a file of {@link writeScc}, whose text stays as it is. Timecodes are drop-frame or not as in the file.
 *
 * @returns undefined when the file has another form
 * @throws InvalidArgumentError as {@link writeScc}
 */
export function continueScc(
  file: string,
  cues: readonly Cue[],
  { onNote }: Pick<SccOptions, 'onNote'> = {},
): string | undefined {
  const state = sccState(file);
  if (!state) return undefined;
  return file + linesOf(scheduled(cues, { onNote, firstFrame: state.nextFrame }).lines, state);
}

/** Maximum number of characters that a note names. */
const MAX_NAMED = 20;

function scheduled(
  cues: readonly Cue[],
  { onNote, firstFrame }: Pick<SccOptions, 'onNote'> & { readonly firstFrame?: number },
): SccSchedule {
  const ordered = orderedCues(cues);
  const schedule = sccSchedule(ordered, { firstFrame });
  if ((schedule.lines.at(-1)?.frame ?? 0) >= FRAMES_OF_TIMECODES) {
    throw new InvalidArgumentError('Cannot write SCC: its times end at 100 hours, and a caption ends later.');
  }
  const note = onNote && noteOf(ordered, schedule);
  if (note) onNote(note);
  return schedule;
}

/** Returns a sentence on content that a file cannot show; empty if there is none. */
function noteOf(cues: readonly Cue[], { dropped }: SccSchedule): string {
  const unknown = [...new Set(cues.flatMap(({ lines }) => lines.flatMap(sccUnknown)))];
  const named = unknown.slice(0, MAX_NAMED).join(' ') + (unknown.length > MAX_NAMED ? ' …' : '');
  const faults = [
    dropped > 0 && `lacks ${counted(dropped, 'caption')} that could not be sent in time`,
    unknown.length > 0 && `has '?' for ${counted(unknown.length, 'character')} that CEA-608 lacks: ${named}`,
  ].filter(fault => fault !== false);
  return faults.length === 0 ? '' : `The SCC file ${faults.join(', and ')}.`;
}

/** The end of a file. */
export interface SccState {
  /** First frame after the last code. */
  readonly nextFrame: number;
  readonly dropFrame: boolean;
  /** End of the last caption in seconds. */
  readonly endTs: number;
}

/** Returns the end of a file of {@link writeScc}; undefined when the file has another form. */
export function sccState(file: string): SccState | undefined {
  if (!file.startsWith(HEADER)) return undefined;
  const blocks = file.slice(HEADER.length).match(/[^\n]*\n?/g) ?? [];
  let state: SccState = { nextFrame: 0, dropFrame: SCC_DEFAULTS.dropFrame, endTs: 0 };
  for (const [index, block] of blocks.slice(0, -1).entries()) {
    if (index % 2 === 0 && block === '\n') continue;
    const [, timecode = '', pairs = ''] = /^(\S+)\t([\da-f]{4}(?: [\da-f]{4})*)\n$/.exec(block) ?? [];
    const time = frameOfTimecode(timecode);
    if (index % 2 === 0 || !time || time.frame < state.nextFrame) return undefined;
    const nextFrame = time.frame + pairs.split(' ').length;
    state = { nextFrame, dropFrame: time.dropFrame, endTs: secondsOfFrame(time.frame) };
  }
  return state;
}

function linesOf(lines: readonly SccLine[], { dropFrame }: { readonly dropFrame: boolean }): string {
  return lines
    .map(({ frame, pairs }) => {
      const words = pairs.map(pair => pair.toString(16).padStart(4, '0')).join(' ');
      return `\n${sccTimecode(frame, { dropFrame })}\t${words}\n`;
    })
    .join('');
}

/** Moves the times of cues by some seconds. */
export function shifted(cues: readonly Cue[], seconds: number): readonly Cue[] {
  return cues.map(cue => ({ ...cue, ts: cue.ts + seconds, endTs: cue.endTs + seconds }));
}
