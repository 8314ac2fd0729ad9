import { describe, expect, it } from 'vitest';
import type { Punctuator, WrittenWord } from '../../../src/engines/punctuator.ts';
import { createPunctuation, MAX_PUNCTUATION_MS } from '../../../src/engines/text/punctuation.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';

const SAID = { words: [{ value: 'we' }, { value: 'went' }] };
const PLAIN: readonly WrittenWord[] = [
  { value: 'We', mark: '' },
  { value: 'went', mark: '.' },
];

function punctuatorOf(punctuate: Punctuator['punctuate']): Punctuator & { asked: number } {
  const close = async () => {};
  const punctuator = {
    name: 'test',
    languages: ['en'],
    asked: 0,
    punctuate: (...call: Parameters<Punctuator['punctuate']>) => {
      punctuator.asked++;
      return punctuate(...call);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  return punctuator;
}

describe('unreliable punctuation', () => {
  it('is replaced by the plain rule each time it fails, and reported once', async () => {
    const errors: unknown[] = [];
    const punctuator = punctuatorOf(() => Promise.reject(new Error('broken')));
    const punctuate = createPunctuation({ punctuator, onError: error => errors.push(error) });
    for (let time = 0; time < 3; time++) expect(await punctuate(SAID)).toEqual(PLAIN);
    expect(punctuator.asked).toBe(3);
    expect(errors).toEqual([new Error('broken')]);
  });

  it('is rejected when it lost a word', async () => {
    const errors: unknown[] = [];
    const punctuator = punctuatorOf(async () => PLAIN.slice(1));
    const punctuate = createPunctuation({ punctuator, onError: error => errors.push(error) });
    expect(await punctuate(SAID)).toEqual(PLAIN);
    expect(errors).toMatchObject([{ code: 'engine-failed' }]);
  });

  it('is abandoned for good when it does not answer, and can stop', async () => {
    const errors: unknown[] = [];
    const clock = new VirtualClock();
    let stopped: unknown;
    const punctuator = punctuatorOf((_, { signal } = {}) => {
      signal?.addEventListener('abort', () => {
        stopped = signal.reason;
      });
      return new Promise(() => {});
    });
    const punctuate = createPunctuation({ punctuator, clock, onError: error => errors.push(error) });
    const written = punctuate(SAID);
    await clock.advanceAsync(MAX_PUNCTUATION_MS);
    expect(await written).toEqual(PLAIN);
    expect(stopped).toMatchObject({ code: 'engine-failed' });
    expect(await punctuate(SAID)).toEqual(PLAIN);
    expect(punctuator.asked).toBe(1);
    expect(errors).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  it('is not awaited after the signal, whether it listens or not, and nothing is reported', async () => {
    const errors: unknown[] = [];
    const clock = new VirtualClock();
    const stop = new AbortController();
    const punctuator = punctuatorOf(() => new Promise(() => {}));
    const punctuate = createPunctuation({ punctuator, clock, onError: error => errors.push(error) });
    const written = punctuate(SAID, stop.signal);
    stop.abort(new Error('stopped'));
    await expect(written).rejects.toThrow('stopped');
    await expect(punctuate(SAID, stop.signal)).rejects.toThrow('stopped');
    expect(errors).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('is not used for languages that it does not support', async () => {
    const punctuator = punctuatorOf(() => Promise.reject(new Error('broken')));
    expect(await createPunctuation({ punctuator, language: 'de' })(SAID)).toEqual(PLAIN);
    expect(punctuator.asked).toBe(0);
  });
});
