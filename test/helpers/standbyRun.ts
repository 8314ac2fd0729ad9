import type { Clock } from '../../src/base/clock.ts';
import type { TranscribeOptions } from '../../src/client/stream/options.ts';
import type { LiveEvent } from '../../src/transcript/model/events.ts';
import { PLAIN_SCENARIO, type RecoveryScenario } from './recoveryScenario.ts';
import { scenarioSource } from './scenarioSource.ts';
import { StreamRun } from './streamRun.ts';

/** Twelve seconds of speech with short pauses, live: no word is said twice. */
export const FLOWING_SPEECH: RecoveryScenario = {
  ...PLAIN_SCENARIO,
  levels: Array.from({ length: 120 }, (_, index) => (index % 17 < 13 ? index + 1 : 0)),
  blockFrames: [800],
};

export interface StandbyRunOptions extends Partial<TranscribeOptions> {
  readonly clock: Clock;
  readonly url: string;
  readonly token: string;
  readonly levels?: readonly number[];
}

/** A live stream with a standby, and the times at which new words came. */
export class StandbyRun extends StreamRun {
  /** New words: when they came, and the end of their speech, in milliseconds from the start. */
  readonly #words: { readonly atMs: number; readonly endMs: number }[] = [];
  #connectedMs = 0;
  readonly #startMs: number;
  readonly #clock: Clock;

  constructor({ levels = FLOWING_SPEECH.levels, ...options }: StandbyRunOptions) {
    const scenario = { ...FLOWING_SPEECH, levels };
    super(scenarioSource(scenario, options.clock), { skipPostprocessing: true, ...options });
    this.#clock = options.clock;
    this.#startMs = options.clock.now();
    let reachedTs = 0;
    this.onEvent = (event: LiveEvent) => {
      if (event.type === 'connected') this.#connectedMs = this.#clock.now() - this.#startMs;
      if ((event.type !== 'partial' && event.type !== 'final') || event.endTs <= reachedTs) return;
      reachedTs = event.endTs;
      this.#words.push({ atMs: this.#clock.now() - this.#startMs, endMs: event.endTs * 1000 });
    };
  }

  /** Milliseconds from the start to the first word. */
  get firstWordMs(): number {
    return this.#words[0]?.atMs ?? Number.POSITIVE_INFINITY;
  }

  /** The longest time between two new words, in milliseconds. */
  get longestGapMs(): number {
    const gaps = this.#words.slice(1).map(({ atMs }, index) => atMs - this.#words[index]!.atMs);
    return Math.max(this.firstWordMs, ...gaps);
  }

  /** Milliseconds from the last connection until no word came a second after its speech. */
  get catchUpMs(): number {
    const late = this.#words.filter(({ atMs, endMs }) => atMs - endMs > 1000);
    return (late.at(-1)?.atMs ?? 0) - this.#connectedMs;
  }
}
