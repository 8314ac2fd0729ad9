import { createSpellings } from '../../engines/phrases/spellings.ts';
import type { RecognizerResult } from '../../engines/recognizer.ts';
import { createPostProcessor } from '../../engines/text/postprocess.ts';
import { MIN_FINAL_SECONDS } from '../../protocol/messages.ts';
import type { StreamQuery } from '../../protocol/streamQuery.ts';
import { wireSeconds } from '../../protocol/transcriptJson.ts';
import type { FinalEvent, PartialEvent } from '../../transcript/events.ts';
import type { TextElement, TranscriptElement } from '../../transcript/model.ts';

/** What a client is told of what a recogniser thinks. */
export interface Hypotheses {
  /** The event for a result; undefined when there is nothing to say. */
  next(result: RecognizerResult): PartialEvent | FinalEvent | undefined;
}

type HypothesesQuery = Pick<
  StreamQuery,
  | 'startTs'
  | 'detailedPartials'
  | 'enableSpeakerSwitch'
  | 'filterProfanity'
  | 'removeDisfluencies'
  | 'skipPostprocessing'
>;

/**
 * Turns the results of one session into events as its query wants them, with phrases spelled as they were given.
 *
 * Times never go back: no event begins before the last final ended, and each ends after its start.
 */
export function createHypotheses(
  query: HypothesesQuery,
  sampleRate: number,
  phrases: readonly string[] = [],
): Hypotheses {
  const { startTs = 0 } = query;
  const post = createPostProcessor({ ...query, sampleRate, spellings: createSpellings(phrases) });
  let state = post.start;
  let finalEndTs = startTs;
  let tailIsShown = false;

  const spanOf = (result: RecognizerResult) => {
    const ts = Math.max(finalEndTs, wireSeconds(startTs + result.startFrame / sampleRate));
    const endTs = wireSeconds(startTs + result.endFrame / sampleRate);
    return { ts, endTs: Math.max(endTs, wireSeconds(ts + MIN_FINAL_SECONDS)) };
  };

  function partial(result: RecognizerResult): PartialEvent | undefined {
    const words = post.partial(result);
    // An empty one only takes back what was shown.
    if (words.length === 0 && !tailIsShown) return undefined;
    tailIsShown = words.length > 0;
    const span = spanOf(result);
    const elements = query.detailedPartials
      ? inOrder(words, startTs, span)
      : words.map(({ type, value }) => ({ type, value }));
    return { type: 'partial', ...span, elements };
  }

  function final(result: RecognizerResult): PartialEvent | FinalEvent | undefined {
    const step = post.final(state, result);
    state = step.state;
    if (step.elements.length === 0) return partial({ ...result, words: [] });
    tailIsShown = false;
    const span = spanOf(result);
    finalEndTs = span.endTs;
    const speaker = query.enableSpeakerSwitch ? { speaker: 0 } : {};
    return { type: 'final', ...span, elements: inOrder(step.elements, startTs, span), ...speaker };
  }

  return { next: result => (result.type === 'partial' ? partial(result) : final(result)) };
}

/** Elements moved by `startTs`, with times that never go back and stay within a span. */
function inOrder<T extends TranscriptElement | TextElement>(
  elements: readonly T[],
  startTs: number,
  span: { readonly ts: number; readonly endTs: number },
): T[] {
  let earliest = span.ts;
  const place = (seconds: number) => Math.min(span.endTs, Math.max(earliest, startTs + seconds));
  return elements.map(element => {
    if (element.type !== 'text' || element.ts === undefined || element.endTs === undefined) return element;
    const ts = place(element.ts);
    earliest = ts;
    const endTs = place(element.endTs);
    earliest = endTs;
    return { ...element, ts, endTs };
  });
}
