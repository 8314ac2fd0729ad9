import { createHash } from 'node:crypto';
import { CLOSE } from '../../../protocol/closeCodes.ts';
import type { Cassette } from '../../cassette/cassette.ts';
import { messageEvent } from '../../cassette/cassetteLines.ts';
import { AudioClock } from './audioClock.ts';
import { type RecordedScript, recordedScripts } from './recordedScripts.ts';
import { type AudioPiece, type Cue, framesOfPieces, type Script } from './script.ts';
import { laterBy, type WordsMessage, wordsFrom, wordsOfText } from './words.ts';

/** A message with words from any connection, on the clock of the delivered audio. */
interface MergedWords {
  /** Frames of audio that had been sent when it arrived. */
  readonly frame: number;
  readonly afterEnd: boolean;
  readonly lagMs: number;
  /** Index of its connection, and whether it came after the end of the stream there. */
  readonly connection: number;
  readonly afterOwnEnd: boolean;
  /** Words with times on that clock. */
  readonly words: WordsMessage;
  /** Index of the utterance, by finals. */
  readonly utterance: number;
}

/** The results for the whole source, from all connections together, for a client that begins at any point. */
export interface MergedRecord {
  /** Returns the script of the `index`th connection for audio from a time on. */
  scriptFrom(startTs: number, index: number): Script;
  /** Returns the cues of the `index`th recorded connection for audio that was sent on later connections. */
  cuesBeyond(index: number): readonly Cue[];
}

/** Half of the resolution of times from services. */
const TOLERANCE_SECONDS = 0.005;

/** Merges the connections of a recording. */
export function mergedRecord(cassette: Cassette): MergedRecord {
  const scripts = recordedScripts(cassette);
  const { startTs = 0, sampleRate = 16_000, query = {}, originFrame = 0 } = scripts[0] ?? {};
  const baseTs = startTs - originFrame / sampleRate;
  const clock = new AudioClock(cassette.audio?.gaps ?? []);
  const merged = mergedWords(scripts, clock);
  const id = idOf(scripts);
  const pieces = scripts.flatMap(({ audio }) => audio);
  const totalFrame = pieces.reduce((end, piece) => Math.max(end, endOfPiece(piece)), 0);
  return {
    scriptFrom(startTs, index) {
      const origin = Math.max(0, Math.round((startTs - baseTs) * sampleRate));
      const fromFrame = clock.toAudio(origin);
      return {
        startTs,
        sampleRate,
        query,
        texts: [],
        hasEnd: true,
        audio: clock.pieces(origin, totalFrame),
        cues: [
          connected(jobIdOf(id, index)),
          ...wordCues(merged, { fromFrame, fromSeconds: fromFrame / sampleRate, startTs, sampleRate }),
          endOfInput(),
        ],
      };
    },
    cuesBeyond(index) {
      const { audio, originFrame, startTs, sampleRate, cues } = scripts[index]!;
      const placeOf = clock.placesOf(audio, originFrame);
      const frames = framesOfPieces(audio);
      // The clock of the connection, without silence that only it was sent.
      const fromFrame = placeOf(frames) - frames;
      // The next connection may have received audio again for which this one already had a final.
      const saidFrame = placeOf((lastFinalEnd(cues) - startTs - TOLERANCE_SECONDS) * sampleRate);
      const isLeft = ({ connection, afterOwnEnd, words }: MergedWords) =>
        (connection > index || (connection === index && afterOwnEnd)) && words.ts * sampleRate >= saidFrame;
      const place = { fromFrame, fromSeconds: fromFrame / sampleRate, startTs, sampleRate };
      return [...wordCues(merged.filter(isLeft), place), endOfInput()];
    },
  };
}

function mergedWords(scripts: readonly RecordedScript[], clock: AudioClock): readonly MergedWords[] {
  const all: MergedWords[] = [];
  let utterance = 0;
  for (const [index, script] of scripts.entries()) {
    const { startTs, sampleRate, cues, audio, originFrame } = script;
    const placeOf = clock.placesOf(audio, originFrame);
    const next = scripts[index + 1];
    // Audio that a later connection received again has the results of that connection.
    const endFrame = next ? clock.placesOf(next.audio, next.originFrame)(0) : Number.POSITIVE_INFINITY;
    for (const { kind, act, frames, afterEnd, lagMs } of cues) {
      const found = kind === 'words' && act.kind === 'text' && wordsOfText(act.text);
      if (!found) continue;
      const seconds = placeOf((found.ts - startTs + TOLERANCE_SECONDS) * sampleRate) / sampleRate;
      if (seconds * sampleRate >= endFrame) continue;
      const words = laterBy(found, seconds - TOLERANCE_SECONDS - found.ts);
      const isLast = index === scripts.length - 1;
      all.push({
        frame: placeOf(frames),
        afterEnd: afterEnd && isLast,
        lagMs,
        words,
        utterance,
        connection: index,
        afterOwnEnd: afterEnd,
      });
      if (words.type === 'final') utterance++;
    }
    // Partials without a final do not belong to an utterance of the next connection.
    utterance++;
  }
  return all;
}

/** Returns the end of the last final before the end of the stream, on the clock of its connection. */
function lastFinalEnd(cues: readonly Cue[]): number {
  for (const { afterEnd, kind, act } of cues.toReversed()) {
    const words = !afterEnd && kind === 'words' && act.kind === 'text' ? wordsOfText(act.text) : undefined;
    if (words?.type === 'final') return words.end_ts;
  }
  return Number.NEGATIVE_INFINITY;
}

interface Place {
  readonly fromFrame: number;
  readonly fromSeconds: number;
  readonly startTs: number;
  readonly sampleRate: number;
}

/**
 * Returns cues from a time on: finals that end after it, without earlier words, and partials of utterances that begin
 * after it.
 */
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
        kind: 'words' as const,
        frames: Math.max(0, frame - fromFrame),
        afterEnd,
        lagMs,
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

/** Returns the job id of the first connection. */
function idOf(scripts: readonly Script[]): string {
  for (const { act } of scripts.flatMap(({ cues }) => cues)) {
    const event = act.kind === 'text' ? messageEvent(act.text) : undefined;
    if (event?.type === 'connected') return event.id;
  }
  return '';
}

/**
 * Returns a job id that differs per connection and is the same in each run. Its 14 hexadecimal digits are letters and
 * digits, as in real ids.
 */
function jobIdOf(id: string, index: number): string {
  return createHash('sha256').update(`${id}/${index}`).digest('hex').slice(0, 14);
}
