import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hookItemsOf } from '../../../src/captions/hook/hookSentence.ts';
import type { LiveEvent } from '../../../src/transcript/model/events.ts';
import { textOf } from '../../../src/transcript/model/model.ts';
import { eventSequence, final, hole, partial, repair, silence } from '../../helpers/transcriptEvents.ts';

/** Events when each sentence is answered by a text. */
const answered = (event: LiveEvent, answer: (text: string) => string | undefined) =>
  hookItemsOf(event).flatMap(({ sentences, eventsOf }) =>
    eventsOf(sentences.map(({ text }) => answer(text))),
  );

describe('the sentences for a hook', () => {
  it('are those of finals, with their own times', () => {
    const items = hookItemsOf({ ...final('Mr. Bennet sighed. So it is', 10, 16, 2), channel: 1 });
    expect(items.flatMap(({ sentences }) => sentences)).toEqual([
      { text: 'Mr. Bennet sighed.', speaker: 2, channel: 1, ts: 10, endTs: 13 },
      { text: 'So it is', speaker: 2, channel: 1, ts: 13, endTs: 16 },
    ]);
  });

  it('are not those of partials', () => {
    expect(hookItemsOf(partial('not yet', 0, 1))).toEqual([]);
  });

  it('are none for text that is taken back, which is passed on', () => {
    const event: LiveEvent = { ...final('', 10, 16), elements: [], takesBack: true };
    expect(answered(event, () => 'Nothing asks this.')).toEqual([event]);
  });

  it('keep speaker, channel and span in the answer, whose words share the time', () => {
    const [event] = answered({ ...final('Good morning.', 4, 6, 1), channel: 3 }, () => 'Guten Morgen.');
    expect(event).toEqual({
      type: 'final',
      ts: 4,
      endTs: 6,
      speaker: 1,
      channel: 3,
      elements: [
        { type: 'text', value: 'Guten', ts: 4, endTs: expect.closeTo(4.83, 1) },
        { type: 'punct', value: ' ' },
        { type: 'text', value: 'Morgen', ts: expect.closeTo(4.83, 1), endTs: 6 },
        { type: 'punct', value: '.' },
      ],
    });
  });

  it('become silence by an empty answer, and a hole without one', () => {
    const event = final('One. Two.', 0, 2);
    const events = answered(event, text => (text === 'One.' ? '' : undefined));
    expect(events).toEqual([silence(0, 1), hole(1, 2, 'gave-up')]);
  });

  it('of a repair are answered together, by speaker', () => {
    const event = repair(hole(0, 10), final('One. Two.', 0, 4, 0), final('Three.', 5, 6, 1));
    const [result] = answered(event, text => (text === 'Two.' ? undefined : text.toUpperCase()));
    expect(result).toMatchObject({ type: 'repair', ts: 0, endTs: 10, jobId: 'job1' });
    const { monologues } = result as typeof event;
    expect(monologues.map(({ speaker, elements }) => [speaker, textOf(elements)])).toEqual([
      [0, 'ONE.'],
      [1, 'THREE.'],
    ]);
  });

  it('have all words once, in order, in spans that do not overlap', () => {
    fc.assert(
      fc.property(eventSequence, events => {
        for (const event of events) {
          if (event.type !== 'final') continue;
          const results = answered(event, text => text) as (typeof event)[];
          expect(results.map(({ elements }) => textOf(elements)).join(' ')).toBe(textOf(event.elements));
          let earliest = event.ts;
          for (const { ts, endTs } of results) {
            expect(ts).toBeGreaterThanOrEqual(earliest);
            expect(endTs).toBeGreaterThan(ts);
            earliest = endTs;
          }
          expect(earliest).toBeLessThanOrEqual(event.endTs);
        }
      }),
    );
  });
});
