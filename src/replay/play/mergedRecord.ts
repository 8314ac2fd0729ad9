import { createHash } from 'node:crypto';
import { CLOSE } from '../../protocol/closeCodes.ts';
import type { Cassette } from '../cassette/cassette.ts';
import { type RecordedScript, recordedScripts } from './recordedScripts.ts';
import type { AudioPiece, Cue, Script } from './script.ts';
import { laterBy, type WordsMessage, wordsFrom, wordsOfMessage } from './words.ts';

/** A word message of any connection, on the clock of the audio that the source gave. */
interface MergedWords {
  /** Audio frames that had been sent when it came. */
  readonly frame: number;
  readonly afterEnd: boolean;
  readonly lagMs: number;
  /** With times on that clock. */
  readonly words: WordsMessage;
  /** Index of the final that ends its utterance. */
  readonly utterance: number;
}

/** What was said of the whole source, whatever connections it took: answers whoever begins anywhere. */
export interface MergedRecord {
  /** What a service says to audio from a moment on, to the `index`th connection. */
  scriptFrom(startTs: number, index: number): Script;
}

/** Half of the unit in which services give times. */
const TOLERANCE_SECONDS = 0.005;

/** Puts the connections of a recording together. */
export function mergedRecord(cassette: Cassette): MergedRecord {
  const scripts = recordedScripts(cassette);
  const { startTs = 0, sampleRate = 16_000, query = {}, originFrame = 0 } = scripts[0] ?? {};
  const baseTs = startTs - originFrame / sampleRate;
  const clock = new AudioClock(cassette.audio?.gaps ?? []);
  const merged = mergedWords(scripts, { baseTs, sampleRate, clock });
  const id = idOf(scripts);
  const totalFrame = Math.max(0, ...scripts.flatMap(({ audio }) => audio.map(endOfPiece)));
  return {
    scriptFrom(startTs, index) {
      const origin = Math.max(0, Math.round((startTs - baseTs) * sampleRate));
      const fromFrame = clock.toAudio(origin);
      return {
        ...{ startTs, sampleRate, query, texts: [], hasEnd: true },
        audio: clock.pieces(origin, totalFrame),
        cues: [
          connected(jobIdOf(id, index)),
          ...wordCues(merged, { fromFrame, fromSeconds: fromFrame / sampleRate, startTs, sampleRate }),
          endOfInput(),
        ],
      };
    },
  };
}

/** Without the frames that the source left out. */
class AudioClock {
  readonly #gaps: readonly { readonly startFrame: number; readonly frames: number }[];

  constructor(gaps: readonly { readonly startFrame: number; readonly frames: number }[]) {
    this.#gaps = gaps;
  }

  toAudio(sourceFrame: number): number {
    const before = (frame: number) => Math.max(0, sourceFrame - frame);
    return this.#gaps.reduce(
      (frame, gap) => frame - Math.min(gap.frames, before(gap.startFrame)),
      sourceFrame,
    );
  }

  /** What the source gave between two of its frames. */
  pieces(startFrame: number, endFrame: number): readonly AudioPiece[] {
    const pieces: AudioPiece[] = [];
    let at = startFrame;
    for (const gap of [...this.#gaps, { startFrame: endFrame, frames: 0 }]) {
      if (gap.startFrame > at) pieces.push({ kind: 'source', start: at, frames: gap.startFrame - at });
      at = Math.max(at, gap.startFrame + gap.frames);
    }
    return pieces;
  }
}

interface MergeTime {
  readonly baseTs: number;
  readonly sampleRate: number;
  readonly clock: AudioClock;
}

