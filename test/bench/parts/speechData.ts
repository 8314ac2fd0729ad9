import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Speech at 16 kHz with the words spoken in it. */
export interface SpokenRecording {
  readonly name?: string;
  readonly samples: Int16Array;
  readonly words: readonly string[];
  /** Times of the words by hand, in seconds. */
  readonly times?: readonly { readonly start: number; readonly end: number }[];
}

/**
 * Reads recordings for measurement that are not part of the project: the directory `RXSCRIBE_SPEECH_DATA` with
 * `manifest.jsonl`, a line each of `wav`, `ref` and perhaps `words`, a file of manual [start, end, word].
 */
export function speechData(): readonly SpokenRecording[] {
  const directory = process.env.RXSCRIBE_SPEECH_DATA;
  if (!directory) return [];
  const read = (name: string) => readFileSync(join(directory, name));
  const lines = read('manifest.jsonl').toString().trim().split('\n');
  return lines
    .map(line => JSON.parse(line) as { wav: string; ref: string; words?: string })
    .map(({ wav, ref, words }) => {
      const samples = samplesIn(read(wav));
      if (!words) return { name: wav, samples, words: ref.split(' ') };
      const byHand = (JSON.parse(read(words).toString()) as [number, number, string][]).filter(
        ([, , word]) => word !== '',
      );
      return {
        name: wav,
        samples,
        words: byHand.map(([, , word]) => word),
        times: byHand.map(([start, end]) => ({ start, end })),
      };
    });
}

function samplesIn(wav: Buffer): Int16Array {
  const data = wav.indexOf('data', 12, 'latin1') + 8;
  const even = wav.length - ((wav.length - data) % 2);
  return new Int16Array(wav.buffer.slice(wav.byteOffset + data, wav.byteOffset + even));
}
