import { createDecoder, SAMPLE_RATE } from '../../../src/engines/pocketsphinx/decoder.ts';
import { loadLibrary } from '../../../src/engines/pocketsphinx/library.ts';
import { locatePocketSphinx } from '../../../src/engines/pocketsphinx/locate.ts';
import { Utterances } from '../../../src/engines/pocketsphinx/utterances.ts';
import { createEndpointer, DEFAULT_ENDPOINTER_OPTIONS } from '../../../src/engines/voice/endpointer.ts';
import { createVoiceDetector, VOICE_WINDOW_FRAMES } from '../../../src/engines/voice/voiceDetector.ts';
import { quantile } from '../../helpers/quantile.ts';
import { joined, silence } from '../../helpers/sampleSpeech.ts';
import { samplesOf, speechRecordings } from '../../helpers/speechRecordings.ts';

/** Processor time that a moment of audio takes, at which something is said, and what that is. */
interface Told {
  readonly type: 'partial' | 'final';
  /** Seconds: of audio since the first word began, and since the last one ended. */
  readonly sinceStart: number;
  readonly sinceEnd: number;
  readonly cpuSeconds: number;
}

/**
 * How soon words are shown and are final: the audio that has to be heard, and the processor time of the answer, next to
 * what no recogniser that waits for a pause could be faster than. The sum is the delay where the machine keeps up.
 */
export async function run(): Promise<void> {
  const told = (await Promise.all(speechRecordings().map(each => hear(samplesOf(each))))).flat();
  const first = told.filter(({ type }, index) => type === 'partial' && told[index - 1]?.type !== 'partial');
  const finals = told.filter(({ type }) => type === 'final');
  const rows = [
    ...rowsOf('first word to first partial', 'some of the word', first, each => each.sinceStart),
    ...rowsOf(
      'last word to final',
      `the pause: ${DEFAULT_ENDPOINTER_OPTIONS.pauseSeconds}`,
      finals,
      each => each.sinceEnd,
    ),
  ];
  console.table(rows);
}

function rowsOf(what: string, floor: string, told: readonly Told[], secondsOf: (told: Told) => number) {
  const figures = (values: readonly number[]) => ({
    p50: rounded(quantile(values, 0.5)),
    p95: rounded(quantile(values, 0.95)),
    longest: rounded(quantile(values, 1)),
  });
  return [
    { what, s: 'audio', n: told.length, ...figures(told.map(secondsOf)), floor },
    { what, s: 'CPU', n: told.length, ...figures(told.map(each => each.cpuSeconds)), floor: '' },
  ];
}

/** What is told of a recording with silence after it, a window at a time. */
async function hear(samples: Int16Array): Promise<readonly Told[]> {
  const files = await locatePocketSphinx();
  const library = loadLibrary(files.libraries);
  library.err_set_logfile('/dev/null');
  using decoder = createDecoder(library, files.model, 'live');
  using detector = await createVoiceDetector();
  const told: Told[] = [];
  const audio = joined(samples, silence(1));
  let now = 0;
  let begun = process.cpuUsage();
  const utterances = new Utterances(decoder, {
    endpointer: createEndpointer({ detector }),
    maxSegmentFrames: 30 * SAMPLE_RATE,
    alternatives: 0,
    emit({ type, words, startFrame, endFrame }) {
      if (words.length === 0) return;
      const { user, system } = process.cpuUsage(begun);
      told.push({
        type,
        sinceStart: (now - startFrame) / SAMPLE_RATE,
        sinceEnd: (now - endFrame) / SAMPLE_RATE,
        cpuSeconds: (user + system) / 1e6,
      });
    },
  });
  for (let at = 0; at < audio.length; at += VOICE_WINDOW_FRAMES) {
    const window = audio.subarray(at, at + VOICE_WINDOW_FRAMES);
    now = at + window.length;
    begun = process.cpuUsage();
    utterances.write(window);
  }
  return told;
}

function rounded(seconds: number): number {
  return Math.round(1000 * seconds) / 1000;
}
