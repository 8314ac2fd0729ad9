// @module-tag slow

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { interleave } from '../../../src/audio/format/channels.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { transcribeApart, writeLongMedia } from '../../helpers/longMedia.ts';
import { scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';

const HOURS = 2;
/** Memory of a Node process with all modules loaded, and some garbage; the samples of all hours would add 460 MB. */
const MOST_MEGABYTES = 320;

test('the channels of hours of media are never all in memory', async () => {
  const path = join(await temporaryDirectory(), 'long.wav');
  const planar = [...scriptedSpeech([4, 7, 0, 0, 0]), ...scriptedSpeech([0, 0, 0, 5, 6])];
  const speech = Int16Array.from(interleave(Float32Array.from(planar), 2));
  const seconds = HOURS * 3600;
  await writeLongMedia({ path, seconds, channels: 2, speech });
  expect((await stat(path)).size).toBe(44 + seconds * 64_000);
  const { transcript, durationSeconds, peakMegabytes } = await transcribeApart(path, {
    speakerChannelsCount: 2,
  });
  expect(durationSeconds).toBe(seconds);
  const { monologues } = JSON.parse(transcript);
  expect(monologues).toMatchObject([
    { speaker: 0, elements: [{ value: 'W4', ts: seconds - 0.5 }, {}, { value: 'w7' }, {}] },
    { speaker: 1, elements: [{ value: 'W5', ts: seconds - 0.2 }, {}, { value: 'w6' }, {}] },
  ]);
  expect(peakMegabytes).toBeLessThan(MOST_MEGABYTES);
});
