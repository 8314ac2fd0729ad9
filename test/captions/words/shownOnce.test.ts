import fc from 'fast-check';
import { from, lastValueFrom, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { liveCaptions } from '../../../src/captions/rows/liveCaptions.ts';
import type { StabilizerOptions } from '../../../src/captions/words/agreement.ts';
import {
  initialStabilizerState,
  type StabilizerStep,
  stabilize,
} from '../../../src/captions/words/stabilizer.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import type { LiveEvent } from '../../../src/transcript/model/events.ts';
import { type SpokenStory, spokenStory } from '../../helpers/spokenStory.ts';
import { final, hole, partial, silence } from '../../helpers/transcriptEvents.ts';

/** Each word is shown as soon as it is heard. */
const AT_ONCE: StabilizerOptions = { agreePartials: 1, holdBackWords: 0 };

function stepsOf(events: readonly LiveEvent[], options: StabilizerOptions = AT_ONCE): StabilizerStep[] {
  let state = initialStabilizerState;
  return events.map(event => {
    const step = stabilize(state, event, options);
    state = step.state;
    return step;
  });
}

/** The words that are shown, in order. */
const shownIn = (events: readonly LiveEvent[], options?: StabilizerOptions) =>
  stepsOf(events, options).flatMap(({ added }) => added.map(({ text }) => text));

/** The text of the shown words as the transcript has them. */
function readIn(events: readonly LiveEvent[]): string {
  const steps = stepsOf(events);
  const texts = new Map(steps.flatMap(({ added }) => added.map(({ id, text }) => [id, text])));
  for (const { wording } of steps) for (const [id, text] of wording) texts.set(id, text);
  return [...texts.values()].filter(Boolean).join(' ');
}

describe('a shown word is never shown again', () => {
  it('when silence ends behind the beginning of its partials', () => {
    const heard = 'mr john dashwood had';
    const events = [partial(heard, 0.21, 1.7), silence(0, 0.33), final('Mr. John Dashwood had', 0.33, 1.7)];
    expect(shownIn(events).join(' ')).toBe('mr john dashwood had');
    expect(readIn(events)).toBe('Mr. John Dashwood had');
  });

  it.each([silence(0, 5), hole(0, 5)])(
    'when $type over its whole utterance is followed by more of the utterance',
    event => {
      const [before, after] = [partial('one two', 0, 2), partial('one two three four', 0, 6)];
      expect(shownIn([before, event, after]).join(' ')).toBe('one two three four');
      const events = [before, event, final('One two three.', 0, 6)];
      expect(shownIn(events).join(' ')).toBe('one two three.');
      expect(readIn(events)).toBe('One two three.');
    },
  );

  it('when a final cuts its utterance half a second before the end, at times that no binary fraction hits', () => {
    const events = [
      partial('one two three', 6.7, 8.2),
      hole(6.3, 8.7),
      final('One two', 6.7, 7.7),
      partial('three four', 7.7, 8.7),
    ];
    expect(shownIn(events).join(' ')).toBe('one two three four');
  });

  it('when another channel is heard between', () => {
    const other = { ...partial('yes', 1, 2), channel: 1 };
    const otherFinal = { ...final('Yes.', 1, 2), channel: 1 };
    const events = [partial('one two', 0, 2), other, otherFinal, partial('one two three', 0, 3)];
    expect(shownIn(events).join(' ')).toBe('one two yes three');
    expect(shownIn([...events.slice(0, 3), final('One two.', 0, 3)]).join(' ')).toBe('one two yes');
  });

  it('when its final comes after the partials of the next utterance', () => {
    const events = [partial('one two', 0, 2), partial('six', 3, 4), final('One two.', 0, 2.2)];
    expect(shownIn([...events, final('Six.', 3, 4)]).join(' ')).toBe('one two six');
  });

  it('when those partials begin before that final ends', () => {
    const events = [partial('one two', 0, 2), partial('six', 1.9, 4), final('One two.', 0, 2.2)];
    expect(shownIn([...events, final('Six.', 2.2, 4)]).join(' ')).toBe('one two six');
    expect(readIn([...events, final('Six.', 2.2, 4)])).toBe('One two. Six.');
  });

  it('when a final cuts an utterance whose words have no times', () => {
    const untimed = (text: string, ts: number, endTs: number) => ({
      ...partial(text, ts, endTs),
      elements: text.split(' ').map(value => ({ type: 'text', value }) as const),
    });
    const events = [untimed('one two three four', 0, 4), final('One two', 0, 2), untimed('three four', 2, 4)];
    expect(shownIn([...events, final('Three four.', 2, 4)]).join(' ')).toBe('one two three four');
    expect(readIn([...events, final('Three four.', 2, 4)])).toBe('One two Three four.');
  });

  it('if its utterance is not recognised again, and stays as shown', () => {
    const events = [partial('one two three', 0, 3), final('One', 0, 1), final('Nine.', 8, 9)];
    expect(readIn(events)).toBe('One two three Nine.');
  });
});

describe('words of the next utterance do not pass for words before it', () => {
  it('that a final dropped, where spans overlap by a rounding', () => {
    const events = [partial('one two uh', 0, 2.6), final('One two.', 0, 2), partial('three four', 2.3, 3.5)];
    expect(shownIn(events).join(' ')).toBe('one two uh three four');
    expect(readIn([...events, final('Three four.', 2.3, 3.5)])).toBe('One two. uh Three four.');
  });

  it('that were left, where spans overlap by a rounding', () => {
    const events = [partial('one two', 0, 2), silence(0, 2), partial('five six', 1.9, 3)];
    expect(shownIn(events).join(' ')).toBe('one two five six');
    const final56 = final('Five six.', 1.9, 3);
    expect(shownIn([...events, final56]).join(' ')).toBe('one two five six');
    expect(shownIn([...events.slice(0, 2), final56]).join(' ')).toBe('one two Five six.');
  });
});

describe('whatever comes in whatever order', () => {
  const options = fc.record({
    agreePartials: fc.integer({ min: 1, max: 3 }),
    agreeMs: fc.constantFrom(0, 500, Number.POSITIVE_INFINITY),
    holdBackWords: fc.integer({ min: 0, max: 2 }),
    tailPartials: fc.integer({ min: 1, max: 3 }),
  });
  const isShownOnce = ({ events }: SpokenStory, settings: StabilizerOptions) => {
    const shown = shownIn(events, settings).map(word => word.toLowerCase().replace(/^-- |\.$/g, ''));
    expect(shown.filter((word, index) => shown.indexOf(word) !== index)).toEqual([]);
  };

  it('no word is shown twice', () => {
    fc.assert(fc.property(spokenStory(), options, isShownOnce), { numRuns: 1000 });
  });

  it('every word of a final is read once in the lines that are left', async () => {
    const isReadOnce = async ({ events, words }: SpokenStory, settings: StabilizerOptions) => {
      const screen = { columns: 16, rows: 2, clock: new VirtualClock() };
      const displays$ = from(events).pipe(liveCaptions({ ...settings, ...screen }), toArray());
      const lines = (await lastValueFrom(displays$)).flatMap(({ settled }) => settled);
      const read = lines.flatMap(line => line.toLowerCase().split(' '));
      expect(read.filter((word, index) => word.startsWith('c') && read.indexOf(word) !== index)).toEqual([]);
      expect(words.filter(word => !read.includes(word))).toEqual([]);
    };
    await fc.assert(fc.asyncProperty(spokenStory({ mayBeWrong: false }), options, isReadOnce), {
      numRuns: 1000,
    });
  });
});
