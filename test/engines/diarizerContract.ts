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

/** Behaviour of every diarizer, for any speakers. */
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

    it('respects the given number of speakers', async context => {
      const diarizer = create(context);
      expect(speakersIn(await diarizer.diarize(whole(), { speakersCount: 1 }))).toEqual([0]);
      expect(speakersIn(await diarizer.diarize(whole(), { speakersCount: 2 }))).toEqual([0, 1]);
    });

    it('finds the same turns however the audio is cut', async context => {
      const diarizer = create(context);
      const turns = await diarizer.diarize(piecesOf(engine.speech(), 777));
      expect(turns).toEqual(await diarizer.diarize(whole()));
    });

    it('finds nobody in silence, nor in no audio at all', async context => {
      const diarizer = create(context);
      expect(await diarizer.diarize([new Int16Array(10 * diarizer.sampleRate)])).toEqual([]);
      expect(await diarizer.diarize([])).toEqual([]);
    });

    it('fails with the error of its audio', async context => {
      const diarizing = create(context).diarize(brokenAudio(engine.speech()));
      await expect(diarizing).rejects.toThrow('the audio broke off');
    });

    it('rejects with the reason of the signal', async context => {
      const controller = new AbortController();
      const audio = abortingAudio(engine.speech(), controller);
      const diarizing = create(context).diarize(audio, { signal: controller.signal });
      await expect(diarizing).rejects.toThrow('enough');
    });

    describe('tracking a stream', () => {
      const second = (diarizer: Diarizer) => diarizer.sampleRate;

      it('names the speaker during the stream, the first one as 0', async context => {
        const diarizer = create(context);
        await using tracker = await diarizer.track();
        const speech = engine.speech();
        const said: number[] = [];
        const step = Math.floor(speech.length / 8);
        for (let at = 0; at + step <= speech.length; at += step) {
          await tracker.write(speech.subarray(at, at + step));
          said.push(await tracker.speakerDuring(at, at + step));
        }
        expect(said[0]).toBe(0);
        // Numbers are given one after the other, and there are two speakers to be heard.
        expect([...new Set(said)]).toEqual([...new Set(said).keys()]);
        expect(new Set(said).size).toBeGreaterThanOrEqual(2);
      });

      it('finds the same speakers however the audio is cut', async context => {
        const diarizer = create(context);
        const speech = engine.speech().subarray(0, 20 * second(diarizer));
        const speakersWhen = async (cut: number) => {
          await using tracker = await diarizer.track();
          for (const piece of piecesOf(speech, cut)) await tracker.write(piece);
          const said: number[] = [];
          for (let at = 0; at < speech.length; at += 4 * second(diarizer)) {
            said.push(await tracker.speakerDuring(at, at + 4 * second(diarizer)));
          }
          return said;
        };
        expect(await speakersWhen(777)).toEqual(await speakersWhen(speech.length));
      });

      it('has a speaker for silence, for future frames and for the words after them', async context => {
        const diarizer = create(context);
        await using tracker = await diarizer.track();
        expect(await tracker.speakerDuring(0, second(diarizer))).toBe(0);
        await tracker.write(new Int16Array(3 * second(diarizer)));
        expect(await tracker.speakerDuring(0, 3 * second(diarizer))).toBe(0);
        expect(await tracker.speakerDuring(90 * second(diarizer), 95 * second(diarizer))).toBe(0);
        await tracker.write(engine.speech().subarray(0, 4 * second(diarizer)));
        expect(await tracker.speakerDuring(3 * second(diarizer), 7 * second(diarizer))).toBe(0);
      });

      it('has no more speakers than given', async context => {
        const diarizer = create(context);
        await using tracker = await diarizer.track({ speakersCount: 1 });
        await tracker.write(engine.speech());
        for (let at = 0; at < engine.speech().length; at += 5 * second(diarizer)) {
          expect(await tracker.speakerDuring(at, at + 5 * second(diarizer))).toBe(0);
        }
      });

      it('continues beside another stream, and after that is closed', async context => {
        const diarizer = create(context);
        await using tracker = await diarizer.track();
        const other = await diarizer.track();
        await tracker.write(engine.speech().subarray(0, 4 * second(diarizer)));
        await other.close();
        await other.close();
        expect(await tracker.speakerDuring(0, 4 * second(diarizer))).toBe(0);
        await expect(other.write(new Int16Array(160))).rejects.toMatchObject({ code: 'aborted' });
        await expect(other.speakerDuring(0, 160)).rejects.toMatchObject({ code: 'aborted' });
      });

      it('ends with the reason of the signal', async context => {
        const diarizer = create(context);
        const controller = new AbortController();
        await using tracker = await diarizer.track({ signal: controller.signal });
        await tracker.write(engine.speech().subarray(0, second(diarizer)));
        controller.abort(new Error('enough'));
        await expect(tracker.speakerDuring(0, second(diarizer))).rejects.toThrow('enough');
        await expect(diarizer.track({ signal: controller.signal })).rejects.toThrow('enough');
      });
    });

    it('can be closed twice', async context => {
      const diarizer = create(context);
      await diarizer.close();
      await diarizer.close();
    });
  });
}
