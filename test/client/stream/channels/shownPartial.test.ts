import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  emptySelection,
  nextSelection,
  type PartialSelection,
  removeChannel,
} from '../../../../src/client/stream/channels/shownPartial.ts';
import type { LiveEvent, PartialEvent } from '../../../../src/transcript/model/events.ts';

const partial = (channel: number, ts: number, endTs = ts + 1): PartialEvent => ({
  type: 'partial',
  ts,
  endTs,
  elements: [{ type: 'text', value: `${channel}` }],
  channel,
});
const final = (channel: number, ts: number, endTs: number) =>
  ({ type: 'final', ts, endTs, elements: [], channel }) as const;

type Input = LiveEvent | { readonly type: 'left'; readonly channel: number };

/** Returns what is shown of each event. */
function shownOf(inputs: readonly Input[]): (readonly LiveEvent[])[] {
  let selection: PartialSelection = emptySelection;
  return inputs.map(input => {
    const step =
      input.type === 'left' ? removeChannel(selection, input.channel) : nextSelection(selection, input);
    selection = step.selection;
    return step.events;
  });
}

describe('of the partials of several channels', () => {
  test('the one that began first is shown until its final, then the latest of the other', () => {
    const [a1, a2, b1, b2] = [partial(0, 1, 2), partial(0, 1, 3), partial(1, 1.5, 2), partial(1, 1.5, 4)];
    const end = final(0, 1, 3);
    expect(shownOf([a1, b1, a2, b2, end])).toEqual([[a1], [], [a2], [], [end, b2]]);
  });

  test('the earliest of those that wait comes next, whoever spoke up first', () => {
    const [a, b, c] = [partial(0, 1), partial(1, 3), partial(2, 2)];
    const end = final(0, 1, 3);
    expect(shownOf([a, b, c, end])).toEqual([[a], [], [], [end, c]]);
  });

  test('the shown utterance is not replaced by one that began earlier but was reported later', () => {
    const [a, b] = [partial(0, 2), partial(1, 1)];
    expect(shownOf([a, b, a])).toEqual([[a], [], [a]]);
  });

  test('one that is taken back makes room for another channel', () => {
    const [a, b] = [partial(0, 1), partial(1, 1.5)];
    const takenBack = { ...a, elements: [] };
    expect(shownOf([a, b, takenBack])).toEqual([[a], [], [takenBack, b]]);
    expect(shownOf([a, takenBack, b])).toEqual([[a], [takenBack], [b]]);
    expect(shownOf([a, b, { ...b, elements: [] }])).toEqual([[a], [], []]);
  });

  test('a final of another channel does not end what is shown', () => {
    const [a, b] = [partial(0, 1), partial(1, 1.5)];
    const end = final(1, 1.5, 2);
    expect(shownOf([a, b, end, a])).toEqual([[a], [], [end], [a]]);
  });

  test('a late final of an earlier utterance does not change the shown channel', () => {
    const [a, b] = [partial(0, 5), partial(1, 6)];
    const late = final(0, 1, 5);
    expect(shownOf([a, b, late, b])).toEqual([[a], [], [late], []]);
  });

  test.for(['hole', 'silence'] as const)('a %s in its place ends an utterance', type => {
    const [a, b] = [partial(0, 1), partial(1, 1.5)];
    const end = { type, ts: 0.5, endTs: 3, channel: 0, cause: 'gave-up' } as LiveEvent;
    expect(shownOf([a, b, end, b])).toEqual([[a], [], [end, b], [b]]);
  });

  test('what becomes known of audio before it ends nothing', () => {
    const [a, b] = [partial(0, 1), partial(1, 1.5)];
    const hole = { type: 'hole', ts: 0, endTs: 1, cause: 'gap', channel: 0 } as const;
    const repair = { type: 'repair', ts: 0, endTs: 1, monologues: [], jobId: 'job', channel: 0 } as const;
    expect(shownOf([a, b, hole, repair, b])).toEqual([[a], [], [hole], [repair], []]);
  });

  test('a channel that has ended gives way to the others', () => {
    const [a, b] = [partial(0, 1), partial(1, 1.5)];
    expect(shownOf([a, b, { type: 'left', channel: 0 }, { type: 'left', channel: 1 }])).toEqual([
      [a],
      [],
      [b],
      [],
    ]);
  });

  test('`connected` is passed on', () => {
    const connected = { type: 'connected', id: 'session' } as const;
    expect(shownOf([partial(0, 1), connected])[1]).toEqual([connected]);
  });
});

test('whatever comes, all but partials pass once and in order, and what is shown last is the latest of its channel', () => {
  const channel = fc.nat(3);
  const ts = fc.nat(20);
  const someInput = fc.oneof(
    fc.tuple(channel, ts).map(([c, at]) => partial(c, at)),
    fc.tuple(channel, ts).map(([c, at]) => final(c, at, at + 1)),
    channel.map(c => ({ type: 'left' as const, channel: c })),
  );
  fc.assert(
    fc.property(fc.array(someInput, { maxLength: 60 }), inputs => {
      const shown = shownOf(inputs).flat();
      const finals = inputs.filter(({ type }) => type === 'final');
      expect(shown.filter(({ type }) => type === 'final')).toEqual(finals);
      const open = new Map<number, PartialEvent>();
      for (const input of inputs) {
        if (input.type === 'partial') open.set(input.channel!, input);
        else if (input.type === 'left') open.delete(input.channel);
        else if (input.type === 'final' && open.has(input.channel!)) {
          if (open.get(input.channel!)!.ts < input.endTs) open.delete(input.channel!);
        }
      }
      if (open.size > 0)
        expect([...open.values()]).toContain(shown.findLast(({ type }) => type === 'partial'));
    }),
  );
});
