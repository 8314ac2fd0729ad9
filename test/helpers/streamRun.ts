import { filter, firstValueFrom, type Observable, Subject, type Subscription } from 'rxjs';
import type { AudioBlock } from '../../src/audio/format/format.ts';
import type { TranscribeOptions } from '../../src/client/stream/options.ts';
import type { StreamStatus } from '../../src/client/stream/status.ts';
import { transcribe } from '../../src/client/stream/transcribe.ts';
import type { LiveEvent, TranscriptEvent } from '../../src/transcript/model/events.ts';

/** A live stream under test, with all that it said. */
export class StreamRun {
  readonly events: LiveEvent[] = [];
  readonly statuses: StreamStatus[] = [];
  readonly subscription: Subscription;
  /** The error, or undefined when it completed. */
  readonly end: Promise<unknown>;
  /** Called with each event. */
  onEvent: (event: LiveEvent) => void = () => {};
  readonly #news$ = new Subject<unknown>();

  constructor(source: Observable<AudioBlock>, options: TranscribeOptions) {
    const live = transcribe(options);
    const { promise: end, resolve } = Promise.withResolvers<unknown>();
    this.end = end;
    live.status$.subscribe(status => {
      this.statuses.push(status);
      this.#news$.next(status);
    });
    this.subscription = source.pipe(live).subscribe({
      next: event => {
        this.events.push(event);
        this.onEvent(event);
        this.#news$.next(event);
      },
      error: resolve,
      complete: () => resolve(undefined),
    });
  }

  /** Messages of the services. */
  get said(): readonly TranscriptEvent[] {
    return this.events.filter(
      event => event.type === 'connected' || event.type === 'partial' || event.type === 'final',
    );
  }

  get statusTypes(): readonly string[] {
    return this.statuses.map(status => status.type);
  }

  /** Waits until there were so many statuses of a type. */
  until(type: StreamStatus['type'], count = 1): Promise<void> {
    return this.#when(() => this.statuses.filter(status => status.type === type).length >= count);
  }

  /** Waits until there were so many events. */
  untilEvents(count: number): Promise<void> {
    return this.#when(() => this.events.length >= count);
  }

  async #when(isSo: () => boolean): Promise<void> {
    if (!isSo()) await firstValueFrom(this.#news$.pipe(filter(isSo)));
  }
}

/** Streams audio, with the token `token` and over one connection, unless the options say otherwise. */
export function streamRun(
  source: Observable<AudioBlock>,
  options: Partial<TranscribeOptions> & { readonly url: string },
): StreamRun {
  return new StreamRun(source, { token: 'token', resume: false, ...options });
}
