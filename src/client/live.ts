import { Readable } from 'node:stream';
import { isObservable, lastValueFrom, type Observable } from 'rxjs';
import { chunk } from '../audio/chunk.ts';
import { type AudioBlock, kindOf, type PcmFormat } from '../audio/format/format.ts';
import { RESAMPLE_DEFAULTS, resample } from '../audio/resample/resample.ts';
import type { SourceOptions } from '../audio/source/blockSource.ts';
import { fromFile } from '../audio/source/file.ts';
import { fromReadable } from '../audio/source/readable.ts';
import { InvalidArgumentError } from '../base/errors.ts';
import { namedOptions } from '../base/namedOptions.ts';
import { createGate, type Gate } from '../flow/gate.ts';
import { emptyLiveTranscript, mergeTranscript } from '../transcript/merge/merge.ts';
import type { LiveEvent } from '../transcript/model/events.ts';
import type { Transcript } from '../transcript/model/model.ts';
import type { TranscribeOptions } from './stream/options.ts';
import { transcribe } from './stream/transcribe.ts';

/**
 * Audio to transcribe: the path of a file, a source such as `microphone()`, or bytes from a Node stream, a web stream or an
 * async iterable. Arrays of samples are read as their bytes, in the `format` of the options, and must not be changed later.
 */
export type LiveInput =
  | string
  | Observable<AudioBlock>
  | Readable
  | ReadableStream<ArrayBufferView>
  | AsyncIterable<ArrayBufferView>;

/** Options of {@link live}: those of `transcribe()`, and those of the input. */
export interface LiveOptions extends Omit<TranscribeOptions, 'gate'>, Pick<SourceOptions, 'onWarning'> {
  /** Format of raw PCM. Default: bytes are WAV or another container, which is detected. */
  readonly format?: PcmFormat;
}

/** An event with its text, which is empty for events without words. */
export type SpokenEvent = LiveEvent & { readonly text: string };

/** A stream for one use: its events by `for await`, or its transcript by `await`. */
export interface LiveSession extends AsyncIterable<SpokenEvent>, PromiseLike<Transcript> {}

/** Unread events above which the input has to wait. Unread partials are replaced. */
const MAX_UNREAD = 64;

/**
 * Transcribes audio without RxJS: `for await` gives the events, `await` the whole transcript. The audio is resampled to
 * 16 kHz mono, unless the options have a rate or channels, and nothing starts before the first use.
 *
 * Leaving the loop closes the connection and the input. A slow reader misses partials, never a final: the input waits
 * meanwhile, except for a microphone, whose unread text stays in memory.
 *
 * Both forms fail with the errors of `transcribe()` and of the input, and with the signal's reason. A second use of the same
 * session fails with an InvalidArgumentError.
 *
 * @throws InvalidArgumentError, StreamQueryError for invalid options, and for an input of another kind
 * @example
 * import { live, writePlainText } from 'rxscribe';
 *
 * const service = { url: 'http://127.0.0.1:8080', token: 'secret' };
 * for await (const { type, text } of live('talk.wav', service)) {
 *   if (type === 'final') console.log(text);
 * }
 * console.log(writePlainText(await live('talk.wav', { ...service, signal: AbortSignal.timeout(60_000) })));
 */
export function live(input: LiveInput, options: LiveOptions): LiveSession {
  namedOptions('LiveOptions', options);
  const { format, onWarning, ...stream } = options;
  const gate = createGate();
  const { sampleRate = RESAMPLE_DEFAULTS.sampleRate, channelStreams, channels } = stream;
  const events$ = sourceOf(input, { format, gate, onWarning }).pipe(
    resample({ sampleRate, channels: channelStreams === 'apart' ? 'keep' : channels, onWarning }),
    chunk(),
    transcribe(stream),
  );
  let isUsed = false;
  const use = () => {
    if (isUsed) throw new InvalidArgumentError('A session of live() can be used once. Call live() again.');
    isUsed = true;
    return events$;
  };
  return {
    // biome-ignore lint/suspicious/noThenProperty: it is the promise of its transcript
    then: (done, failed) => transcriptOf(use).then(done, failed),
    [Symbol.asyncIterator]: () => eventsOf(use, gate),
  };
}

async function transcriptOf(use: () => Observable<LiveEvent>): Promise<Transcript> {
  const states$ = use().pipe(mergeTranscript());
  return (await lastValueFrom(states$, { defaultValue: emptyLiveTranscript })).transcript;
}

async function* eventsOf(use: () => Observable<LiveEvent>, gate: Gate): AsyncGenerator<SpokenEvent> {
  const unread: SpokenEvent[] = [];
  let release: (() => void) | undefined;
  let wake = () => {};
  let end: { readonly error?: unknown } | undefined;
  const finish = (reason: typeof end) => {
    end = reason;
    wake();
  };
  const subscription = use().subscribe({
    next(event) {
      const last = unread.at(-1);
      const isReplaced =
        event.type === 'partial' && last?.type === 'partial' && last.channel === event.channel;
      if (isReplaced) unread.pop();
      unread.push({ text: '', ...event });
      if (unread.length > MAX_UNREAD) release ??= gate.hold();
      wake();
    },
    error: error => finish({ error }),
    complete: () => finish({}),
  });
  try {
    for (;;) {
      for (let event = unread.shift(); event; event = unread.shift()) yield event;
      if (end) break;
      release?.();
      release = undefined;
      await new Promise<void>(resolve => {
        wake = resolve;
      });
    }
    if ('error' in end) throw end.error;
  } finally {
    subscription.unsubscribe();
    release?.();
  }
}

function sourceOf(
  input: LiveInput,
  options: SourceOptions & Pick<LiveOptions, 'format'>,
): Observable<AudioBlock> {
  if (typeof input === 'string') return fromFile(input, options);
  if (isObservable(input)) return input;
  if (input instanceof Readable) return fromReadable(input, options);
  // Unlike an iterator, it can be cancelled while a read is pending.
  if (input instanceof ReadableStream)
    return fromReadable(Readable.fromWeb(input, { objectMode: true }), options);
  if (typeof input !== 'object' || input === null || !(Symbol.asyncIterator in input)) {
    throw new InvalidArgumentError(
      `live() takes a path, a source, a stream or an async iterable of bytes, not ${kindOf(input)}.`,
    );
  }
  return fromReadable(Readable.from(input), options);
}
