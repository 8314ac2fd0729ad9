import type { Clock } from '../../base/clock.ts';
import { createSpellings } from '../../engines/phrases/spellings.ts';
import type { Punctuator } from '../../engines/punctuator.ts';
import type { RecognizerResult } from '../../engines/recognizer.ts';
import {
  createPostProcessor,
  type PostProcessOptions,
  type PostProcessState,
} from '../../engines/text/postprocess.ts';
import { MIN_FINAL_SECONDS } from '../../protocol/messages.ts';
import type { StreamOptions } from '../../protocol/streamQuery.ts';
import { wireSeconds } from '../../protocol/transcriptJson.ts';
import type { FinalEvent, PartialEvent } from '../../transcript/model/events.ts';
import type { TextElement, TranscriptElement } from '../../transcript/model/model.ts';

export interface HypothesesOptions {
  readonly phrases?: readonly string[];
  /** ISO 639-1, for results without their own. Default `en`. */
  readonly language?: string;
  /** Default: the embedded punctuator. */
  readonly punctuator?: Punctuator;
  /** Returns the speaker between two frames; used for finals when the query wants it. Never rejects. Default: always 0. */
  readonly speakerDuring?: (startFrame: number, endFrame: number) => Promise<number>;
  /** Aborting it ends all waits. */
  readonly signal?: AbortSignal;
  /** Called once when the punctuator failed; plain sentences follow. */
  readonly onError?: (error: unknown) => void;
  /** Clock of the timeouts of the punctuator. Default: the system clock. */
  readonly clock?: Clock;
}

/** The context before the first final. */
const START: PostProcessState = { before: [] };
/** Results that may wait for a slow punctuator. Further partials with words are skipped: their words come again. */
const MAX_WAITING = 100;

/**
 * Creates the conversion of the results of one session to events for its client, according to its query, with phrases in
 * their given spelling. Times never decrease: no event begins before the end of the last final, and each ends after its start.
 */
export function createHypotheses(query: StreamOptions, sampleRate: number, options: HypothesesOptions = {}) {
  const { startTs = 0 } = query;
  const { phrases = [], signal, speakerDuring, ...writing } = options;
  const spellings = createSpellings(phrases);
  const postFor = postProcessors({ ...query, ...writing, sampleRate, spellings });
  let previous: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let state = START;
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

  async function partial(result: RecognizerResult): Promise<PartialEvent | undefined> {
    const words = await postFor(result).partial(state, result);
    // An empty partial only withdraws shown words.
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
    // A new speaker starts a new sentence.
    if (speaker !== lastSpeaker) state = START;
    lastSpeaker = speaker;
    const step = await postFor(result).final(state, result, { signal });
    signal?.throwIfAborted();
    state = step.state;
    tailIsShown = false;
    const span = spanOf(result);
    finalEndTs = span.endTs;
    const elements = inOrder(step.elements, startTs, span);
    return { type: 'final', ...span, elements, ...(speaker !== undefined && { speaker }) };
  }

  return {
    /**
     * Returns the event for a result; undefined when there is none. Events come in the order of the calls.
     *
     * @throws the signal's reason
     */
    next(result: RecognizerResult): Promise<PartialEvent | FinalEvent | undefined> {
      if (result.type === 'partial' && result.words.length > 0 && waiting >= MAX_WAITING) {
        return previous.then(() => undefined);
      }
      waiting++;
      // Queried at once, as a diarizer forgets old audio.
      const isSaid = result.type === 'final' && postFor(result).hasText(result);
      const speaking = isSaid ? askSpeaker(result) : undefined;
      const convert = () => (isSaid ? final(result, speaking) : partial(result));
      const event = previous.then(convert);
      const settle = () => void waiting--;
      previous = event.then(settle, settle);
      return event;
    },
  };
}

/** Returns a function that returns the post-processor for the language of a result. */
function postProcessors(options: PostProcessOptions) {
  const byLanguage = new Map<string | undefined, ReturnType<typeof createPostProcessor>>();
  return ({ language = options.language }: RecognizerResult) => {
    const post = byLanguage.get(language) ?? createPostProcessor({ ...options, language });
    byLanguage.set(language, post);
    return post;
  };
}

/** Moves elements by `startTs`, with times that never decrease and stay within a span. */
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
