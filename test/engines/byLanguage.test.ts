import { describe, expect, it } from 'vitest';
import { byLanguage } from '../../src/engines/byLanguage.ts';
import { createScriptedRecognizer, scriptedSpeech } from '../helpers/scriptedRecognizer.ts';
import { hear } from './recognizerContract.ts';

const speech = scriptedSpeech([4, 7, 0, 0, 0, 9]);

describe('recognisers of several languages', () => {
  it('get the sessions of their languages, and those without a language go to English', async () => {
    const [english, others] = [
      createScriptedRecognizer({ cost: 0.1, maxSessions: 2 }),
      createScriptedRecognizer({ cost: 0.2, languages: ['es', 'fr'], maxSessions: 2 }),
    ];
    await using all = byLanguage([english, others]);
    expect(all.capabilities.languages).toEqual(['en', 'es', 'fr']);
    await hear(all, speech);
    await hear(all, speech, { language: 'fr' });
    await all.recognize([speech], { language: 'es' });
    expect(english.opened).toHaveLength(1);
    expect(others.opened.map(({ language }) => language)).toEqual(['fr', 'es']);
    await using _session = await all.open({ language: 'es' });
    const { streams, streamWork, recordingWork } = all.usage!();
    expect(streams).toBe(1);
    expect(streamWork.audioSeconds).toBeCloseTo(1.2, 1);
    expect(recordingWork.audioSeconds).toBeCloseTo(0.6, 1);
    await expect(all.open({ language: 'tlh' })).rejects.toMatchObject({ code: 'invalid-argument' });
  });

  it('are closed together', async () => {
    const all = byLanguage([createScriptedRecognizer(), createScriptedRecognizer({ languages: ['es'] })]);
    await all.close();
    for (const language of ['en', 'es'])
      await expect(all.open({ language })).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('may not know the same language', () => {
    const twice = [
      createScriptedRecognizer(),
      createScriptedRecognizer({ languages: ['de', 'en'] }),
    ] as const;
    expect(() => byLanguage(twice)).toThrow("Two recognisers know the language 'en'.");
  });
});
