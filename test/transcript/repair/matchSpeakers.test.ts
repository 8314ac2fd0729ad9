import { describe, expect, it } from 'vitest';
import { matchSpeakers } from '../../../src/transcript/repair/matchSpeakers.ts';
import { final } from '../../helpers/transcriptEvents.ts';

const said = (speaker: number, ts: number, endTs: number) => ({
  speaker,
  elements: final('some words', ts, endTs).elements,
});
const matched = (...args: Parameters<typeof matchSpeakers>) => Object.fromEntries(matchSpeakers(...args));

describe('matchSpeakers', () => {
  it('takes those for one who share most time', () => {
    const live = [said(3, 0, 4), said(5, 4, 9)];
    expect(matched([said(0, 3.5, 9), said(1, 0, 3.5)], live, [])).toEqual({ 0: 5, 1: 3 });
  });

  it('takes finals and monologues without a number for those of speaker 0', () => {
    expect(matched([{ elements: said(0, 0, 4).elements }], [final('some words', 0, 4)], [])).toEqual({
      0: 0,
    });
    expect(matched([said(1, 0, 4)], [final('some words', 0, 4)], [])).toEqual({ 1: 0 });
  });

  it('takes nobody for two', () => {
    expect(matched([said(0, 0, 2), said(1, 2, 6)], [said(0, 0, 6)], [0])).toEqual({ 0: 1, 1: 0 });
  });

  it('passes over a moment in common', () => {
    expect(matched([said(0, 1.9, 4)], [said(7, 0, 2)], [7])).toEqual({ 0: 0 });
  });

  it('numbers newcomers by what no speaker has', () => {
    expect(matched([said(0, 0, 1), said(1, 1, 2)], [], [0, 2])).toEqual({ 0: 1, 1: 3 });
  });
});
