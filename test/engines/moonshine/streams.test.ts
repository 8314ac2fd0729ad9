// @module-tag tools

import { describe, expect, it } from 'vitest';
import { piecesOf } from '../../helpers/cutAudio.ts';
import { errorLike } from '../../helpers/errorLike.ts';
import { joined, readSampleSpeech, silence } from '../../helpers/sampleSpeech.ts';
import { hear, listen, repeated } from '../recognizerContract.ts';
import { tinyModel } from './embeddedFiles.ts';
import { finalsOf, moonshine, textsOf } from './moonshine.ts';

const sentence = readSampleSpeech('not-ill-disposed');
const reading = readSampleSpeech('sense-and-sensibility');
/** The second and the third sentence of the reading. */
const two = joined(reading.subarray(7.4 * 16_000, 17 * 16_000), silence(0.6));

describe('concurrent streams', { timeout: 240_000 }, () => {
  it('have all their words, eight on one process, and a ninth is rejected until one is closed', async context => {
    const recognizer = await moonshine(context, { maxSessions: 8 });
    const expected = finalsOf(await hear(recognizer, two));
    expect(textsOf(expected)).toHaveLength(2);
    const sessions = await Promise.all(Array.from({ length: 8 }, () => recognizer.open()));
    const heard = sessions.map(listen);
    await expect(recognizer.open()).rejects.toMatchObject(errorLike('unavailable', 'all 8 are in use'));
    await Promise.all(
      sessions.map(async session => {
        for (const piece of piecesOf(two, 3200)) await session.write(piece);
        await session.finish();
      }),
    );
    for (const { results } of heard) expect(finalsOf(results)).toEqual(expected);
    // Each is closed by its end; one place was enough.
    await (await recognizer.open()).close();
  });

  it('are independent in speech and phrases', async context => {
    const recognizer = await moonshine(context, { model: await tinyModel(), maxSessions: 4 });
    const said = joined(sentence, silence(0.6));
    const phrases = ['Ill-Disposed'];
    const alone = [
      finalsOf(await hear(recognizer, said)),
      finalsOf(await hear(recognizer, said, { phrases })),
      finalsOf(await hear(recognizer, two)),
    ];
    expect(textsOf(alone[0]!)).not.toEqual(textsOf(alone[1]!));
    const together = await Promise.all([
      hear(recognizer, said, { pieces: 800 }),
      hear(recognizer, said, { phrases, pieces: 1600 }),
      hear(recognizer, two, { pieces: 2400 }),
    ]);
    expect(together.map(finalsOf)).toEqual(alone);
  });

  it.for([1, 2])(
    'have their finals while recordings are decoded, on %d processes',
    async (processes, context) => {
      const recognizer = await moonshine(context, { maxSessions: 4, processes });
      const expected = finalsOf(await hear(recognizer, two));
      let isOver = false;
      const recordings = [1, 2].map(() => recognizer.recognize([repeated(reading, 2)]));
      const recorded = Promise.all(recordings).finally(() => {
        isOver = true;
      });
      const [one, other] = await Promise.all([
        hear(recognizer, two),
        hear(recognizer, two, { pieces: 1600 }),
      ]);
      // They do not wait for the recordings, which take far longer.
      expect(isOver).toBe(false);
      expect(finalsOf(one)).toEqual(expected);
      expect(finalsOf(other)).toEqual(expected);
      const [first, second] = await recorded;
      expect(first).toHaveLength(10);
      expect(second).toEqual(first);
    },
  );

  it('do not count recordings, which are unlimited', async context => {
    const recognizer = await moonshine(context, { maxSessions: 1 });
    const said = joined(sentence, silence(0.6));
    const finals = await Promise.all([1, 2, 3].map(() => recognizer.recognize([said])));
    expect(finals.map(found => found.length)).toEqual([1, 1, 1]);
  });

  it('have finals of the quick model when those of others were late, and count as such', async context => {
    const recognizer = await moonshine(context, { maxSessions: 100 });
    // Finals are late a second after their audio would have been spoken: so many last longer on a fast machine too.
    const late = await Promise.all(Array.from({ length: 96 }, () => recognizer.open()));
    await Promise.all(
      late.map(async session => {
        await session.write(joined(sentence, silence(1)));
        await session.finish();
      }),
    );
    await using session = await recognizer.open();
    expect(recognizer.usage?.()).toMatchObject({ streams: 1, quickStreams: 1 });
    const { results } = listen(session);
    await session.write(sentence);
    await session.finish();
    const tiny = await moonshine(context, { model: await tinyModel() });
    expect(finalsOf(results)).toEqual(finalsOf(await hear(tiny, sentence)));
  });
});
