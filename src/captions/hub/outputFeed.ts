import { type Clock, systemClock } from '../../base/clock.ts';
import { namedOptions } from '../../base/namedOptions.ts';
import { createTimer, type Timer } from '../../base/wait/timer.ts';
import { type CaptionStep, isKept, type RetractStep } from '../captionStep.ts';
import type { ControlledOutput } from '../control/captionControl.ts';
import type { CaptionOutput } from '../outputs/captionOutput.ts';
import { CORRECTION_MARK } from '../words/captionWord.ts';
import { blockDisplay } from './blockDisplay.ts';
import { WordDelays } from './wordDelays.ts';

export interface FeedOptions {
  readonly output: CaptionOutput;
  /** Milliseconds by which the output is behind, such as those of a delayed picture. Default 0. */
  readonly delayMs?: number;
  /** Shows words one by one, or whole utterances when they are final. Default `words`. */
  readonly display?: 'words' | 'block';
  /** Default `systemClock`. */
  readonly clock?: Clock;
}

interface Waiting {
  readonly dueMs: number;
  readonly step: CaptionStep;
}

/**
 * The steps of one output, after its own delay.
 *
 * @example
 * const feed = new OutputFeed({ output: fileOutput(['talk.srt']), delayMs: 2000, display: 'block' });
 */
export class OutputFeed {
  readonly output: CaptionOutput;
  readonly #delayMs: number;
  readonly #clock: Clock;
  readonly #display: (step: CaptionStep) => CaptionStep;
  readonly #timer: Timer;
  readonly #delays = new WordDelays();
  #spokenAtMs: (ts: number) => number = ts => ts;
  #waiting: readonly Waiting[] = [];
  #isOff = false;
  #shownText = '';
  /** Start of the speech of the last word or caption that was shown, in seconds of the audio. */
  #shownTs: number | undefined;
  /** Captions that were too old for the output. */
  #tooOld = 0;
  #retractions = 0;
  /** True while text that was taken back waits for its correction. */
  #keepsRetracted = false;
  #onEmpty: (() => void) | undefined;

  constructor(options: FeedOptions) {
    const {
      output,
      delayMs = 0,
      display = 'words',
      clock = systemClock,
    } = namedOptions('FeedOptions', options);
    this.output = output;
    this.#delayMs = delayMs;
    this.#clock = clock;
    this.#display = display === 'block' ? blockDisplay() : step => step;
    this.#timer = createTimer(clock);
  }