function mergedWords(scripts: readonly RecordedScript[], time: MergeTime): readonly MergedWords[] {
  const all: MergedWords[] = [];
  let utterance = 0;
  for (const [index, script] of scripts.entries()) {
    const { startTs, sampleRate, cues, originFrame } = script;
    const origin = time.clock.toAudio(originFrame);
    // What a later connection heard again is what it says.
    const until = scripts[index + 1] ? time.clock.toAudio(scripts[index + 1]!.originFrame) : Infinity;
    const pads = padsOf(script);
    for (const { kind, act, frames, afterEnd, lagMs } of cues) {
      const words =
        kind === 'words' && act.kind === 'text' ? wordsOfMessage(JSON.parse(act.text)) : undefined;
      if (!words) continue;
      const start = (words.ts - startTs) * sampleRate;
      const seconds = (origin - padsBefore(pads, start)) / sampleRate - startTs;
      const onClock = laterBy(words, seconds);
      if ((onClock.ts + TOLERANCE_SECONDS) * sampleRate >= until) continue;
      const frame = origin + frames - padsBefore(pads, frames);
      all.push({
        frame,
        afterEnd: afterEnd && index === scripts.length - 1,
        lagMs,
        words: onClock,
        utterance,
      });
      if (words.type === 'final') utterance++;
    }
    // Words that nobody made final are of no utterance of the next connection.
    utterance++;
  }
  return all;
}

interface Pad {
  readonly atFrame: number;
  readonly frames: number;
}

function padsOf({ audio }: Script): readonly Pad[] {
  let at = 0;
  return audio.flatMap(({ kind, frames }) => {
    const pad = { atFrame: at, frames };
    at += frames;
    return kind === 'silence' ? [pad] : [];
  });
}

/** Frames of silence before a frame of a connection that its source does not have. */
function padsBefore(pads: readonly Pad[], frame: number): number {
  return pads.reduce((sum, pad) => sum + Math.max(0, Math.min(pad.frames, frame - pad.atFrame)), 0);
}

interface Place {
  readonly fromFrame: number;
  readonly fromSeconds: number;
  readonly startTs: number;
  readonly sampleRate: number;
}

/** Finals that end after a moment, without their words before it; partials of utterances that begin after it. */
function wordCues(merged: readonly MergedWords[], place: Place): readonly Cue[] {
  const { fromFrame, fromSeconds, startTs, sampleRate } = place;
  const begun = new Set<number>();
  for (const { words, utterance } of merged) {
    if (words.ts < fromSeconds - TOLERANCE_SECONDS) begun.add(utterance);
  }
  return merged.flatMap(({ frame, afterEnd, lagMs, words, utterance }) => {
    const isCut = begun.has(utterance);
    const kept = isCut ? words.type === 'final' && wordsFrom(words, fromSeconds) : words;
    if (!kept) return [];
    const later = laterBy(kept, startTs - fromSeconds);
    return [
      {
        ...{ kind: 'words' as const, frames: Math.max(0, frame - fromFrame), afterEnd, lagMs },
        fromFrame: (kept.ts - fromSeconds) * sampleRate,
        act: { kind: 'text' as const, text: JSON.stringify(later) },
      },
    ];
  });
}

function connected(id: string): Cue {
  const text = JSON.stringify({ type: 'connected', id });
  return { kind: 'connected', frames: 0, afterEnd: false, lagMs: 0, act: { kind: 'text', text } };
}

function endOfInput(): Cue {
  const { code, reason } = CLOSE.endOfInput;
  return { kind: 'end', frames: 0, afterEnd: true, lagMs: 0, act: { kind: 'close', code, reason } };
}

function endOfPiece(piece: AudioPiece): number {
  return piece.kind === 'source' ? piece.start + piece.frames : 0;
}

/** Job id of the first connection. */
function idOf(scripts: readonly Script[]): string {
  for (const { kind, act } of scripts.flatMap(({ cues }) => cues)) {
    if (kind === 'connected' && act.kind === 'text')
      return String((JSON.parse(act.text) as { id?: unknown }).id);
  }
  return '';
}

/** Another one for each connection, the same each time: 14 hexadecimal digits are letters and digits as ids have them. */
function jobIdOf(id: string, index: number): string {
  return createHash('sha256').update(`${id}/${index}`).digest('hex').slice(0, 14);
}
