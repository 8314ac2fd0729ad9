import { dequal } from 'dequal/lite';
import { EMPTY, Observable, type OperatorFunction, takeWhile } from 'rxjs';
import { type Clock, systemClock } from '../base/clock.ts';
import { requirePositive } from '../base/errors.ts';
import { namedOptions } from '../base/namedOptions.ts';
import type { HoleEvent, LiveEvent } from '../transcript/model/events.ts';
import type { CaptionStep, WordsStep } from './captionStep.ts';
import { STABILIZER_DEFAULTS, type StabilizerOptions } from './words/agreement.ts';
import { withCapitals } from './words/capitals.ts';
import {
  finishStale,
  initialStabilizerState,
  isPast,
  type StabilizerState,
  type StabilizerStep,
  stabilize,
} from './words/stabilizer.ts';

/** Options of {@link captionSteps}. */
export interface CaptionStepOptions extends StabilizerOptions {
  /** Milliseconds without new words after which the screen is cleared. Default 8000. */
  readonly clearAfterMs?: number;
  /** Milliseconds without any event after which the words of an unfinished utterance are shown as they are. Default 10,000. */
  readonly staleAfterMs?: number;
  /** True during an outage: a notice is shown, and the screen is not cleared. */
  readonly paused$?: Observable<boolean>;
  /** Notice for text that was given up, as by a hook that fails. Default {@link PAUSED_NOTICE}. */
  readonly givenUpNotice?: string | undefined;
  /** Default `systemClock`. */
  readonly clock?: Clock;
}

/** Defaults of {@link CaptionStepOptions}. */
export const CAPTION_STEP_DEFAULTS = {
  ...STABILIZER_DEFAULTS,
  clearAfterMs: 8000,
  staleAfterMs: 10_000,
} as const satisfies CaptionStepOptions;

/** Notice for an outage, and for speech without text. */
export const PAUSED_NOTICE = '[captions paused]';

type CaptionInput =
  | LiveEvent
  /** Sent after some time without new words. */
  | { readonly type: 'quiet' }
  /** Sent after some time without any event. */
  | { readonly type: 'stale' }
  | { readonly type: 'paused'; readonly paused: boolean };

interface StepState {
  readonly stabilizer: StabilizerState;
  readonly tail: readonly string[];
  readonly isPaused: boolean;
  /** True when nothing was shown since the screen was cleared. */
  readonly isBlank: boolean;
  /** The notice after which nothing was shown: it is not repeated. */
  readonly notice?: string | undefined;
}

type StepOptions = StabilizerOptions & Pick<CaptionStepOptions, 'givenUpNotice'>;

const initialState: StepState = {
  stabilizer: initialStabilizerState,
  tail: [],
  isPaused: false,
  isBlank: true,
};

/**
 * Converts the events of a session to the steps of live captions: words as they become certain, corrections, notices of
 * outages, and the clearing of the screen. A hole of a second or more has a notice; repairs concern the past and are ignored.
 *
 * The last step is `end`, also before an error.
 *
 * @throws InvalidArgumentError for a `clearAfterMs` or `staleAfterMs` that is not above 0
 * @example
 * const displays$ = events$.pipe(captionSteps({ clearAfterMs: 5000 }), captionDisplays({ columns: 32, rows: 2 }));
 * displays$.subscribe(({ rows }) => console.log(rows.join('\n')));
 */
