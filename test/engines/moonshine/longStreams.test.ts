// @module-tag tools

import { describe, expect, it } from 'vitest';
import { cpuSecondsOf } from '../../helpers/cpuSeconds.ts';
import { residentMebibytes } from '../../helpers/processMemory.ts';
import { joined, readSampleSpeech, silence } from '../../helpers/sampleSpeech.ts';
import { listen } from '../recognizerContract.ts';
import { decoders, finalsOf, moonshine, textsOf } from './moonshine.ts';

const RATE = 16_000;
const said = joined(readSampleSpeech('not-ill-disposed'), silence(1));
const quiet = silence(10);
const ROUND_SECONDS = 300;
const ROUNDS = 36;

/** Three hours: somebody says a sentence every five minutes. */
function* threeHours(onRound: (round: number) => void): Generator<Int16Array> {
  for (let round = 0; round < ROUNDS; round++) {
    onRound(round);
    yield said;
    for (let left = ROUND_SECONDS * RATE - said.length; left > 0; left -= quiet.length)
      yield quiet.subarray(0, left);
  }
}

/** Memory of this process and of the one with the model, at some rounds. */
function memoryLog(): {
  readonly onRound: (round: number) => void;
  readonly grown: () => Record<string, number>;
} {
  const taken: { heap: number; own: number; model: number }[] = [];
  return {
    onRound(round) {
      if (round % 6 !== 5) return;
      const heap = process.memoryUsage().heapUsed / 2 ** 20;
      taken.push({ heap, own: residentMebibytes('self'), model: residentMebibytes(decoders()[0]!) });
    },
    grown() {
      const [first, last] = [taken[0]!, taken.at(-1)!];
      return { heap: last.heap - first.heap, own: last.own - first.own, model: last.model - first.model };
    },
  };
}

describe('Moonshine for hours', { timeout: 240_000 }, () => {
  it.for(['stream', 'recording'] as const)(
    'needs no more memory at the end than at the beginning: a %s',
    async (kind, context) => {
      const recognizer = await moonshine(context);
      const log = memoryLog();
      let finals: ReturnType<typeof finalsOf>;
      if (kind === 'recording') finals = await recognizer.recognize(threeHours(log.onRound));
      else {
        await using session = await recognizer.open();
        const { results } = listen(session);
        for (const piece of threeHours(log.onRound)) await session.write(piece);
        await session.finish();
        finals = finalsOf(results);
      }
      expect(finals).toHaveLength(ROUNDS);
      // Each is where it was said, to the last one. How early the first word begins depends on the pause before it.
      const offsets = finals.map(({ words }, round) => words[1]!.startFrame / RATE - round * ROUND_SECONDS);
      for (const offset of offsets) expect(Math.abs(offset - offsets[0]!)).toBeLessThan(0.15);
      const { heap, own, model } = log.grown();
      // Three hours of samples would be 330 MB.
      expect(heap).toBeLessThan(40);
      expect(own).toBeLessThan(80);
      expect(model).toBeLessThan(60);
    },
  );

  it('returns nothing in half an hour of silence, for almost no processor time', async context => {
    const recognizer = await moonshine(context);
    await using session = await recognizer.open();
    const { results } = listen(session);
    const seconds = await cpuSecondsOf(async () => {
      for (let second = 0; second < 1800; second += 10) await session.write(quiet);
    });
    // A hundredth of the time; what it takes to hear it all would be 60 s and more.
    expect(seconds).toBeLessThan(18);
    expect(results).toEqual([]);
    await session.write(said);
    await session.finish();
    expect(textsOf(finalsOf(results))).toHaveLength(1);
  });
});
