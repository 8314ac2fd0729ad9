import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Diarizer } from '../../../src/engines/diarizer.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { followSpeakers } from '../../../src/service/live/followSpeakers.ts';
import { createScriptedDiarizer } from '../../helpers/scriptedDiarizer.ts';
import { scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';

function follow(diarizer: Diarizer, sampleRate = 16_000) {
  const heard: number[] = [];
  const errors: unknown[] = [];
  const session = {
    write: async (samples: Int16Array) => void heard.push(samples.length),
    finish: async () => {},
  };
  const { signal } = new AbortController();
  const onError = (error: unknown) => errors.push(error);
  const clock = new VirtualClock();
  const options = { sampleRate, signal, onError, clock };
  return { followed: followSpeakers(session, diarizer, options), heard, errors, clock };
}

test('a failure is reported once, and the recogniser still gets the audio', async () => {
  const failure = new Error('the thread ended');
  const diarizer: Diarizer = {
    ...createScriptedDiarizer(),
    async track() {
      const tracker = await createScriptedDiarizer().track();
      return { ...tracker, write: () => Promise.reject(failure) };
    },
  };
  const { followed, heard, errors } = follow(diarizer);
  await Promise.all([1, 2, 3].map(length => followed.recognizer.write(new Int16Array(length))));
  expect(await followed.speakerDuring(0, 3)).toBe(0);
  expect(heard).toEqual([1, 2, 3]);
  expect(errors).toEqual([failure]);
});

test('a diarizer that never answers is given up, without a wait for its end', async () => {
  const never = () => new Promise<never>(() => {});
  const tracker = { ...(await createScriptedDiarizer().track()), speakerDuring: never, close: never };
  for (const track of [never, async () => tracker]) {
    const { followed, heard, errors, clock } = follow({ ...createScriptedDiarizer(), track });
    const written = followed.recognizer.write(new Int16Array(3));
    const asked = followed.speakerDuring(0, 3);
    await setImmediate();
    clock.advance(30_000);
    await written;
    expect(await asked).toBe(0);
    expect(heard).toEqual([3]);
    expect(errors).toMatchObject([{ code: 'timeout' }]);
    const closed = followed.close();
    await setImmediate();
    clock.advance(1000);
    await closed;
  }
});

test('speakers are found at the same time in a session of another rate', async () => {
  const { followed, errors } = follow(createScriptedDiarizer(), 8000);
  // At 8 kHz a level lasts 0.2 s.
  const speech = scriptedSpeech([7, 107, 7, 7]);
  await followed.recognizer.write(speech);
  await followed.recognizer.write(new Int16Array(800));
  expect(await followed.speakerDuring(400, 1200)).toBe(0);
  expect(await followed.speakerDuring(2000, 2800)).toBe(1);
  expect(await followed.speakerDuring(4000, 6000)).toBe(0);
  expect(errors).toEqual([]);
});
