import { expect, it } from 'vitest';
import { createScriptedRecognizer, scriptedResults, scriptedSpeech } from '../helpers/scriptedRecognizer.ts';
import { hear, recognizerContract } from './recognizerContract.ts';

const SPEECH = [0, 4, 7, 9, 2, 2, 8, 1, 5, 6, 3, 4, 2, 0, 0, 0, 0, 3, 5, 0, 0, 0];

recognizerContract('the scripted one', {
  create: () => createScriptedRecognizer({ maxSessions: 2, cost: 0.1 }),
  speech: () => scriptedSpeech(SPEECH),
  phrases: { usable: ['Norland', 'ill disposed'], unusable: 'Norland 2' },
});

it('returns the words of the whole recording', async () => {
  const results = await hear(createScriptedRecognizer(), scriptedSpeech(SPEECH), { pieces: 333 });
  expect(results).toEqual(scriptedResults(scriptedSpeech(SPEECH)));
});

it('notices a single wrong sample', () => {
  const wrong = scriptedSpeech(SPEECH);
  wrong[2000]! += 1;
  expect(scriptedResults(wrong)).not.toEqual(scriptedResults(scriptedSpeech(SPEECH)));
});

it('fails on request of the test', async () => {
  const failing = hear(createScriptedRecognizer({ failAfterSeconds: 1 }), scriptedSpeech(SPEECH));
  await expect(failing).rejects.toMatchObject({ code: 'engine-failed' });
});
