import { execFileSync } from 'node:child_process';
import { findProgram } from '../../../src/audio/program.ts';
import { createPocketSphinxRecognizer } from '../../../src/engines/pocketsphinx/recognizer.ts';
import type { Recognizer, RecognizerResult } from '../../../src/engines/recognizer.ts';
import { recognizeWhole } from '../../../src/engines/recognizeWhole.ts';
import { scoreWords } from '../../../src/replay/score/scoreWords.ts';
import { cpuSecondsOf } from '../../helpers/cpuSeconds.ts';
import { type SpeechRecording, samplesOf, speechRecordings } from '../../helpers/speechRecordings.ts';

/** The engine's own program, of Debian's `pocketsphinx`. */
const PROGRAM = 'pocketsphinx_continuous';
/** How we have it decode streams; without options it decodes as we do whole recordings. */
const LIVE_OPTIONS = ['-fwdflat', 'no', '-maxhmmpf', '10000'];

/** The words that are heard in a recording; without one, what it costs to get ready. */
type Way = (recording?: SpeechRecording) => Promise<readonly string[]>;

/** Word error rate and processor time of our sessions, next to the engine's own program. */
export async function run(): Promise<void> {
  await using recognizer = createPocketSphinxRecognizer({ spareDecoders: 0 });
  const ways: Record<string, Way> = {
    'live: rxscribe': recording => live(recognizer, recording),
    'whole: rxscribe': async recording => wordsOf(await recognizer.recognize(piecesOf(recording))),
  };
  if (findProgram(PROGRAM)) {
    ways[`live: ${PROGRAM}`] = async recording => ownProgram(recording, LIVE_OPTIONS);
    ways[`whole: ${PROGRAM}`] = async recording => ownProgram(recording, []);
  } else {
    console.log(`without ${PROGRAM} (Debian: pocketsphinx) there is nothing to compare with`);
  }
  const recordings = speechRecordings();
  const sets = [...new Set(recordings.map(recording => recording.set))];
  const rows = [];
  for (const [way, recognize] of Object.entries(ways).sort()) {
    const loadingSeconds = await cpuSecondsOf(() => recognize());
    const tallies = new Map<string, Tally>();
    for (const set of sets) {
      const chosen = recordings.filter(recording => recording.set === set);
      tallies.set(set, await measure(chosen, recognize, loadingSeconds));
    }
    if (sets.length > 1) tallies.set('all', sum([...tallies.values()]));
    for (const [set, tally] of tallies) rows.push({ set, way, ...figuresOf(tally) });
  }
  rows.sort((one, other) => one.set.localeCompare(other.set));
  console.table(rows);
}

interface Tally {
  readonly errors: number;
  readonly words: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

function sum(tallies: readonly Tally[]): Tally {
  const total = (field: keyof Tally) => tallies.reduce((all, tally) => all + tally[field], 0);
  return {
    errors: total('errors'),
    words: total('words'),
    seconds: total('seconds'),
    cpuSeconds: total('cpuSeconds'),
  };
}

async function measure(
  recordings: readonly SpeechRecording[],
  recognize: Way,
  loadingSeconds: number,
): Promise<Tally> {
  const tallies: Tally[] = [];
  for (const recording of recordings) {
    let heard: readonly string[] = [];
    const cpuSeconds = await cpuSecondsOf(async () => {
      heard = await recognize(recording);
    });
    const score = scoreWords(recording.reference.map(spelled), heard.map(spelled));
    tallies.push({
      errors: score.substitutions + score.deletions + score.insertions,
      words: score.tokens,
      seconds: samplesOf(recording).length / 16_000,
      cpuSeconds: cpuSeconds - loadingSeconds,
    });
  }
  return sum(tallies);
}

function figuresOf({ errors, words, seconds, cpuSeconds }: Tally) {
  return {
    words,
    'WER %': Math.round((1000 * errors) / words) / 10,
    'CPU / real time': Math.round((1000 * cpuSeconds) / seconds) / 1000,
  };
}

async function live(recognizer: Recognizer, recording?: SpeechRecording): Promise<readonly string[]> {
  return wordsOf(await recognizeWhole(await recognizer.open(), piecesOf(recording)));
}

/** A tenth of a second at a time, as streams come. */
function* piecesOf(recording?: SpeechRecording): Generator<Int16Array> {
  const samples = recording ? samplesOf(recording) : new Int16Array(0);
  for (let at = 0; at < samples.length; at += 1600) yield samples.subarray(at, at + 1600);
}

function ownProgram(recording: SpeechRecording | undefined, options: readonly string[]): readonly string[] {
  const args = ['-infile', recording?.path ?? '/dev/null', '-logfn', '/dev/null', ...options];
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
