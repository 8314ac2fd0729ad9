import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../../src/base/seeded.ts';
import type { SpeakerTurn } from '../../../src/engines/diarizer.ts';
import { joined } from '../../helpers/sampleSpeech.ts';

const RATE = 16_000;
/** Loudness that all speakers are brought to, so that it does not give them away. */
const LEVEL = 1500;
const LEAST_TURN_SECONDS = 2;
const MOST_TURN_SECONDS = 8;
/** Turns are cut at the quietest moment this near to where they would be. */
const CUT_SECONDS = 0.5;

export interface Conversation {
  readonly samples: Int16Array;
  /** True turns, where it is louder than the pauses: by level alone, because there are no labels. */
  readonly truth: readonly SpeakerTurn[];
}

/**
 * Reads the speech of each speaker in a directory with 16 kHz mono WAV files and a `manifest.jsonl` of `wav`, `source`, `group`
 * and perhaps `speaker`: without it, those of one source and group are one speaker's. Speakers of less than 5 s are left
 * out.
 */
export function readSpeakers(directory: string): ReadonlyMap<string, Int16Array> {
  const manifest = join(directory, 'manifest.jsonl');
  if (!existsSync(manifest)) return new Map();
  const clips = Map.groupBy(
    readFileSync(manifest, 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { wav: string; source: string; group: string; speaker?: string }),
    ({ speaker, source, group }) => speaker ?? `${source}, ${group}`,
  );
  const speakers = [...clips].map(([speaker, all]) => {
    const speech = joined(...all.map(({ wav }) => readWav(join(directory, wav))));
    return [speaker, levelled(speech)] as const;
  });
  return new Map(speakers.filter(([, speech]) => speech.length >= 5 * RATE));
}

export function readWav(path: string): Int16Array {
  const bytes = readFileSync(path);
  const data = bytes.indexOf('data', 12, 'latin1') + 8;
  return new Int16Array(
    bytes.buffer.slice(bytes.byteOffset + data, bytes.byteOffset + bytes.length - (bytes.length % 2)),
  );
}

/** Turns of 2 to 8 s of some speakers with pauses of 0.1 to 0.6 s between them, until their speech is used up. */
export function conversation(speech: readonly Int16Array[], random: Random, mostSeconds = 120): Conversation {
  const left = [...speech];
  const parts: Int16Array[] = [];
  const truth: SpeakerTurn[] = [];
  const numbers: number[] = [];
  let at = 0;
  let last = -1;
  const add = (part: Int16Array) => {
    parts.push(part);
    at += part.length;
  };
  while (at < mostSeconds * RATE) {
    const able = [...left.keys()].filter(
      index => left[index]!.length >= LEAST_TURN_SECONDS * RATE && (index !== last || speech.length === 1),
    );
    // Those who have not spoken yet come first, so that all of them do.
    const fresh = able.filter(index => !numbers.includes(index));
    const choice = fresh.length > 0 ? fresh : able;
    const next = choice[Math.floor(random() * choice.length)];
    if (next === undefined) break;
    if (!numbers.includes(next)) numbers.push(next);
    const seconds = LEAST_TURN_SECONDS + (MOST_TURN_SECONDS - LEAST_TURN_SECONDS) * random();
    const end = quietest(left[next]!, Math.round(seconds * RATE));
    const turn = left[next]!.subarray(0, end);
    left[next] = left[next]!.subarray(end);
    for (const { from, to } of loudParts(turn)) {
      truth.push({ speaker: numbers.indexOf(next), startFrame: at + from, endFrame: at + to });
    }
    add(turn);
    add(faintNoise(Math.round((0.1 + 0.5 * random()) * RATE), random));
    last = next;
  }
  return { samples: joined(...parts), truth };
}

function levelled(samples: Int16Array): Int16Array {
  const level = rms(samples.filter(sample => Math.abs(sample) > 100));
  return samples.map(sample => Math.max(-32_768, Math.min(32_767, (sample * LEVEL) / level)));
}

function rms(samples: Int16Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length));
}

/** Levels of each 10 ms. */
function levels(samples: Int16Array): number[] {
  const count = Math.floor(samples.length / 160);
  return Array.from({ length: count }, (_, i) => rms(samples.subarray(i * 160, (i + 1) * 160)));
}

function quietest(samples: Int16Array, near: number): number {
  if (samples.length - near < LEAST_TURN_SECONDS * RATE) return samples.length;
  const from = near - CUT_SECONDS * RATE;
  const heard = levels(samples.subarray(from, near + CUT_SECONDS * RATE));
  return from + 160 * heard.indexOf(Math.min(...heard));
}

/** Finds audio less than 32 dB below the loud parts; pauses under 0.3 s count as speech, as in NIST's evaluations. */
function loudParts(samples: Int16Array): readonly { from: number; to: number }[] {
  const heard = levels(samples);
  const loud = heard.toSorted((one, other) => one - other)[Math.floor(heard.length * 0.9)] ?? 0;
  const parts: { from: number; to: number }[] = [];
  for (const [index, level] of heard.entries()) {
    if (level < loud / 40) continue;
    const last = parts.at(-1);
    if (last && index * 160 - last.to < 0.3 * RATE) last.to = (index + 1) * 160;
    else parts.push({ from: index * 160, to: (index + 1) * 160 });
  }
  return parts.filter(({ from, to }) => to - from >= 0.1 * RATE);
}

function faintNoise(frames: number, random: Random): Int16Array {
  return Int16Array.from({ length: frames }, () => Math.round(16 * (random() - 0.5)));
}
