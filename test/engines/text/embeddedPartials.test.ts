// @module-tag tools

import { expect, test } from 'vitest';
import { createPostProcessor } from '../../../src/engines/text/postprocess.ts';
import { eventually } from '../../helpers/eventually.ts';
import { readSampleSpeech } from '../../helpers/sampleSpeech.ts';
import { moonshine } from '../moonshine/moonshine.ts';
import { listen } from '../recognizerContract.ts';

test('partials of the embedded recogniser have the capitals of its names', async context => {
  const recognizer = await moonshine(context);
  await using session = await recognizer.open();
  const { results } = listen(session);
  await session.write(readSampleSpeech('sense-and-sensibility').subarray(0, 2.5 * 16_000));
  await eventually(() => expect(results.at(-1)?.words.length).toBeGreaterThan(3));
  const post = createPostProcessor({ sampleRate: 16_000 });
  const words = await post.partial(post.start, results.at(-1)!);
  expect(words.map(({ value }) => value).join(' ')).toMatch(/^And Mr\.? John Dashwood\b.*[^.]$/);
});
