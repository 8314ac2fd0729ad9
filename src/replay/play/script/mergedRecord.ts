import { createHash } from 'node:crypto';
import { CLOSE } from '../../../protocol/closeCodes.ts';
import type { Cassette } from '../../cassette/cassette.ts';
import { AudioClock } from './audioClock.ts';
import type { Cue, Script } from './script.ts';
import { type PlacedCue, type SessionPart, sessionParts, TOLERANCE_SECONDS } from './sessionParts.ts';
import { placedBy, wordsFrom, wordsOfText } from './words.ts';

/** The results for the whole source, from all connections together. */
export interface MergedRecord {
  /** Parts of the session, each of which a client streams over one connection. */
  readonly parts: readonly SessionPart[];
  /**
   * Returns the script of the `index`th connection for audio from a time on: that of a part, else of the rest of the
   * session, without its breaks.
   */
  scriptFrom(startTs: number, index: number, part?: SessionPart): Script;
}

/** Tolerance in seconds between equal times. */
const SAME_SECONDS = 1e-6;

/** Merges the connections of a recording. */
export function mergedRecord(cassette: Cassette): MergedRecord {
  const clock = new AudioClock(cassette.audio?.gaps ?? []);
  const parts = sessionParts(cassette, clock);
  const { startTs = 0, sampleRate = 16_000, originFrame = 0, query = {} } = parts[0] ?? {};
  const baseTs = startTs - originFrame / sampleRate;
  const all = parts.flatMap(({ cues }) => cues);
  const words = all.filter(({ kind }) => kind === 'words');
  const endFrame = Math.max(0, ...parts.map(part => part.endFrame));
  const whole = { query, texts: [], hasEnd: true, isBroken: false, endFrame, cues: words };
  const idText = all.find(({ kind }) => kind === 'connected')?.act;
  return {
    parts,
    scriptFrom(startTs, index, part) {
      const { cues, endFrame, ...script } = part ?? whole;
      const origin = Math.max(0, Math.round((startTs - baseTs) * sampleRate));
      const fromFrame = clock.toAudio(origin);
      const place = { fromFrame, fromSeconds: baseTs + fromFrame / sampleRate, startTs, sampleRate };
      const own = cuesFrom(cues, place);
      const start = part ? [] : [connected(jobIdOf(JSON.stringify(idText), index))];
      const end = script.hasEnd && !own.some(({ kind }) => kind === 'end') ? [endOfInput()] : [];
      return {
        ...{ ...script, startTs, sampleRate },
        audio: clock.pieces(origin, Math.max(origin, endFrame)),
        cues: [...start, ...own, ...end],
      };
    },
  };
}

/** Start of a connection: on the clock of the delivered audio, in frames and seconds, and as its client requests it. */
type Place = Readonly<Record<'fromFrame' | 'fromSeconds' | 'startTs' | 'sampleRate', number>>;

/**
 * Returns cues from a time on: finals that end after it, without earlier words, and partials of utterances that begin
 * after it.
 */
function cuesFrom(cues: readonly PlacedCue[], place: Place): readonly Cue[] {
  const { fromFrame, fromSeconds, startTs, sampleRate } = place;
  const begun = new Set<number>();
  return cues.flatMap(({ utterance, ...recorded }) => {
    const { act } = recorded;
    const cue = { ...recorded, frames: Math.max(0, recorded.frames - fromFrame) };
    const words = act.kind === 'text' ? wordsOfText(act.text) : undefined;
    if (!words || act.kind !== 'text') return [cue];
    if (words.ts < fromSeconds - TOLERANCE_SECONDS) begun.add(utterance);
    const isCut = begun.has(utterance);
    const kept = isCut ? words.type === 'final' && wordsFrom(words, fromSeconds) : words;
    if (!kept) return [];
    const laterSeconds = startTs - fromSeconds;
    const isSame = kept === words && Math.abs(laterSeconds) < SAME_SECONDS;
    const text = isSame ? act.text : JSON.stringify(placedBy(kept, ts => ts + laterSeconds));
    return [{ ...cue, fromFrame: (kept.ts - fromSeconds) * sampleRate, act: { ...act, text } }];
  });
}

function connected(id: string): Cue {
  const text = JSON.stringify({ type: 'connected', id });
  return { kind: 'connected', frames: 0, afterEnd: false, lagMs: 0, act: { kind: 'text', text } };
}

function endOfInput(): Cue {
  return { kind: 'end', frames: 0, afterEnd: true, lagMs: 0, act: { ...CLOSE.endOfInput, kind: 'close' } };
}

/**
 * Returns a job id that differs per connection and is the same in each run. Its 14 hexadecimal digits are letters and
 * digits, as in real ids.
 */
function jobIdOf(id: string, index: number): string {
  return createHash('sha256').update(`${id}/${index}`).digest('hex').slice(0, 14);
}
