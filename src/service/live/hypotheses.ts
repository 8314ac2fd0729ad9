import type { Clock } from '../../base/clock.ts';
import { createSpellings } from '../../engines/phrases/spellings.ts';
import type { Punctuator } from '../../engines/punctuator.ts';
import type { RecognizerResult } from '../../engines/recognizer.ts';
import { createPostProcessor } from '../../engines/text/postprocess.ts';
import { MIN_FINAL_SECONDS } from '../../protocol/messages.ts';
import type { StreamQuery } from '../../protocol/streamQuery.ts';
import { wireSeconds } from '../../protocol/transcriptJson.ts';
import type { FinalEvent, PartialEvent } from '../../transcript/model/events.ts';
import type { TextElement, TranscriptElement } from '../../transcript/model/model.ts';

/** What a client is told of what a recogniser thinks. */
export interface Hypotheses {
  /**
   * The event for a result; undefined when there is nothing to say. Events come in the order of the calls.
   *
   * @throws the signal's reason
   */
  next(result: RecognizerResult): Promise<PartialEvent | FinalEvent | undefined>;
}

export interface HypothesesOptions {
  readonly phrases?: readonly string[];
  /** ISO 639-1. Default `en`. */
  readonly language?: string;
  /** Default: the embedded one. */
  readonly punctuator?: Punctuator;
  /** Who speaks between two frames; asked for finals where the query wants it. Never rejects. Default: always 0. */
  readonly speakerDuring?: (startFrame: number, endFrame: number) => Promise<number>;
  /** After it, nothing is waited for. */
  readonly signal?: AbortSignal;
  /** Told once that the punctuator failed; plain sentences are said instead. */
  readonly onError?: (error: unknown) => void;
  /** By which the punctuator is waited for. Default: the machine's. */
  readonly clock?: Clock;
}

/** Results that wait for a slow punctuator; partials with words that come then are passed over: they come again. */
const MAX_WAITING = 100;

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
  options: HypothesesOptions = {},
): Hypotheses {
  const { startTs = 0 } = query;
  const { phrases = [], signal, speakerDuring, ...writing } = options;
  const spellings = createSpellings(phrases);
  const post = createPostProcessor({ ...query, ...writing, sampleRate, spellings });
  let previous: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let state = post.start;
  let lastSpeaker: number | undefined;
  let finalEndTs = startTs;
  let tailIsShown = false;

  const askSpeaker = ({ startFrame, endFrame }: RecognizerResult) =>
    query.enableSpeakerSwitch ? speakerDuring?.(startFrame, endFrame) : undefined;
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

  async function final(
    result: RecognizerResult,
    speaking: Promise<number> | undefined,
  ): Promise<PartialEvent | FinalEvent | undefined> {
    const speaker = query.enableSpeakerSwitch ? ((await speaking) ?? 0) : undefined;
    // Nobody goes on with the sentence of another.
    if (speaker !== lastSpeaker) state = post.start;
    lastSpeaker = speaker;
    const step = await post.final(state, result, { signal });
    signal?.throwIfAborted();
    state = step.state;
    tailIsShown = false;
    const span = spanOf(result);
    finalEndTs = span.endTs;
    const elements = inOrder(step.elements, startTs, span);
    return { type: 'final', ...span, elements, ...(speaker !== undefined && { speaker }) };
  }

  return {
    next(result) {
      if (result.type === 'partial' && result.words.length > 0 && waiting >= MAX_WAITING) {
        return previous.then(() => undefined);
      }
      waiting++;
      // Asked when it comes: whoever tells speakers apart soon forgets.
      const isSaid = result.type === 'final' && post.partial(result).length > 0;
      const speaking = isSaid ? askSpeaker(result) : undefined;
      const tell = () => (isSaid ? final(result, speaking) : partial(result));
      const event = previous.then(tell);
      const settle = () => void waiting--;
      previous = event.then(settle, settle);
      return event;
    },
  };
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
