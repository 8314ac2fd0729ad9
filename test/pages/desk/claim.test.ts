import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  CLAIM_DELAYS_MS,
  type ClaimEvent,
  type ClaimState,
  keepClaim,
  mayType,
  nextClaim,
} from '../../../src/pages/desk/claim.ts';

describe('the claim of a job', () => {
  const events = ['confirmed', 'unreachable', 'unauthorized', 'lapsed', 'claimed', 'ended'] as const;

  test.each<[ClaimState, readonly ClaimState[]]>([
    ['held', ['held', 'unsure', 'loggedOut', 'lapsed', 'taken', 'ended']],
    ['unsure', ['held', 'unsure', 'loggedOut', 'lapsed', 'taken', 'ended']],
    ['lapsed', ['held', 'lapsed', 'loggedOut', 'lapsed', 'taken', 'ended']],
    ['taken', ['held', 'taken', 'taken', 'taken', 'taken', 'ended']],
    ['loggedOut', ['held', 'loggedOut', 'loggedOut', 'lapsed', 'taken', 'ended']],
    ['ended', ['ended', 'ended', 'ended', 'ended', 'ended', 'ended']],
  ])('that is %s goes on with each event', (state, expected) => {
    expect(events.map(event => nextClaim(state, event))).toEqual(expected);
  });

  test('is not concerned by another revision', () => {
    expect(nextClaim('held', 'revision')).toBe('held');
  });

  test('lets text be typed unless the job is that of another person, or has ended', () => {
    const states = ['held', 'unsure', 'lapsed', 'loggedOut', 'taken', 'ended'] as const;
    expect(states.filter(mayType)).toEqual(['held', 'unsure', 'lapsed', 'loggedOut']);
    expect(states.filter(state => state in CLAIM_DELAYS_MS)).toEqual(['held', 'unsure', 'lapsed']);
  });
});

describe('the heart-beat', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function started(answers: readonly ClaimEvent[]) {
    const states: string[] = [];
    let asked = 0;
    const keeper = keepClaim({
      ask: async () => answers[asked++] ?? 'confirmed',
      onState: state => states.push(state),
    });
    return { keeper, states, asked: () => asked };
  }

  test('asks each 30 s, and sooner when there is no answer', async () => {
    const { keeper, states, asked } = started(['confirmed', 'unreachable', 'unreachable', 'confirmed']);
    await vi.advanceTimersByTimeAsync(29_000);
    expect(asked()).toBe(0);
    await vi.advanceTimersByTimeAsync(31_000);
    expect([asked(), states]).toEqual([2, ['unsure']]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect([asked(), states]).toEqual([4, ['unsure', 'held']]);
    keeper.close();
    await vi.advanceTimersByTimeAsync(100_000);
    expect(asked()).toBe(4);
  });

  test('asks at once for a claim that a save found lapsed', async () => {
    const { keeper, states, asked } = started(['claimed']);
    keeper.report('lapsed');
    await vi.advanceTimersByTimeAsync(2000);
    expect([asked(), states]).toEqual([1, ['lapsed', 'taken']]);
    await vi.advanceTimersByTimeAsync(100_000);
    expect(asked()).toBe(1);
    expect(await keeper.askNow()).toBe('held');
    expect(states).toEqual(['lapsed', 'taken', 'held']);
    keeper.close();
  });

  test('asks once when it is asked twice at a time', async () => {
    const { keeper, asked } = started([]);
    await Promise.all([keeper.askNow(), keeper.askNow()]);
    expect(asked()).toBe(1);
    keeper.close();
  });
});
