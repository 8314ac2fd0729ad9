import { Observable, type OperatorFunction } from 'rxjs';
import { type Clock, systemClock } from '../../base/clock.ts';
import { InvalidArgumentError, RxscribeError, refuseIf, requirePositive } from '../../base/errors.ts';
import { namedOptions } from '../../base/namedOptions.ts';
import { oneLine } from '../../base/text.ts';
import { withDeadline } from '../../base/wait/withTimeout.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import { withText } from '../../transcript/model/eventText.ts';
import { hookAddress } from './hookAddress.ts';
import { requireProgram, splitCommand } from './hookCommand.ts';
import { HookProgram } from './hookProgram.ts';
import { type HookCounts, HookRun } from './hookRun.ts';
import type { HookTransport } from './hookTransport.ts';

/** Options of {@link textHook}. */
export interface TextHookOptions {
  /** A web address, or a command with its arguments, which is run without a shell. */
  readonly target: string;
  /**
   * Form of the lines for a program. `text`: a sentence in, its text out. `json`: an object `{ id, text, speaker, channel,
   * language, ts, end_ts }` in, `{ id, text }` out, in any order. An address always gets the object. Default `text`.
   */
  readonly format?: 'text' | 'json';
  /** Bearer token for an address. */
  readonly token?: string;
  /** ISO 639-1 code of the sentences. */
  readonly language?: string;
  /** Milliseconds for the answer to a sentence. Default 10,000. */
  readonly timeoutMs?: number;
  /** Milliseconds from the arrival of a sentence after which it is given up. Default 30,000. */
  readonly maxWaitMs?: number;
  /** Maximum number of sentences that wait to be sent; beyond it, the oldest is given up. Default 16. */
  readonly maxWaiting?: number;
  /** Called when the hook begins to fail, when it works again, and with what the program writes to its stderr. */
  readonly onNote?: (note: string) => void;
  /** Called with each change. */
  readonly onReport?: (report: HookCounts) => void;
  /** Default `systemClock`. */
  readonly clock?: Clock;
}

/** Defaults of {@link TextHookOptions}. */
export const TEXT_HOOK_DEFAULTS = {
  format: 'text',
  timeoutMs: 10_000,
  maxWaitMs: 30_000,
  maxWaiting: 16,
} as const satisfies Partial<TextHookOptions>;

/**
 * Checks the options of {@link textHook}, without starting or asking anything.
 *
 * @throws InvalidArgumentError for a program that does not exist, an address that cannot be used, or an option out of range
 */
export function checkHookOptions(options: TextHookOptions): void {
  namedOptions('TextHookOptions', options);
  const { target, timeoutMs, maxWaitMs, maxWaiting } = { ...TEXT_HOOK_DEFAULTS, ...options };
  const url = addressOf(target);
  if (!url) requireProgram(splitCommand(target));
  refuseIf(
    url && (url.username !== '' || url.password !== ''),
    `The address of the hook at '${url?.host}' has a user name or password. Use a token instead.`,
  );
  requirePositive('timeoutMs', timeoutMs);
  requirePositive('maxWaitMs', maxWaitMs);
  const isCount = Number.isInteger(maxWaiting) && maxWaiting > 0;
  refuseIf(!isCount, `Option 'maxWaiting' must be an integer above 0, not ${maxWaiting}.`);
}

/**
 * Replaces final text, sentence by sentence, by the output of a program or a web address, such as a translation with captions
 * of its own. The result has `final` events, whose words share the time of the sentence; speakers and channels stay, and
 * silences and holes are passed on in order. Partials are left out.
 *
 * A sentence without an answer becomes a hole, and an empty answer silence. A program is started with the subscription, started
 * again when it ends or is stuck, and ended with the stream, which completes after the last answer.
 *
 * @throws InvalidArgumentError as {@link checkHookOptions}
 * @example
 * events$.pipe(textHook({ target: 'sed -u s/colour/color/g' }), captionSteps())
 */
export function textHook(options: TextHookOptions): OperatorFunction<LiveEvent, LiveEvent> {
  checkHookOptions(options);
  const all = { ...TEXT_HOOK_DEFAULTS, clock: systemClock, ...options };
  return events$ =>
    new Observable(subscriber => {
      const transport = transportOf(all);
      const run = new HookRun(transport, {
        ...all,
        lateError: () => lateError(all),
        onEvent: event => subscriber.next(withText(event)),
      });
      const end = (finish: () => void) => run.drain().then(finish);
      subscriber.add(() => run.stop());
      subscriber.add(
        events$.subscribe({
          next: event => run.take(event),
          error: error => end(() => subscriber.error(error)),
          complete: () => end(() => subscriber.complete()),
        }),
      );
    });
}

const TEST_SENTENCE = 'This is a test.';
/** Maximum number of characters of an answer in a message. */
const SHOWN_LENGTH = 80;

/**
 * Sends a test sentence to a hook. Resolves with a sentence on its answer.
 *
 * @throws RxscribeError when there is no answer within the timeout, or the program or address fails
 * @example
 * console.log(await checkHook({ target: 'sed -u s/test/trial/' }));
 */
export async function checkHook(options: TextHookOptions): Promise<string> {
  checkHookOptions(options);
  const all = { ...TEXT_HOOK_DEFAULTS, clock: systemClock, ...options };
  const transport = transportOf(all);
  try {
    const startMs = all.clock.now();
    const sentence = { id: 1, text: TEST_SENTENCE, ts: 0, endTs: 1 };
    const deadline = { timeoutMs: all.timeoutMs, lateError: () => lateError(all), clock: all.clock };
    const answer = await withDeadline(deadline, signal => transport.ask(sentence, signal));
    const seconds = ((all.clock.now() - startMs) / 1000).toFixed(1);
    return `The hook answered '${TEST_SENTENCE}' with '${oneLine(answer).slice(0, SHOWN_LENGTH)}' in ${seconds} s.`;
  } finally {
    await transport.close();
  }
}

type CompleteOptions = TextHookOptions & Required<Pick<TextHookOptions, 'format' | 'timeoutMs' | 'clock'>>;

function transportOf({ target, token, language, format, onNote, clock }: CompleteOptions): HookTransport {
  const url = addressOf(target);
  if (url) return hookAddress({ url, token, language, clock });
  const onMessage = (line: string) => onNote?.(`Text hook: ${line}`);
  return new HookProgram({ command: splitCommand(target), format, language, onMessage, clock });
}

/** Returns the URL of a target that is a web address. */
function addressOf(target: string): URL | undefined {
  if (!/^https?:/i.test(target.trim())) return undefined;
  const url = URL.parse(target.trim());
  if (url) return url;
  throw new InvalidArgumentError('The address of the hook is not a web address.');
}

/** Returns the error for a sentence without an answer in time. */
function lateError({ target, timeoutMs }: CompleteOptions): RxscribeError {
  const problem = `No answer within ${timeoutMs / 1000} s.`;
  const remedy = 'A program has to write out each line at once (Python: flush=True; sed: -u).';
  return new RxscribeError('timeout', addressOf(target) ? problem : `${problem} ${remedy}`);
}
