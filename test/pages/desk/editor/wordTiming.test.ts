import { history, undoDepth } from '@codemirror/commands';
import { EditorState, type TransactionSpec } from '@codemirror/state';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CallError, type DeskAlignRequest } from '../../../../src/pages/desk/editor/calls.ts';
import { docOf, turns as turnsExtension, turnsOf } from '../../../../src/pages/desk/editor/turnState.ts';
import { untimedRunsOf } from '../../../../src/pages/desk/editor/untimedRuns.ts';
import { TIMING, type TimedView, WordTimer } from '../../../../src/pages/desk/editor/wordTiming.ts';
import type { Span } from '../../../../src/pages/desk/player/spans.ts';
import type { DeskAlignedJson, DeskTurn, DeskWord } from '../../../../src/protocol/desk.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Returns a turn: words with `@` and a second are spoken there for half a second. */
function turnOf(marked: string): DeskTurn {
  const words: DeskWord[] = [];
  let text = '';
  for (const token of marked.split(' ')) {
    const [word, ts] = token.split('@') as [string, string?];
    if (text !== '') text += ' ';
    if (ts) words.push([text.length, text.length + word.length, +ts, +ts + 0.5]);
    text += word;
  }
  return { speaker: 0, text, words };
}

const stateOf = (turns: readonly DeskTurn[], isReadOnly = false) =>
  EditorState.create({
    doc: docOf(turns),
    extensions: [turnsExtension(turns), history(), EditorState.readOnly.of(isReadOnly)],
  });

const LONG: readonly Span[] = [{ start: 0, end: 10_000 }];

/** A text whose words are timed by a script. */
class TimedText implements TimedView {
  state: EditorState;
  readonly asked: DeskAlignRequest[] = [];
  /** Answers of the next calls; then each word takes 0.1 s. */
  answers: (DeskAlignedJson | CallError)[] = [];
  heardTs: number | undefined;
  readonly #timer: WordTimer;

  constructor(marked: readonly string[], { isReadOnly = false, segments = LONG } = {}) {
    this.state = stateOf(marked.map(turnOf), isReadOnly);
    const align = async (request: DeskAlignRequest) => {
      this.asked.push(request);
      await new Promise(resolve => setTimeout(resolve, 100));
      const answer = this.answers.shift();
      if (answer instanceof CallError) throw answer;
      return answer ?? { words: request.words.map((_, index) => at(request.ts + index / 10)) };
    };
    this.#timer = new WordTimer(this, { segments, align, heardTs: () => this.heardTs });
  }

  dispatch(spec: TransactionSpec) {
    const transaction = this.state.update(spec);
    const { startState, state, changes, docChanged, selection } = transaction;
    this.state = state;
    this.#timer.update({ startState, state, changes, docChanged, selectionSet: selection !== undefined });
  }

  type(at: number, insert: string) {
    this.dispatch({ changes: { from: at, insert }, selection: { anchor: at + insert.length } });
  }

  get words() {
    return turnsOf(this.state).map(({ text, words }) =>
      words.map(([from, to, ts]) => `${text.slice(from, to)}@${ts}`).join(' '),
    );
  }
}

const at = (ts: number) => [+ts.toFixed(2), +(ts + 0.1).toFixed(2)] as const;

