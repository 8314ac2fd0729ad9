// @module-tag slow

import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { inspectModel } from '../../../src/engines/models/inspectModel.ts';
import type { ModelDirectory } from '../../../src/engines/models/modelDirectory.ts';
import { createSherpaDiarizer, type SherpaDiarizerOptions } from '../../../src/engines/sherpa/diarizer.ts';
import { childrenWith } from '../../helpers/childProcesses.ts';
import { errorLike } from '../../helpers/errorLike.ts';
import { eventually } from '../../helpers/eventually.ts';
import { onnxModel } from '../../helpers/onnxModel.ts';
import { joined, silence } from '../../helpers/sampleSpeech.ts';
import { modelFiles } from '../../helpers/toneModels.ts';
import { diarizerContract } from '../diarizerContract.ts';
import { embeddingModel, segmentationModel, voice } from './voiceModels.ts';

const RATE = 16_000;
const speech = joined(
  ...[silence(0.5), voice(1, 3), silence(1), voice(0, 3), silence(1), voice(1, 2), silence(0.5)],
);

const directory = await modelFiles({
  'segmentation.onnx': onnxModel(segmentationModel()),
  'embedding.onnx': onnxModel(embeddingModel()),
});
const model = await inspectModel(directory.path);
afterAll(() => directory[Symbol.asyncDispose]());

diarizerContract('sherpa-onnx with models of tones', {
  create: () => createSherpaDiarizer(model),
  speech: () => joined(voice(1, 6), silence(1), voice(0, 6), silence(1), voice(1, 4)),
});

function create(options?: SherpaDiarizerOptions, of: ModelDirectory = model) {
  const diarizer = createSherpaDiarizer(of, options);
  onTestFinished(() => diarizer.close());
  return diarizer;
}

const processes = () => childrenWith('sherpa/child');

describe('a diarizer of sherpa-onnx', { timeout: 120_000 }, () => {
  it('finds the speakers of a recording', async () => {
    const turns = await create().diarize([speech]);
    const seconds = turns.map(({ speaker, startFrame, endFrame }) => ({
      speaker,
      start: Math.round((10 * startFrame) / RATE) / 10,
      end: Math.round((10 * endFrame) / RATE) / 10,
    }));
    expect(seconds).toEqual([
      { speaker: 0, start: 0.5, end: 3.5 },
      { speaker: 1, start: 4.5, end: 7.5 },
      { speaker: 0, start: 8.5, end: 10.5 },
    ]);
  });

  it('recognises speakers again in another block of a long recording', async () => {
    const whole = joined(speech, voice(0, 4), silence(1), voice(1, 4));
    const turns = await create({ blockSeconds: 11 }).diarize([whole]);
    expect(turns.map(({ speaker }) => speaker)).toEqual([0, 1, 0, 1, 0]);
    expect(turns.at(-1)!.startFrame / RATE).toBeCloseTo(speech.length / RATE + 5, 1);
    const hinted = await create({ blockSeconds: 11 }).diarize([whole], { speakersCount: 1 });
    expect(new Set(hinted.map(({ speaker }) => speaker))).toEqual(new Set([0]));
  });

  it('treats an impossible number of speakers as a hint', async () => {
    for (const speakersCount of [0, 3, 50]) {
      const turns = await create().diarize([voice(0, 2)], { speakersCount });
      expect(turns).toHaveLength(1);
    }
  });

  it('ends the process of a recording with it', async () => {
    const diarizer = create();
    await diarizer.diarize([speech]);
    expect(processes()).toEqual([]);
  });

  it('fails when its process dies', async () => {
    async function* audio() {
      yield speech;
      process.kill(processes()[0]!, 'SIGKILL');
      for (;;) yield speech;
    }
    await expect(create().diarize(audio())).rejects.toMatchObject({ code: 'engine-failed' });
  });

  it('reports a broken model, and survives it', async () => {
    const { metadata, ...embedding } = embeddingModel();
    const wrong = await modelFiles({
      'segmentation.onnx': onnxModel(segmentationModel()),
      'embedding.onnx': onnxModel({ ...embedding, metadata: { ...metadata, framework: 'abacus' } }),
    });
    onTestFinished(() => wrong[Symbol.asyncDispose]());
    const failure = {
      code: 'engine-failed',
      message: expect.stringMatching(/Unknown model type/),
    };
    const diarizer = create({}, await inspectModel(wrong.path));
    await expect(diarizer.diarize([speech])).rejects.toMatchObject(failure);
    await expect(diarizer.track()).rejects.toMatchObject(failure);
    await eventually(() => expect(processes()).toEqual([]));
    const gone = { ...model, files: { ...model.files, embedding: `${model.path}/none.onnx` } };
    await expect(create({}, gone).diarize([speech])).rejects.toMatchObject(
      errorLike('engine-missing', 'none.onnx'),
    );
  });
});

describe('a tracker of sherpa-onnx', { timeout: 120_000 }, () => {
  async function track(options?: Parameters<ReturnType<typeof create>['track']>[0]) {
    const diarizer = create();
    return { diarizer, tracker: await diarizer.track(options) };
  }
  const seconds = (from: number, to: number) => [from * RATE, to * RATE] as const;

  it('numbers speakers in the order of requests, and recognises them again', async () => {
    const { tracker } = await track();
    await tracker.write(speech);
    expect(await tracker.speakerDuring(...seconds(4.5, 7.5))).toBe(0);
    expect(await tracker.speakerDuring(...seconds(0.5, 3.5))).toBe(1);
    expect(await tracker.speakerDuring(...seconds(8.5, 10.5))).toBe(1);
    // Too short for somebody new, and long enough to be known again.
    expect(await tracker.speakerDuring(...seconds(4.5, 5))).toBe(0);
  });

  it('returns the main speaker', async () => {
    const { tracker } = await track();
    await tracker.write(joined(voice(0, 6), voice(1, 3)));
    expect(await tracker.speakerDuring(...seconds(6, 9))).toBe(0);
    expect(await tracker.speakerDuring(...seconds(0, 9))).toBe(1);
  });

  it('keeps the last minute of a long stream, and returns the last speaker for older audio', async () => {
    const { tracker } = await track();
    for (let minute = 0; minute < 2; minute++) await tracker.write(silence(60));
    await tracker.write(speech);
    const start = 120;
    expect(await tracker.speakerDuring(...seconds(start + 0.5, start + 3.5))).toBe(0);
    expect(await tracker.speakerDuring(...seconds(start + 4.5, start + 7.5))).toBe(1);
    expect(await tracker.speakerDuring(...seconds(0, 10))).toBe(1);
  });

  it('serves all streams by one process', async () => {
    const diarizer = create();
    await using one = await diarizer.track();
    await using other = await diarizer.track();
    expect(processes()).toHaveLength(1);
    await one.write(voice(0, 3));
    await other.write(voice(1, 3));
    expect(await one.speakerDuring(...seconds(0, 3))).toBe(0);
    expect(await other.speakerDuring(...seconds(0, 3))).toBe(0);
  });

  it('fails when its process dies, and the next one works', async () => {
    const { tracker, diarizer } = await track();
    await tracker.write(speech);
    process.kill(processes()[0]!, 'SIGKILL');
    const asking = tracker.speakerDuring(...seconds(0.5, 3.5));
    await expect(asking).rejects.toMatchObject({ code: 'engine-failed' });
    await eventually(() => expect(processes()).toEqual([]));
    const next = await diarizer.track();
    await next.write(speech);
    expect(await next.speakerDuring(...seconds(0.5, 3.5))).toBe(0);
  });
});