export function captionSteps(options: CaptionStepOptions = {}): OperatorFunction<LiveEvent, CaptionStep> {
  namedOptions('CaptionStepOptions', options);
  const { clock = systemClock, paused$ = EMPTY, ...stabilizer } = options;
  const { clearAfterMs = CAPTION_STEP_DEFAULTS.clearAfterMs } = options;
  const { staleAfterMs = CAPTION_STEP_DEFAULTS.staleAfterMs } = options;
  requirePositive('clearAfterMs', clearAfterMs);
  requirePositive('staleAfterMs', staleAfterMs);
  return events$ =>
    new Observable(subscriber => {
      let state = initialState;
      const timers = { quiet: () => {}, stale: () => {} };

      const take = (input: CaptionInput) => {
        const { state: next, steps } = nextSteps(state, input, stabilizer);
        const isNews = steps.some(step => step.type === 'notice' || isNewText(state, step));
        if (isNews || next.isPaused !== state.isPaused || input.type === 'quiet') awaitQuiet(next);
        if (next.stabilizer !== state.stabilizer) awaitStale(next);
        state = next;
        for (const step of steps) subscriber.next(step);
      };
      const awaitQuiet = ({ isPaused, isBlank, stabilizer: { pending } }: StepState) => {
        timers.quiet();
        if (isPaused || (isBlank && pending.length === 0)) return;
        timers.quiet = clock.schedule(clearAfterMs, () => take({ type: 'quiet' }));
      };
      const awaitStale = ({ stabilizer: { pending } }: StepState) => {
        timers.stale();
        if (pending.length === 0) return;
        timers.stale = clock.schedule(staleAfterMs, () => take({ type: 'stale' }));
      };
      const end = () => subscriber.next({ type: 'end' });
      const fail = (error: unknown) => {
        end();
        subscriber.error(error);
      };
      // A source that emits synchronously during subscribe() cannot be unsubscribed before it returns.
      const isOpen = () => !subscriber.closed;

      subscriber.add(() => {
        timers.quiet();
        timers.stale();
      });
      const paused = (isPaused: boolean) => take({ type: 'paused', paused: isPaused });
      subscriber.add(paused$.pipe(takeWhile(isOpen)).subscribe({ next: paused, error: fail }));
      subscriber.add(
        events$.pipe(takeWhile(isOpen)).subscribe({
          next: take,
          error: fail,
          complete: () => {
            end();
            subscriber.complete();
          },
        }),
      );
    });
}

function isNewText(before: StepState, step: CaptionStep): boolean {
  return step.type === 'words' && (step.added.length > 0 || !dequal(before.tail, step.tail));
}

interface Steps {
  readonly state: StepState;
  readonly steps: readonly CaptionStep[];
}

function nextSteps(state: StepState, input: CaptionInput, options: StepOptions): Steps {
  switch (input.type) {
    case 'quiet':
      // Words that are not certain yet are shown first, by the final or as stale.
      return state.tail.length > 0
        ? { state, steps: [] }
        : { state: { ...state, isBlank: true, notice: undefined }, steps: [{ type: 'clear' }] };
    case 'stale':
      return withWords(state, finishStale(state.stabilizer, options));
    case 'paused':
      return onPaused(state, input.paused);
    case 'hole':
      return onHole(state, input, options);
    case 'final':
      return input.takesBack
        ? { state, steps: [{ type: 'retract', fromTs: input.ts }] }
        : withWords(state, stabilize(state.stabilizer, input, options));
    case 'partial': {
      const partial = withCapitals(input, state.stabilizer.finals, options.language);
      return withWords(state, stabilize(state.stabilizer, partial, options));
    }
    default:
      return withWords(state, stabilize(state.stabilizer, input, options));
  }
}

function withWords(before: StepState, { state: stabilizer, ...words }: StabilizerStep): Steps {
  if (stabilizer === before.stabilizer) return { state: before, steps: [] };
  const { added, tail, wording } = words;
  const isBlank = before.isBlank && added.length === 0 && tail.length === 0;
  const notice = added.length > 0 ? undefined : before.notice;
  const state = { ...before, stabilizer, tail, isBlank, notice };
  const step: WordsStep = { type: 'words', ...words };
  const isNews = added.length > 0 || wording.size > 0 || !dequal(before.tail, tail);
  return { state, steps: isNews ? [step] : [] };
}

function onPaused(before: StepState, isPaused: boolean): Steps {
  if (isPaused === before.isPaused) return { state: before, steps: [] };
  const state = { ...before, isPaused, notice: undefined };
  return isPaused ? withNotice({ state, steps: [] }) : { state, steps: [] };
}

/** Minimum duration of a hole with a notice; in a shorter one, such as an overrun of a microphone, hardly a word is missing. */
const LEAST_NOTICED_SECONDS = 1;

/** A hole before the last shown word is in the past, and has no notice. */
function onHole(state: StepState, hole: HoleEvent, options: StepOptions): Steps {
  if (isPast(state.stabilizer, hole)) return { state, steps: [] };
  const step = withWords(state, stabilize(state.stabilizer, hole, options));
  if (hole.endTs - hole.ts < LEAST_NOTICED_SECONDS) return step;
  return withNotice(step, hole.cause === 'gave-up' ? options.givenUpNotice : undefined);
}

function withNotice({ state, steps }: Steps, text = PAUSED_NOTICE): Steps {
  if (state.notice === text) return { state, steps };
  return {
    state: { ...state, isBlank: false, tail: [], notice: text },
    steps: [...steps, { type: 'notice', text }],
  };
}