  /** Takes the next step; `spokenAtMs` returns the time of day of a position in the audio. */
  take(step: CaptionStep, spokenAtMs = this.#spokenAtMs): void {
    this.#spokenAtMs = spokenAtMs;
    if (this.#isOff && isText(step)) return;
    const shown = this.#young(this.#display(step));
    if (shown.type === 'retract') this.#retract(shown);
    else this.#put(this.#keepsRetracted ? this.#corrected(shown) : shown);
  }

  /** Returns a step without captions that are too old for the output, as after an outage. */
  #young(step: CaptionStep): CaptionStep {
    if (step.type !== 'cues') return step;
    const { maxAgeMs = Number.POSITIVE_INFINITY } = this.output;
    const cues = step.cues.filter(({ spokenAtMs }) => this.#clock.wallTime() - spokenAtMs <= maxAgeMs);
    this.#tooOld += step.cues.length - cues.length;
    return { ...step, cues };
  }

  #put(step: CaptionStep): void {
    if (this.#delayMs === 0) this.#show(step);
    else {
      const dueMs = this.#clock.now() + this.#delayMs;
      this.#waiting = [...this.#waiting, { dueMs, step }];
      this.#schedule();
    }
  }

  /** Drops all text that the output has not shown yet. */
  unsend(): void {
    // The wording of words on the screen is kept, as their rows wait for it.
    this.#waiting = this.#waiting
      .filter(({ step }) => step.type === 'words' || !isText(step))
      .map(({ dueMs, step }) => ({
        dueMs,
        step: step.type === 'words' ? { ...step, added: [], tail: [] } : step,
      }));
  }

  /** Removes everything from the output at once, and shows nothing until `on`. */
  off(): void {
    this.#isOff = true;
    this.#waiting = this.#waiting.filter(({ step }) => !isText(step));
    this.#show(this.#display({ type: 'off' }));
  }

  on(): void {
    this.#isOff = false;
  }

  report(): ControlledOutput {
    const report = this.output.report();
    const wordDelay = this.#delays.report(this.#clock.wallTime());
    const waitingWords = this.#waiting.reduce((sum, { step }) => sum + wordsOf(step), 0);
    return {
      name: this.output.title ?? this.output.name,
      delaySeconds: this.#delayMs / 1000,
      waitingWords,
      shownText: this.#shownText,
      ...(this.#keepsRetracted && { keepsRetracted: true }),
      ...(wordDelay && { wordDelay }),
      ...report,
      skipped: report.skipped + this.#tooOld,
    };
  }

  /** Shows the waiting steps, each in its time, or at once when the signal is aborted; then closes the output. */
  async close(signal?: AbortSignal): Promise<void> {
    if (this.#waiting.length > 0 && !signal?.aborted) {
      await new Promise<void>(resolve => {
        this.#onEmpty = resolve;
        signal?.addEventListener('abort', () => resolve(), { once: true });
      });
    }
    this.#timer.stop();
    for (const { step } of this.#waiting) this.#show(step);
    this.#waiting = [];
    await this.output.close();
  }

  /**
   * Drops waiting typed text. Shown text is removed from the output; if the output cannot, the next text is marked as its
   * correction.
   */
  #retract(step: RetractStep): void {
    this.#waiting = this.#waiting.map(each => ({ ...each, step: withoutTyped(each.step, step) }));
    const wasShown = !isKept(this.#shownTs, step);
    this.#keepsRetracted = wasShown && !this.output.retract?.(step);
    if (wasShown) this.#shownText = '';
    if (!this.#keepsRetracted || this.output.showsFinals) return;
    // Negative ids never collide with those of recognised words.
    const mark = { id: -++this.#retractions, text: CORRECTION_MARK.trim() };
    this.#put({ type: 'words', added: [mark], tail: [], wording: new Map([[mark.id, mark.text]]) });
  }

  /** Returns a step whose text follows the mark, without a paragraph of its own. */
  #corrected(step: CaptionStep): CaptionStep {
    const [first, ...rest] = step.type === 'words' ? step.added : [];
    if (step.type !== 'words' || !first) return step;
    this.#keepsRetracted = false;
    return { ...step, added: [{ ...first, opensParagraph: false }, ...rest] };
  }

  #show(step: CaptionStep): void {
    const { showsFinals = false } = this.output;
    if (step.type === 'cues' && showsFinals) this.#shownTs = step.cues.at(-1)?.speechTs ?? this.#shownTs;
    // For finished captions, this would be the delay of the final, not of the captions.
    if (step.type === 'words' && !showsFinals) {
      this.#shownTs = step.added.at(-1)?.ts ?? this.#shownTs;
      this.#delays.take(step, this.#clock.wallTime(), this.#spokenAtMs);
    }
    this.#shownText = shownAfter(this.#shownText, step, showsFinals);
    this.output.take(step);
  }

  #schedule(): void {
    const [first] = this.#waiting;
    if (first && !this.#timer.isRunning) {
      this.#timer.start(Math.max(0, first.dueMs - this.#clock.now()), () => this.#showDue());
    }
  }

  #showDue(): void {
    const now = this.#clock.now();
    const due = this.#waiting.filter(({ dueMs }) => dueMs <= now);
    this.#waiting = this.#waiting.slice(due.length);
    for (const { step } of due) this.#show(step);
    this.#schedule();
    if (this.#waiting.length === 0) this.#onEmpty?.();
  }
}

function isText({ type }: CaptionStep): boolean {
  return type === 'words' || type === 'notice' || type === 'cues' || type === 'retract';
}

/** Returns a step without the words and captions that are taken back. */
function withoutTyped(step: CaptionStep, retract: RetractStep): CaptionStep {
  if (step.type === 'cues') return { ...step, cues: step.cues.filter(cue => isKept(cue.speechTs, retract)) };
  return step.type === 'words'
    ? { ...step, added: step.added.filter(({ ts }) => isKept(ts, retract)) }
    : step;
}

/** Words that an operator sees of an output. */
const SHOWN_WORDS = 12;

function shownAfter(before: string, step: CaptionStep, showsFinals: boolean): string {
  if (step.type === 'off' || step.type === 'clear') return '';
  if (step.type === 'notice') return step.text;
  if (showsFinals) return (step.type === 'cues' && step.cues.at(-1)?.lines.join(' ')) || before;
  if (step.type !== 'words') return before;
  const words = [...before.split(' '), ...step.added.map(({ text }) => text)];
  return words.slice(-SHOWN_WORDS).join(' ').trim();
}

const wordsOf = (step: CaptionStep) => (step.type === 'words' ? step.added.length : 0);
