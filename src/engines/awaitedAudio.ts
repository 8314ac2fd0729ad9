/** The pieces of a session's audio that wait for their results. */
export class AwaitedAudio {
  readonly #sampleRate: number;
  readonly #openedMs = performance.now();
  /** Times from which the results of the pieces are due, in milliseconds. */
  readonly #dueMs: number[] = [];

  constructor(sampleRate: number) {
    this.#sampleRate = sampleRate;
  }

  /** Number of pieces that wait. */
  get count(): number {
    return this.#dueMs.length;
  }

  /** Milliseconds for which the oldest piece has waited; 0 without one. */
  get lagMs(): number {
    const [dueMs = Number.POSITIVE_INFINITY] = this.#dueMs;
    return Math.max(0, performance.now() - dueMs);
  }

  /** Adds a piece up to a frame, which waits from now on, or from when it would have been spoken. */
  add(endFrame: number): void {
    this.#dueMs.push(Math.max(performance.now(), this.spokenMs(endFrame)));
  }

  /** Removes the oldest piece. */
  shift(): void {
    this.#dueMs.shift();
  }

  /** Returns the time at which a frame is spoken when all audio comes at real time. */
  spokenMs(frame: number): number {
    return this.#openedMs + (frame / this.#sampleRate) * 1000;
  }
}