describe('the times of typed words', () => {
  test('are asked for after a pause, between the timed words around them, and cannot be undone', async () => {
    const text = new TimedText(['one@1 two@2']);
    text.type(4, 'and a ');
    await wait(TIMING.pauseMs - 1);
    expect(text.asked).toEqual([]);
    await wait(500);
    expect(text.asked).toEqual([{ ts: 1.5, end_ts: 2, words: ['and', 'a'] }]);
    expect(text.words).toEqual(['one@1 and@1.5 a@1.6 two@2']);
    expect(undoDepth(text.state)).toBe(1);
    await wait(60_000);
    expect(text.asked.length).toBe(1);
  });

  test('are asked for when the cursor leaves the turn', async () => {
    const text = new TimedText(['one@1 two@2', 'six@6']);
    await wait(5000);
    text.type(4, 'and ');
    text.dispatch({ selection: { anchor: text.state.doc.length } });
    await wait(300);
    expect(text.words).toEqual(['one@1 and@1.5 two@2', 'six@6']);
  });

  test('are asked for when a text is opened', async () => {
    const text = new TimedText([...Array(400).fill('one@1'), 'one@1 and', 'then two@2']);
    await wait(3000);
    expect(text.asked).toEqual([{ ts: 1.5, end_ts: 2, words: ['and', 'then'] }]);
    expect(text.words.slice(-2)).toEqual(['one@1 and@1.5', 'then@1.6 two@2']);
  });

  test('are not given to words that were changed meanwhile, and to others where they stand now', async () => {
    const text = new TimedText(['one@1 two@2']);
    text.type(4, 'and a big ');
    await wait(TIMING.pauseMs + 50);
    expect(text.asked.length).toBe(1);
    text.type(0, 'Well, ');
    text.type(text.state.doc.toString().indexOf(' big'), 'n');
    await wait(100);
    expect(text.words).toEqual(['one@1 and@1.5 big@1.7 two@2']);
    await wait(3000);
    expect(text.asked.slice(1).map(({ words }) => words)).toEqual([['Well'], ['an']]);
  });

  test('are not asked for again when they were not found, until the words change', async () => {
    const text = new TimedText(['one@1 two@2']);
    text.answers = [{ words: [null, at(1.7)] }, { words: [null] }];
    text.type(4, 'and a ');
    await wait(20_000);
    expect(text.words).toEqual(['one@1 a@1.7 two@2']);
    expect(text.asked.map(({ words }) => words)).toEqual([['and', 'a'], ['and']]);
    text.type(4, 'x');
    await wait(3000);
    expect(text.asked.length).toBe(3);
  });

  test('are not given when few words of a long part were found', async () => {
    const text = new TimedText(['one@1 two@90']);
    text.answers = [{ words: [null, at(70), null] }];
    text.type(4, 'and a big ');
    await wait(20_000);
    expect(text.words).toEqual(['one@1 two@90']);
    expect(text.asked.length).toBe(1);
  });

  test('are looked for in the whole part when they are not where the audio was heard', async () => {
    const text = new TimedText(['one@1 two@90']);
    text.heardTs = 80;
    text.answers = [{ words: [null, at(70), null, null] }];
    text.type(4, 'and a big dog ');
    await wait(20_000);
    expect(text.asked.map(({ ts, end_ts }) => [ts, end_ts])).toEqual([
      [56, 85],
      [1.5, 65.5],
    ]);
    expect(text.words).toEqual(['one@1 and@1.5 a@1.6 big@1.7 dog@1.8 two@90']);
  });

  test('are asked for again later when the call fails', async () => {
    const text = new TimedText(['one@1 two@2']);
    text.answers = [new CallError('Busy', { status: 429 }), new CallError('Lost', { status: 0 })];
    text.type(4, 'and ');
    await wait(4000);
    expect(text.asked.length).toBe(1);
    await wait(5000);
    expect(text.asked.length).toBe(2);
    await wait(15_000);
    expect(text.words).toEqual(['one@1 and@1.5 two@2']);
  });

  test('are not asked for when nothing may be changed', async () => {
    const text = new TimedText(['one@1 and two@2'], { isReadOnly: true });
    await wait(10_000);
    expect(text.asked).toEqual([]);
  });
});

describe('a run of words without times', () => {
  const runs = (marked: string[], line: number, segments = LONG, heardTs?: number) =>
    untimedRunsOf(stateOf(marked.map(turnOf)), line, { segments, heardTs }).map(
      ({ start, end, words }) => [start, end, words.map(({ text }) => text).join(' ')] as const,
    );

  test('is within the segments, and not too long', () => {
    const segments = [
      { start: 10, end: 20 },
      { start: 30, end: 40 },
      { start: 500, end: 900 },
    ];
    expect(runs(['a b@15 c d@25'], 1, segments)).toEqual([
      [10, 15, 'a'],
      [15.5, 20, 'c'],
    ]);
    expect(runs(['b@22 c'], 1, segments)).toEqual([[30, 91, 'c']]);
    expect(runs(['b@22 c d@600'], 1, segments)).toEqual([[30, 91, 'c']]);
    expect(runs(['c d'], 1)).toEqual([[0, 62, 'c d']]);
  });

  test('is where the audio was heard when it was typed, if the part is long', () => {
    expect(runs(['a@1 b c'], 1, LONG, 9)).toEqual([[1.5, 14, 'b c']]);
    expect(runs(['b c'], 1, LONG, 250)).toEqual([[228, 255, 'b c']]);
    expect(runs(['a@10 b c'], 1, LONG, 9)).toEqual([[10.5, 17.5, 'b c']]);
    expect(runs(['a@20 b c'], 1, LONG, 9)).toEqual([[20.5, 82.5, 'b c']]);
    expect(runs(['a@1 b c@30'], 1, LONG, 9)).toEqual([[1.5, 30, 'b']]);
  });

  test('is in the whole part too, if it has more than a few words', () => {
    expect(runs(['b c d e f@90'], 1, LONG, 80)).toEqual([
      [56, 85, 'b c d e'],
      [0, 64, 'b c d e'],
    ]);
  });

  test('is not where there is no time between the timed words', () => {
    expect(runs(['a@1 b c@1.5 d [laughs] e@3'], 1)).toEqual([[2, 3, 'd']]);
    expect(runs(['a@9 b c@3'], 1)).toEqual([]);
  });

  test('has the first words where there are too many', () => {
    const many = Array(300).fill('b').join(' ');
    expect(runs([`a@1 ${many}`, 'c@99'], 1)).toEqual([[1.5, 181.5, Array(250).fill('b').join(' ')]]);
    expect(runs([`a@1 ${many}`, 'x c@99'], 2)).toEqual([]);
  });
});
