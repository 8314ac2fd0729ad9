import { transcribe } from 'rxscribe';
import { expect } from 'vitest';
import { RECORDING, replayTest, SAID } from './replayTest.ts';

// To test a service instead of its recording, set its url and token here.
replayTest('no more than three of ten words are wrong', async ({ play }) => {
  const server = await play(RECORDING);
  const { url, token } = server;
  await expect(transcribe({ url, token })).toTranscribe(RECORDING, { as: SAID, maxWer: 0.3, server });
});
