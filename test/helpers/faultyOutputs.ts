import { Observable } from 'rxjs';
import type { Clock } from '../../src/base/clock.ts';
import { RxscribeError } from '../../src/base/errors.ts';
import type { CaptionStep } from '../../src/captions/captionStep.ts';
import { HookRun } from '../../src/captions/hook/hookRun.ts';
import { LatestDelivery } from '../../src/captions/outputs/latestDelivery.ts';
import { PostOutput } from '../../src/captions/outputs/postOutput.ts';
import { initialDisplayState, nextDisplay } from '../../src/captions/rows/captionDisplay.ts';
import type { LiveEvent } from '../../src/transcript/model/events.ts';

/** A target that fails, hangs or is slow for minutes. */
function faultyTarget(clock: Clock, random: () => number) {
  let until = 0;
  let fault: 'none' | 'fails' | 'hangs' | 'slow' = 'none';
  return async (signal: AbortSignal): Promise<void> => {
    const now = clock.now();
    if (now > until) {
      fault = (['none', 'none', 'fails', 'hangs', 'slow'] as const)[Math.floor(random() * 5)]!;
      until = now + 240_000 * random();
    }
    if (fault === 'none') return;
    if (fault === 'fails') throw new Error('refused');
    await new Promise<void>((resolve, reject) => {
      if (fault === 'slow') clock.schedule(4000 * random(), resolve);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  };
}

/** Captions that are posted one after the other. */
export function postedCaptions(clock: Clock, random: () => number) {
  const send = faultyTarget(clock, random);
  const accepted = new Map<number, string>();
  const counts = { taken: 0 };
  let sequence = 0;
  const target = {
    name: 'youtube',
    host: 'host',
    begin: send,
    ageMs: ({ takenAtMs }: { readonly takenAtMs: number }) => clock.now() - takenAtMs,
    compose: (captions: readonly { readonly lines: readonly string[] }[]) => ({
      sequence: ++sequence,
      body: captions.map(({ lines }) => lines.join(' ')).join('\n'),
    }),
    send: async (
      { sequence, body }: { readonly sequence: number; readonly body: string },
      signal: AbortSignal,
    ) => {
      await send(signal);
      accepted.set(sequence, body);
      if (random() < 0.02) throw new Error('the answer was lost');
    },
  };
  const options = { name: 'youtube', minIntervalMs: 1000, timeoutMs: 5000, maxAgeMs: 30_000, clock };
  const posts = new PostOutput(target, options);
  const take = (step: CaptionStep) => {
    if (step.type === 'cues') counts.taken += step.cues.length;
    posts.take(step);
  };
  const close = () => posts.close();
  const output = { name: 'youtube', take, report: () => posts.report(), close, [Symbol.asyncDispose]: close };
  return { output, accepted, counts };
}

/** Rows that are sent to a faulty place, as to a text source of OBS. */
export function sentRows(clock: Clock, random: () => number) {
  const send = faultyTarget(clock, random);
  const shape = { columns: 42, rows: 2 };
  let state = initialDisplayState;
  let arrived = '';
  let latest = '';
  const delivery = new LatestDelivery<string>({
    name: 'obs',
    async send(text, signal) {
      await send(signal);
      arrived = text;
    },
    minIntervalMs: 50,
    clock,
  });
  return {
    get isUpToDate() {
      return arrived === latest || delivery.report().failure !== undefined;
    },
    output: {
      name: 'obs',
      take(step: CaptionStep) {
        state = nextDisplay(state, step, shape);
        const text = state.display.rows.join('\n');
        if (text === latest) return;
        latest = text;
        if (step.type === 'off') delivery.pushNow(text);
        else delivery.push(text);
      },
      report: () => delivery.report(),
      close: () => delivery.close(),
      [Symbol.asyncDispose]: () => delivery.close(),
    },
  };
}

/** A hook that gives the text back, is slow, and sometimes has no answer. */
export function faultyHook(clock: Clock, random: () => number) {
  const send = faultyTarget(clock, random);
  return (events$: Observable<LiveEvent>) =>
    new Observable<LiveEvent>(subscriber => {
      const transport = {
        concurrency: 4,
        async ask({ text }: { readonly text: string }, signal: AbortSignal) {
          await send(signal);
          return text;
        },
        close: async () => {},
      };
      const run = new HookRun(transport, {
        timeoutMs: 10_000,
        maxWaitMs: 30_000,
        maxWaiting: 16,
        onEvent: event => subscriber.next(event),
        lateError: () => new RxscribeError('timeout', 'late'),
        clock,
      });
      events$.subscribe({
        next: event => run.take(event),
        complete: () => void run.drain().then(() => subscriber.complete()),
      });
    });
}
