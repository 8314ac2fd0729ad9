import { entryBeside, startWork } from '../process/work.ts';
import { quietestFrame } from '../voice/quietestFrame.ts';
import { VOICE_SAMPLE_RATE } from '../voice/voiceDetector.ts';
import type { LanguageMethods } from './child.ts';
import { WORD_LANGUAGES } from './soundingWords.ts';
import type { TimedWordFit } from './wordLoopDecoder.ts';

/** Speech that is compared at a time: enough for many decisions. */
const PART_FRAMES = 4 * VOICE_SAMPLE_RATE;
/** Range around the end of a part, which is at its quietest frame. */
const CUT_FRAMES = 0.5 * VOICE_SAMPLE_RATE;
/** A rest below this is compared with the last part. */
const LEAST_REST_FRAMES = 2 * VOICE_SAMPLE_RATE;

/** Fits by language. */
type Fits = Readonly<Record<string, TimedWordFit>>;

export interface CompareLanguagesOptions {
  readonly signal?: AbortSignal;
  /**
   * Called after each part of some 4 s of the speech but the last. Returns languages that need no further comparison;
   * with one language left, the rest of the speech is not compared. Default: none.
   */
  readonly ruledOut?: (heard: Fits) => readonly string[];
}

/**
 * Returns how well the words of each language explain speech, mono at 16 kHz. A child process does the work; aborting
 * kills it.
 *
 * @throws RxscribeError `engine-failed`; the signal's reason
 */
export async function compareLanguages(
  samples: Int16Array,
  { signal, ruledOut = () => [] }: CompareLanguagesOptions = {},
): Promise<Fits> {
  signal?.throwIfAborted();
  const work = startWork<LanguageMethods>(entryBeside(import.meta, 'child'), { task: 'compare languages' });
  try {
    const channel = work.openChannel();
    let languages: readonly string[] = WORD_LANGUAGES;
    let heard: Fits = {};
    for (let from = 0; from < samples.length && languages.length > 1; ) {
      const to = endOfPart(samples, from);
      const found = await channel.call('compare', [samples.slice(from, to), languages], { signal });
      heard = joinFits(heard, found, to / samples.length);
      if (to < samples.length) {
        const out = ruledOut(heard);
        languages = languages.filter(language => !out.includes(language));
      }
      from = to;
    }
    return heard;
  } finally {
    await work.kill();
  }
}

function endOfPart(samples: Int16Array, from: number): number {
  const end = from + PART_FRAMES;
  if (samples.length - end < LEAST_REST_FRAMES) return samples.length;
  return quietestFrame(samples, end - CUT_FRAMES, end + CUT_FRAMES);
}

/** Returns the fits to a part of the speech and to the parts before, which together are a share of it. */
function joinFits(earlier: Fits, later: Fits, share: number): Fits {
  const joined = Object.entries(later).map(([language, fit]): [string, TimedWordFit] => {
    const { score, words, ticks } = earlier[language] ?? { score: 0, words: 0, ticks: 0 };
    const total = ticks + fit.ticks;
    const mean = total === 0 ? 0 : (score * ticks + fit.score * fit.ticks) / total;
    return [language, { score: mean, words: words + fit.words, ticks: total, share }];
  });
  return { ...earlier, ...Object.fromEntries(joined) };
}
