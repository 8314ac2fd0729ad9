import { seeded } from '../../../src/base/seeded.ts';
import { createMoonshineRecognizer } from '../../../src/engines/moonshine/recognizer.ts';
import type { RecognizedWord, Recognizer, RecognizerResult } from '../../../src/engines/recognizer.ts';
import { recognizeWhole } from '../../../src/engines/recognizeWhole.ts';
import { piecesOf } from '../../helpers/cutAudio.ts';
import { scoreByRules } from '../parts/scoredText.ts';
import { SAMPLE_RATE, shuffledSpeech } from './parts/liveSpeech.ts';

/** Audio before the seam that the second session hears again, in seconds. */
const CONTEXTS = [0, 0.3, 1];
/** Seams that are measured, out of all possible ones. */
const SEAMS = 30;
/** Audio after a seam that is compared, and that is recognised: no word is judged at the edge. */
const COMPARED_SECONDS = 6;
const HEARD_SECONDS = 8;

/**
 * Compares a recogniser that begins at the end of a final with one that gets all audio: with more or less of the audio
 * before the seam, whose words are dropped.
 */
export async function run(): Promise<void> {
  await using recognizer = createMoonshineRecognizer();
  const { samples } = shuffledSpeech(seeded(1));
  const uncut = await hear(recognizer, samples);
  const ends = uncut.slice(0, -1).map(final => final.endFrame);
  const step = Math.max(1, Math.floor(ends.length / SEAMS));
  const seams = ends.filter((_, index) => index % step === 0);
  const uncutWords = uncut.flatMap(({ words }) => words);
  const rows = [];
  for (const context of CONTEXTS) {
    const total = { words: 0, lost: 0, added: 0, changed: 0 };
    for (const seam of seams) {
      const startFrame = Math.max(0, seam - context * SAMPLE_RATE);
      const audio = samples.subarray(startFrame, seam + HEARD_SECONDS * SAMPLE_RATE);
      const found = (await hear(recognizer, audio))
        .flatMap(({ words }) => words)
        .map(word => moved(word, startFrame));
      const score = scoreByRules(textsBehind(uncutWords, seam), textsBehind(found, seam));
      total.words += score.tokens;
      total.lost += score.deletions;
      total.added += score.insertions;
      total.changed += score.substitutions;
    }
    const differs = total.lost + total.added + total.changed;
    rows.push({
      'context s': context,
      seams: seams.length,
      ...total,
      'differs %': ((100 * differs) / total.words).toFixed(1),
    });
  }
  console.table(rows);
}

async function hear(recognizer: Recognizer, samples: Int16Array): Promise<readonly RecognizerResult[]> {
  return recognizeWhole(await recognizer.open(), piecesOf(samples, SAMPLE_RATE / 10));
}

function moved(word: RecognizedWord, frames: number): RecognizedWord {
  return { ...word, startFrame: word.startFrame + frames, endFrame: word.endFrame + frames };
}

/** The words that stand more behind a seam than before it, for so long as is compared. */
function textsBehind(words: readonly RecognizedWord[], seam: number): readonly string[] {
  return words
    .filter(({ startFrame, endFrame }) => startFrame + endFrame > 2 * seam)
    .filter(({ startFrame }) => startFrame < seam + COMPARED_SECONDS * SAMPLE_RATE)
    .map(({ value }) => value);
}
