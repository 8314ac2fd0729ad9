import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readSampleText } from './sampleSpeech.ts';

const SAMPLES = new URL('../../samples/', import.meta.url);
/** More speech: a directory with 16 kHz mono WAV files and a `manifest.jsonl` of `wav`, `ref` (the words) and `group`. */
const SPEECH_DATA = process.env.RXSCRIBE_SPEECH_DATA;

/** A recording with what is said in it: 16 kHz mono 16-bit WAV. */
export interface SpeechRecording {
  readonly set: string;
  readonly path: string;
  readonly reference: readonly string[];
}

/** The recordings to measure with: the samples, and those of the directory `RXSCRIBE_SPEECH_DATA` if that is set. */
export function speechRecordings(): readonly SpeechRecording[] {
  const name = 'sense-and-sensibility';
  const path = fileURLToPath(new URL(`${name}.wav`, SAMPLES));
  return [{ set: 'samples', path, reference: readSampleText(name) }, ...speechData()];
}

/** Recordings for measurement that are no part of the project. */
function speechData(): SpeechRecording[] {
  if (!SPEECH_DATA) return [];
  const lines = readFileSync(join(SPEECH_DATA, 'manifest.jsonl'), 'utf8').trim().split('\n');
  return lines
    .map(line => JSON.parse(line) as { wav: string; ref: string; group: string })
    .map(({ wav, ref, group }) => ({
      set: group,
      path: join(SPEECH_DATA, wav),
      reference: ref.split(' '),
    }));
}

/** The samples of a recording. */
export function samplesOf({ path }: SpeechRecording): Int16Array {
  const bytes = readFileSync(path);
  const data = bytes.indexOf('data', 12, 'latin1') + 8;
  return new Int16Array(
    bytes.buffer.slice(bytes.byteOffset + data, bytes.byteOffset + bytes.length - (bytes.length % 2)),
  );
}
