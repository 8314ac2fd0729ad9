import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import type { Diarizer, SpeakerTurn } from '../../src/engines/diarizer.ts';
import { abortingAudio, brokenAudio, piecesOf } from '../helpers/cutAudio.ts';

export interface DiarizerUnderTest {
  readonly create: () => Diarizer;
  /** Speech of two people, at the engine's rate. */
  readonly speech: () => Int16Array;
  /** Why the engine cannot run here; undefined when it can. */
  readonly missing?: string;
}

/** What every diarizer does, whoever speaks. */
export function diarizerContract(name: string, engine: DiarizerUnderTest): void {
  function create(context: TestContext): Diarizer {
    if (engine.missing) context.skip(engine.missing);
    const diarizer = engine.create();
    onTestFinished(() => diarizer.close());
    return diarizer;
  }
  const whole = () => [engine.speech()];
  const speakersIn = (turns: readonly SpeakerTurn[]) => [...new Set(turns.map(({ speaker }) => speaker))];

  describe(`${name} as a diarizer`, { timeout: 120_000 }, () => {
    it('numbers the speakers in the order in which they begin, within the audio', async context => {
      const turns = await create(context).diarize(whole());
      expect(turns.length).toBeGreaterThanOrEqual(2);
      for (const { startFrame, endFrame } of turns) {
        expect(startFrame).toBeGreaterThanOrEqual(0);
        expect(endFrame).toBeGreaterThan(startFrame);
        expect(endFrame).toBeLessThanOrEqual(engine.speech().length);
      }
      const inOrder = turns.toSorted((one, other) => one.startFrame - other.startFrame);
      expect(turns).toEqual(inOrder);
      expect(speakersIn(turns)).toEqual([...speakersIn(turns).keys()]);
    });

    it('heeds how many speakers there are', async context => {
      const diarizer = create(context);
      expect(speakersIn(await diarizer.diarize(whole(), { speakersCount: 1 }))).toEqual([0]);
      expect(speakersIn(await diarizer.diarize(whole(), { speakersCount: 2 }))).toEqual([0, 1]);
    });

    it('hears the same however the audio is cut', async context => {
      const diarizer = create(context);
      const turns = await diarizer.diarize(piecesOf(engine.speech(), 777));
      expect(turns).toEqual(await diarizer.diarize(whole()));
    });

    it('hears nobody in silence, nor in no audio at all', async context => {
      const diarizer = create(context);
      expect(await diarizer.diarize([new Int16Array(10 * diarizer.sampleRate)])).toEqual([]);
      expect(await diarizer.diarize([])).toEqual([]);
    });

    it('fails with what its audio fails with', async context => {
      const diarizing = create(context).diarize(brokenAudio(engine.speech()));
      await expect(diarizing).rejects.toThrow('the audio broke off');
    });

    it('gives up with the reason of the signal', async context => {
      const controller = new AbortController();
      const audio = abortingAudio(engine.speech(), controller);
      const diarizing = create(context).diarize(audio, { signal: controller.signal });
      await expect(diarizing).rejects.toThrow('enough');
    });

    it('can be closed twice', async context => {
      const diarizer = create(context);
      await diarizer.close();
      await diarizer.close();
    });
  });
}
