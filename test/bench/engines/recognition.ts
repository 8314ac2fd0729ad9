import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram } from '../../../src/audio/program.ts';
import { createPocketSphinxRecognizer } from '../../../src/engines/pocketsphinx/recognizer.ts';
import type { Recognizer, RecognizerResult } from '../../../src/engines/recognizer.ts';
import { scoreWords } from '../../../src/transcript/scoring.ts';
import { cpuSecondsOf } from '../../helpers/cpuSeconds.ts';
import { readSampleText } from '../../helpers/sampleSpeech.ts';

const PROGRAM = 'pocketsphinx_continuous';
const SAMPLES = new URL('../../../samples/', import.meta.url);
/** More speech: a directory with 16 kHz mono WAV files and a `manifest.jsonl` of `wav`, `ref` (the words) and `group`. */
const SPEECH_DATA = process.env.RXSCRIBE_SPEECH_DATA;

/** A recording with what is said in it: 16 kHz mono 16-bit WAV. */
interface Recording {
  readonly set: string;
  readonly path: string;
  readonly reference: readonly string[];
}

/** The words that are heard in a file; without a file, what it costs to get ready. */
type Way = (path?: string) => Promise<readonly string[]>;

/** Word error rate and processor time of our sessions next to the engine's own program. */
export async function run(): Promise<void> {
  await using recognizer = createPocketSphinxRecognizer({ spareDecoders: 0 });
  const ways: Record<string, Way> = {
    'rxscribe, live': path => live(recognizer, samplesOf(path)),
    'rxscribe, whole': async path => wordsOf(await recognizer.recognize([samplesOf(path)])),
  };
  if (findProgram(PROGRAM)) {
    ways[PROGRAM] = async path => ownProgram(path);
    ways[`${PROGRAM} -fwdflat no`] = async path => ownProgram(path, '-fwdflat', 'no');
  }
  const recordings = [...samples(), ...speechData()];
  const rows: (Record<string, string | number> & { readonly set: string })[] = [];
  for (const [way, recognize] of Object.entries(ways)) {
    const loading = await cpuSecondsOf(() => recognize());
    for (const set of new Set(recordings.map(recording => recording.set))) {
      const chosen = recordings.filter(recording => recording.set === set);
      rows.push({ set, way, ...(await measure(chosen, recognize, loading)) });
    }
  }
  rows.sort((one, other) => one.set.localeCompare(other.set));
  console.table(rows);
}

async function measure(
  recordings: readonly Recording[],
  recognize: Way,
  loadingSeconds: number,
): Promise<Record<string, number>> {
  let [errors, words, cpuSeconds, seconds] = [0, 0, 0, 0];
  for (const { path, reference } of recordings) {
    let heard: readonly string[] = [];
    cpuSeconds -= loadingSeconds;
    cpuSeconds += await cpuSecondsOf(async () => {
      heard = await recognize(path);
    });
    const score = scoreWords(reference.map(spelled), heard.map(spelled));
    errors += score.substitutions + score.deletions + score.insertions;
    words += score.words;
    seconds += samplesOf(path).length / 16_000;
  }
  return {
    words,
    'WER %': Math.round((1000 * errors) / words) / 10,
    'CPU / real time': Math.round((1000 * cpuSeconds) / seconds) / 1000,
  };
}

async function live(recognizer: Recognizer, samples: Int16Array): Promise<readonly string[]> {
  await using session = await recognizer.open();
  const finals: RecognizerResult[] = [];
  session.results$.subscribe(result => void (result.type === 'final' && finals.push(result)));
  for (let at = 0; at < samples.length; at += 1600) await session.write(samples.subarray(at, at + 1600));
  await session.finish();
  return wordsOf(finals);
}

function ownProgram(path = '/dev/null', ...options: readonly string[]): readonly string[] {
  const args = ['-infile', path, '-logfn', '/dev/null', ...options];
  return execFileSync(PROGRAM, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    .split(/\s+/)
    .filter(word => word !== '');
}

function wordsOf(finals: readonly RecognizerResult[]): readonly string[] {
  return finals.flatMap(final => final.words.map(word => word.value));
}

/** The dictionary writes titles short. */
function spelled(word: string): string {
  return { mr: 'mister', mrs: 'missus', dr: 'doctor' }[word] ?? word;
}

function samplesOf(path?: string): Int16Array {
  if (path === undefined) return new Int16Array(0);
  const bytes = readFileSync(path);
  const data = bytes.indexOf('data', 12, 'latin1') + 8;
  return new Int16Array(
    bytes.buffer.slice(bytes.byteOffset + data, bytes.byteOffset + bytes.length - (bytes.length % 2)),
  );
}

function samples(): Recording[] {
  const name = 'sense-and-sensibility';
  const path = fileURLToPath(new URL(`${name}.wav`, SAMPLES));
  return [{ set: 'samples', path, reference: readSampleText(name) }];
}

/** Recordings for measurement that are no part of the project. */
function speechData(): Recording[] {
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
