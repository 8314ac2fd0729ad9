import type { RecognizerResult } from '../../engines/recognizer.ts';
import { createPostProcessor, type PostProcessOptions } from '../../engines/text/postprocess.ts';
import type { Transcript, TranscriptElement } from '../../transcript/model/model.ts';
import { joinedTurns } from './joinedTurns.ts';
import { runsOf, type SpokenSpan, speakersOf, steadySpeakers } from './speakers.ts';

/** The text of one speaker without a pause. */
export interface Utterance {
  readonly speaker: number;
  /** Seconds. */
  readonly ts: number;
  readonly elements: readonly TranscriptElement[];
}

export interface UtteranceOptions extends PostProcessOptions {
  /** Turns of speakers in seconds. Default: one speaker. */
  readonly turns?: readonly SpokenSpan[];
  readonly signal?: AbortSignal;
}

/**
 * Converts recognised speech to utterances. A change of speaker ends an utterance and its sentence.
 *
 * @throws the signal's reason
 */
export async function utterancesOf(
  finals: readonly RecognizerResult[],
  options: UtteranceOptions,
): Promise<readonly Utterance[]> {
  const { sampleRate, signal } = options;
  const post = createPostProcessor(options);
  const parts = partsOf(finals, options);
  const utterances: Utterance[] = [];
  let state = post.start;
  for (const [index, { speaker, result }] of parts.entries()) {
    const next = parts[index + 1];
    const after = next?.speaker === speaker ? next.result.words : [];
    const step = await post.final(state, result, { after, signal });
    state = step.state;
    const ts = result.startFrame / sampleRate;
    if (step.elements.length > 0) utterances.push({ speaker, ts, elements: step.elements });
  }
  return utterances;
}

interface Part {
  readonly speaker: number;
  readonly result: RecognizerResult;
}

/** Splits finals where the speaker changes. */
function partsOf(
  finals: readonly RecognizerResult[],
  { turns = [], sampleRate }: UtteranceOptions,
): readonly Part[] {
  const speakers = speakersIn(finals, turns, sampleRate);
  return finals.flatMap((final, index) => {
    const own = speakers[index] ?? [];
    return runsOf(own).map(({ from, to, value: speaker }) => {
      const words = final.words.slice(from, to);
      // A sentence continues in the next final only with the same speaker.
      const cut = to === own.length && final.cut && speakers[index + 1]?.[0] === speaker;
      const [{ startFrame }, { endFrame }] = [words[0] ?? final, words.at(-1) ?? final];
      return { speaker, result: { ...final, words, startFrame, endFrame, cut } };
    });
  });
}

/** Returns the speakers of the words of each final; one for a final without words. */
function speakersIn(
  finals: readonly RecognizerResult[],
  turns: readonly SpokenSpan[],
  sampleRate: number,
): readonly (readonly number[])[] {
  const spans = finals.map(final =>
    (final.words.length > 0 ? final.words : [final]).map(({ startFrame, endFrame }) => ({
      ts: startFrame / sampleRate,
      endTs: endFrame / sampleRate,
    })),
  );
  const byTurns = speakersOf(spans.flat(), turns);
  let next = 0;
  return spans.map(words => {
    const first = next;
    next += words.length;
    return steadySpeakers(words, byTurns.slice(first, next), turns);
  });
}

/** Renumbers speakers in the order in which they first speak. */
export function renumbered(utterances: readonly Utterance[]): readonly Utterance[] {
  const order = [...new Set(utterances.map(({ speaker }) => speaker))];
  return utterances.map(utterance => ({ ...utterance, speaker: order.indexOf(utterance.speaker) }));
}

/** Returns utterances as a transcript, ordered by their starts. */
export function transcriptOf(utterances: readonly Utterance[]): Transcript {
  return joinedTurns(utterances.toSorted((one, other) => one.ts - other.ts));
}
