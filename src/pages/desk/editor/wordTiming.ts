import { type Extension, Transaction, type TransactionSpec } from '@codemirror/state';
import { type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import type { DeskAlignedJson } from '../../../protocol/desk.ts';
import type { Span } from '../player/spans.ts';
import { callErrorOf, type DeskAlignRequest } from './calls.ts';
import { untimedWords } from './places.ts';
import { changedLines } from './speakers.ts';
import { mapPlace, type PlacedWord, TimedWord } from './timedWords.ts';
import { setWords } from './turnState.ts';
import { type UntimedRun, untimedRunsOf } from './untimedRuns.ts';
import { keyOf } from './wordText.ts';

/** The audio, and the call that finds the times of words in it. */
export interface WordTiming {
  /** Parts of the audio with speech to be transcribed, in order. */
  readonly segments: readonly Span[];
  align(request: DeskAlignRequest): Promise<DeskAlignedJson>;
  /** Returns the place of the audio in seconds, if it is known. */
  heardTs(): number | undefined;
}

export const TIMING = {
  /** A pause of typing after which words of the same turn are timed. */
  pauseMs: 1500,
  /** Wait after the cursor has left a turn. */
  leftMs: 50,
  retry: { firstMs: 5000, capMs: 60_000 },
} as const;

/** Requests the times of typed words when the cursor leaves their turn or typing pauses. */
export function wordTiming(timing: WordTiming): Extension {
  return ViewPlugin.define(view => new WordTimer(view, timing));
}

/** The properties of a view that are used here. */
export type TimedView = Pick<EditorView, 'state'> & { dispatch(spec: TransactionSpec): void };

export type TimedUpdate = Pick<
  ViewUpdate,
  'docChanged' | 'changes' | 'startState' | 'state' | 'selectionSet'
>;

/** Finds words without times and requests their times, one run at a time. */
export class WordTimer {
  readonly #view: TimedView;
  readonly #timing: WordTiming;
  /** Starts of the lines that may have words without times, with the place of the audio when they were typed. */
  #lines = new Map<number, number | undefined>();
  /** The run whose times were requested. */
  #asked: UntimedRun | undefined;
  /** Runs that were not found in the audio. */
  readonly #missing = new Set<string>();
  #lastEdit = Number.NEGATIVE_INFINITY;
  #waitMs = 0;
  #retryAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(view: TimedView, timing: WordTiming) {
    this.#view = view;
    this.#timing = timing;
    const { state } = view;
    for (let line = 1; line <= state.doc.lines; line++) {
      if (untimedWords(state, line).length > 0) this.#lines.set(state.doc.line(line).from, undefined);
    }
    this.#checkIn(TIMING.pauseMs);
  }

  update({ docChanged, changes, startState, state, selectionSet }: TimedUpdate): void {
    if (docChanged) {
      this.#lines = new Map([...this.#lines].map(([pos, heardTs]) => [changes.mapPos(pos, -1), heardTs]));
      const words = this.#asked?.words.map(word => mapPlace(word, changes));
      if (this.#asked && words) this.#asked = { ...this.#asked, words };
      const heardTs = this.#timing.heardTs();
      for (const { after } of changedLines(changes, startState.doc, state.doc)) {
        for (let line = after[0]; line <= after[1]; line++)
          this.#lines.set(state.doc.line(line).from, heardTs);
      }
      this.#lastEdit = Date.now();
      this.#checkIn(TIMING.pauseMs);
    } else if (selectionSet && lineOfCursor(startState) !== lineOfCursor(state)) this.#checkIn(TIMING.leftMs);
  }

  destroy(): void {
    clearTimeout(this.#timer);
    this.#asked = undefined;
  }

  #checkIn(delayMs: number): void {
    clearTimeout(this.#timer);
    const untilRetryMs = this.#retryAt - Date.now();
    this.#timer = setTimeout(() => this.#check(), Math.max(delayMs, untilRetryMs));
  }

  #check(): void {
    if (this.#asked || this.#view.state.readOnly) return;
    const run = this.#nextRun();
    if (run) void this.#ask(run);
    else if (this.#lines.size > 0) this.#checkIn(TIMING.pauseMs);
  }

  #nextRun(): UntimedRun | undefined {
    const { state } = this.#view;
    const isTyping = Date.now() - this.#lastEdit < TIMING.pauseMs;
    for (const [pos, heardTs] of this.#lines) {
      const line = state.doc.lineAt(Math.min(pos, state.doc.length)).number;
      if (isTyping && line === lineOfCursor(state)) continue;
      const runs = untimedRunsOf(state, line, { segments: this.#timing.segments, heardTs });
      const run = runs.find(run => !this.#missing.has(nameOf(run)));
      if (run) return run;
      this.#lines.delete(pos);
    }
    return undefined;
  }

  async #ask(run: UntimedRun): Promise<void> {
    this.#asked = run;
    const request = { ts: run.start, end_ts: run.end, words: run.words.map(({ text }) => text) };
    try {
      const { words } = await this.#timing.align(request);
      this.#waitMs = 0;
      if (countFound(words) < run.words.length) this.#missing.add(nameOf(run));
      if (isPlausible(run, words)) this.#apply(words);
    } catch (error) {
      const { status } = callErrorOf(error);
      if (status === 400) this.#missing.add(nameOf(run));
      else {
        this.#waitMs = Math.min(TIMING.retry.capMs, Math.max(TIMING.retry.firstMs, 2 * this.#waitMs));
        this.#retryAt = Date.now() + this.#waitMs;
      }
    }
    if (!this.#asked) return;
    this.#asked = undefined;
    this.#checkIn(TIMING.leftMs);
  }

  /** Assigns times to unchanged words. */
  #apply(times: DeskAlignedJson['words']): void {
    const { state } = this.#view;
    if (!this.#asked || state.readOnly) return;
    const untimed = new Set<string>();
    for (const line of new Set(this.#asked.words.map(({ from }) => state.doc.lineAt(from).number))) {
      for (const { from, to } of untimedWords(state, line)) untimed.add(`${from}-${to}`);
    }
    const placed = this.#asked.words.flatMap(({ from, to, text }, index): PlacedWord[] => {
      const time = times[index];
      if (!time || !untimed.has(`${from}-${to}`) || state.sliceDoc(from, to) !== text) return [];
      const [ts, endTs] = time;
      return [{ from, to, word: new TimedWord({ ts, endTs, key: keyOf(text) }) }];
    });
    if (placed.length === 0) return;
    this.#view.dispatch({ effects: setWords.of(placed), annotations: Transaction.addToHistory.of(false) });
  }
}

const countFound = (words: DeskAlignedJson['words']) => words.filter(word => word !== null).length;

/** Seconds beyond one for each word up to which it is plausible that only a few of the words are found. */
const SPARE_SECONDS = 5;

/** Returns whether words are where they were found: in a long part, a few are found by chance. */
function isPlausible({ start, end, words }: UntimedRun, found: DeskAlignedJson['words']): boolean {
  return end - start <= words.length + SPARE_SECONDS || 3 * countFound(found) >= 2 * words.length;
}

const nameOf = ({ start, end, words }: UntimedRun) =>
  [start, end, ...words.map(({ text }) => text)].join(' ');

const lineOfCursor = ({ doc, selection }: ViewUpdate['state']) => doc.lineAt(selection.main.head).number;
