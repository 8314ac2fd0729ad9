import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Punctuator } from '../../../src/engines/punctuator.ts';
import type { RecognizerResult } from '../../../src/engines/recognizer.ts';
import { encodeMessage, type StreamMessage } from '../../../src/protocol/messages.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { createHypotheses } from '../../../src/service/live/hypotheses.ts';
import { plainPunctuator } from '../../helpers/plainPunctuator.ts';

const RATE = 16_000;

function result(type: 'partial' | 'final', ...words: [string, number, number][]): RecognizerResult {
  return {
    type,
    startFrame: (words[0]?.[1] ?? 0) * RATE,
    endFrame: (words.at(-1)?.[2] ?? 0) * RATE,
    words: words.map(([value, start, end]) => ({
      value,
      startFrame: start * RATE,
      endFrame: end * RATE,
      confidence: 0.5,
    })),
  };
}

async function messagesOf(
  query: Parameters<typeof createHypotheses>[0],
  ...results: RecognizerResult[]
): Promise<StreamMessage[]> {
  const hypotheses = createHypotheses(query, RATE);
  const events = await Promise.all(results.map(item => hypotheses.next(item)));
  return events.filter(event => event !== undefined).map(encodeMessage);
}

describe('an event', () => {
  test('has words only in a partial, and text with times and confidences in a final', async () => {
    expect(
      await messagesOf(
        {},
        result('partial', ['hello', 0.5, 1]),
        result('final', ['hello', 0.5, 1], ['there', 1, 1.5]),
      ),
    ).toEqual([
      { type: 'partial', ts: 0.5, end_ts: 1, elements: [{ type: 'text', value: 'hello' }] },
      {
        type: 'final',
        ts: 0.5,
        end_ts: 1.5,
        elements: [
          { type: 'text', value: 'Hello', ts: 0.5, end_ts: 1, confidence: 0.5 },
          { type: 'punct', value: ' ' },
          { type: 'text', value: 'there', ts: 1, end_ts: 1.5, confidence: 0.5 },
          { type: 'punct', value: '.' },
        ],
      },
    ]);
  });

  test('has times and confidences in partials on request', async () => {
    const [partial] = await messagesOf({ detailedPartials: true }, result('partial', ['hello', 0.5, 1]));
    expect(partial).toMatchObject({
      elements: [{ type: 'text', value: 'hello', ts: 0.5, end_ts: 1, confidence: 0.5 }],
    });
  });

  test('is moved by start_ts, in messages and in words', async () => {
    const query = { startTs: 100.25, detailedPartials: true };
    const [partial, final] = await messagesOf(
      query,
      result('partial', ['yes', 1, 2]),
      result('final', ['yes', 1, 2]),
    );
    expect(partial).toMatchObject({ ts: 101.25, end_ts: 102.25, elements: [{ ts: 101.25, end_ts: 102.25 }] });
    expect(final).toMatchObject({
      ts: 101.25,
      end_ts: 102.25,
      elements: [{ ts: 101.25, end_ts: 102.25 }, {}],
    });
  });

  test('has the speaker of a final on request', async () => {
    const [partial, final] = await messagesOf(
      { enableSpeakerSwitch: true },
      result('partial', ['a', 1, 2]),
      result('final', ['a', 1, 2]),
    );
    expect(partial).not.toHaveProperty('speaker_id');
    expect(final).toHaveProperty('speaker_id', 0);
  });

  test('contains no sentence shared by two speakers', async () => {
    const said = ['we went to the', 'house of my father'].map((text, final) =>
      result(
        'final',
        ...text
          .split(' ')
          .map((word, at): [string, number, number] => [word, 9 * final + at, 9 * final + at + 1]),
      ),
    );
    const firstWords = async (speakerDuring: (startFrame: number) => Promise<number>) => {
      const hypotheses = createHypotheses({ enableSpeakerSwitch: true }, RATE, { speakerDuring });
      const events = await Promise.all(said.map(final => hypotheses.next(final)));
      return events.map(event => event?.elements[0]?.value);
    };
    expect(await firstWords(async () => 0)).toEqual(['We', 'house']);
    expect(await firstWords(async startFrame => (startFrame > 0 ? 1 : 0))).toEqual(['We', 'House']);
  });

  test('keeps its order when partials are skipped, and still withdraws them', async () => {
    const answer = Promise.withResolvers<void>();
    const punctuator: Punctuator = {
      ...plainPunctuator,
      async punctuate(utterance) {
        await answer.promise;
        return plainPunctuator.punctuate(utterance);
      },
    };
    const hypotheses = createHypotheses({}, RATE, { punctuator });
    const written: string[] = [];
    const write = (item: RecognizerResult) =>
      hypotheses.next(item).then(event => {
        written.push(event ? `${event.type} ${event.elements.length}` : 'nothing');
      });
    const all = [write(result('partial', ['one', 0, 1])), write(result('final', ['one', 0, 1]))];
    for (let partial = 0; partial < 200; partial++) all.push(write(result('partial', ['two', 1, 2])));
    all.push(write(result('partial')));
    answer.resolve();
    await Promise.all(all);
    expect(written.slice(0, 3)).toEqual(['partial 1', 'final 2', 'partial 1']);
    expect(written.filter(event => event === 'nothing').length).toBeGreaterThan(50);
    expect(written.at(-1)).toBe('partial 0');
  });

  test('queries the speaker as soon as a final arrives, whatever waits before it', async () => {
    const asked: number[] = [];
    const punctuator: Punctuator = { ...plainPunctuator, punctuate: () => new Promise(() => {}) };
    const hypotheses = createHypotheses({ enableSpeakerSwitch: true }, RATE, {
      punctuator,
      clock: new VirtualClock(),
      speakerDuring: async startFrame => asked.push(startFrame),
    });
    void hypotheses.next(result('final', ['one', 0, 1]));
    void hypotheses.next(result('final', ['two', 1, 2]));
    expect(asked).toEqual([0, RATE]);
  });

  test('queries the speaker of reported finals only', async () => {
    const asked: number[] = [];
    const speakerDuring = async (startFrame: number) => asked.push(startFrame);
    const options = { enableSpeakerSwitch: true, removeDisfluencies: true };
    const hypotheses = createHypotheses(options, RATE, { speakerDuring });
    await hypotheses.next(result('final', ['um', 0, 1]));
    await hypotheses.next(result('final', ['yes', 2, 3]));
    expect(asked).toEqual([2 * RATE]);
  });

  test('has phrases in their given spelling, in finals', async () => {
    const heard = result('final', ['at', 0, 1], ['norland', 1, 2], ['park', 2, 3]);
    const hypotheses = createHypotheses({}, RATE, { phrases: ['Norland Park'] });
    const events = [{ ...heard, type: 'partial' as const }, heard].map(item => hypotheses.next(item));
    const values = (await Promise.all(events)).map(event => event?.elements.map(({ value }) => value));
    expect(values).toEqual([
      ['at', 'norland', 'park'],
      ['At', ' ', 'Norland', ' ', 'Park', '.'],
    ]);
  });

  test('is absent for a partial without words', async () => {
    expect(await messagesOf({}, result('partial'), result('partial'))).toEqual([]);
  });

  test('is inaudible speech for a final without words', async () => {
    const inaudible = { ...result('final'), startFrame: 2 * RATE, endFrame: 5 * RATE };
    const messages = await messagesOf(
      { removeDisfluencies: true },
      result('partial', ['a', 1, 2]),
      inaudible,
    );
    expect(messages[1]).toMatchObject({ type: 'final', ts: 2, end_ts: 5 });
    expect(messages[1]).toMatchObject({ elements: [{ type: 'unknown', value: '<inaudible>' }] });
  });

  test('withdraws a partial whose words disappeared', async () => {
    const messages = await messagesOf(
      {},
      result('partial', ['a', 1, 2]),
      result('partial'),
      result('partial'),
    );
    expect(messages.map(({ type }) => type)).toEqual(['partial', 'partial']);
    expect(messages[1]).toMatchObject({ elements: [] });
  });

  test('never goes back in time, and each final ends after its start', async () => {
    const time = fc.integer({ min: 0, max: 100_000 });
    const word = fc.record({ value: fc.constantFrom('a', 'um', 'b'), startFrame: time, endFrame: time });
    const results = fc.array(
      fc.record({
        type: fc.constantFrom('partial', 'final'),
        startFrame: time,
        endFrame: time,
        words: fc.array(word, { maxLength: 4 }),
      }),
      { maxLength: 20 },
    );
    const startTs = fc.constantFrom(0, 0.005, 1.005, 12.345, 1_764_355_814.37, 99_999_999_999.99);
    await fc.assert(
      fc.asyncProperty(results, startTs, fc.boolean(), async (items, startTs, detailedPartials) => {
        const hypotheses = createHypotheses({ startTs, detailedPartials, removeDisfluencies: true }, RATE);
        let finalEnd = 0;
        for (const item of items as RecognizerResult[]) {
          const event = await hypotheses.next(item);
          if (!event) continue;
          const message = encodeMessage(event);
          if (message.type === 'connected') throw new Error('not expected');
          expect(message.ts).toBeGreaterThanOrEqual(finalEnd);
          expect(message.ts).toBeLessThan(message.end_ts);
          const times = message.elements.flatMap(element =>
            element.type === 'text' && element.ts !== undefined ? [element.ts, element.end_ts!] : [],
          );
          const inOrder = [message.ts, ...times, message.end_ts];
          expect(inOrder).toEqual([...inOrder].sort((a, b) => a - b));
          if (message.type === 'final') finalEnd = message.end_ts;
        }
      }),
    );
  });
});
