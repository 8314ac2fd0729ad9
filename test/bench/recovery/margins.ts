import { type Random, seeded } from '../../../src/base/seeded.ts';
import { createMoonshineRecognizer } from '../../../src/engines/moonshine/recognizer.ts';
import type { RecognizedWord, Recognizer } from '../../../src/engines/recognizer.ts';
import { recognizeWhole } from '../../../src/engines/recognizeWhole.ts';
import type { WordScore } from '../../../src/replay/score/scoreWords.ts';
import type { FinalEvent } from '../../../src/transcript/model/events.ts';
import type { Transcript, TranscriptElement } from '../../../src/transcript/model/model.ts';
import { spliceRepair } from '../../../src/transcript/repair/spliceRepair.ts';
import { piecesOf } from '../../helpers/cutAudio.ts';
import { percentOf, scoreByRules, tallyErrors } from '../parts/scoredText.ts';
import { SAMPLE_RATE, shuffledSpeech } from './parts/liveSpeech.ts';

/** Audio on both sides of a hole that its job hears as well, in seconds. */
const MARGINS = [0, 0.5, 1, 2, 4];
const HOLE_SECONDS = 6;
/** One hole somewhere in each span of so long. */
const SPAN_SECONDS = 14;

interface Span {
  readonly ts: number;
  readonly endTs: number;
}

/**
 * Repairs holes that begin and end anywhere in real speech, with margins of different lengths. Compares the whole
 * transcript with the reference, and the words of the holes with those of the transcript without holes.
 */
export async function run(): Promise<void> {
  await using recognizer = createMoonshineRecognizer();
  const { samples, reference } = shuffledSpeech(seeded(1));
  const uncut = wordsOf(await hear(recognizer, samples));
  const rounds = [2, 3].map(seed => holesIn(samples.length / SAMPLE_RATE, seeded(seed)));
  const rows: object[] = [{ margin: 'not cut', ...errorsOf([scoreByRules(reference, textsOf(uncut))]) }];
  for (const margin of MARGINS) {
    const whole: WordScore[] = [];
    const within: WordScore[] = [];
    for (const holes of rounds) {
      const repaired: Heard[] = [];
      for (const hole of holes) {
        const words = await repairOf(hole, margin);
        within.push(scoreByRules(textsOf(uncut.filter(word => isIn(word, hole))), textsOf(words)));
        repaired.push(...words);
      }
      const outside = uncut.filter(word => !holes.some(hole => isIn(word, hole)));
      const all = [...outside, ...repaired].toSorted((one, other) => one.ts - other.ts);
      whole.push(scoreByRules(reference, textsOf(all)));
    }
    rows.push({ margin, ...errorsOf(whole), holes: within.length, ...differencesOf(within) });
  }
  console.table(rows);

  async function repairOf({ ts, endTs }: Span, margin: number): Promise<readonly Heard[]> {
    const from = Math.max(0, ts - margin);
    const cut = samples.subarray(Math.round(from * SAMPLE_RATE), Math.round((endTs + margin) * SAMPLE_RATE));
    const outside = uncut.filter(word => !isIn(word, { ts, endTs }));
    const beside = outside.filter(word => word.endTs > from && word.ts < endTs + margin).map(finalOf);
    return wordsOf(spliceRepair(await hear(recognizer, cut), { ts, endTs, audioTs: from, beside }));
  }
}

type Heard = Span & { readonly text: string };

async function hear(recognizer: Recognizer, samples: Int16Array): Promise<Transcript> {
  const results = await recognizeWhole(await recognizer.open(), piecesOf(samples, SAMPLE_RATE / 10));
  return { monologues: [{ speaker: 0, elements: results.flatMap(({ words }) => words.map(elementOf)) }] };
}

function elementOf({ value, startFrame, endFrame }: RecognizedWord): TranscriptElement {
  return { type: 'text', value, ts: startFrame / SAMPLE_RATE, endTs: endFrame / SAMPLE_RATE };
}

function wordsOf(transcript: Transcript | Transcript['monologues']): readonly Heard[] {
  const monologues = 'monologues' in transcript ? transcript.monologues : transcript;
  return monologues.flatMap(({ elements }) =>
    elements.flatMap(element =>
      element.type === 'text' ? [{ text: element.value, ts: element.ts!, endTs: element.endTs! }] : [],
    ),
  );
}

function finalOf({ text, ts, endTs }: Heard): FinalEvent {
  return { type: 'final', ts, endTs, elements: [{ type: 'text', value: text, ts, endTs }] };
}

function holesIn(seconds: number, random: Random): readonly Span[] {
  return Array.from({ length: Math.floor(seconds / SPAN_SECONDS) }, (_, index) => {
    const ts = index * SPAN_SECONDS + random() * (SPAN_SECONDS - HOLE_SECONDS);
    return { ts, endTs: ts + HOLE_SECONDS };
  });
}

function isIn(word: Span, { ts, endTs }: Span): boolean {
  const middle = (word.ts + word.endTs) / 2;
  return middle >= ts && middle < endTs;
}

const textsOf = (words: readonly Heard[]) => words.map(({ text }) => text);

function errorsOf(scores: readonly WordScore[]) {
  return { 'word errors %': percentOf(tallyErrors(scores)) };
}

/** From the words that are heard there without holes. */
function differencesOf(scores: readonly WordScore[]) {
  return {
    words: sumOf(scores, score => score.tokens),
    lost: sumOf(scores, score => score.deletions),
    added: sumOf(scores, score => score.insertions),
    changed: sumOf(scores, score => score.substitutions),
  };
}

function sumOf(scores: readonly WordScore[], count: (score: WordScore) => number): number {
  return scores.reduce((sum, score) => sum + count(score), 0);
}
