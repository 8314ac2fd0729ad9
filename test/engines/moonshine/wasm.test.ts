// @module-tag tools

import { describe, expect, it } from 'vitest';
import { findRecognizer } from '../../../src/cli/local/recognizer.ts';
import { createMoonshineRecognizer } from '../../../src/engines/moonshine/recognizer.ts';
import { findNativeLibrary } from '../../../src/engines/native/nativeLibrary.ts';
import { joined, readSampleSpeech, silence } from '../../helpers/sampleSpeech.ts';
import { recognizerContract } from '../recognizerContract.ts';
import { tinyModel } from './embeddedFiles.ts';
import { finalsOf, moonshine, textsOf } from './moonshine.ts';

const { found } = await findRecognizer(process.env);
const sentence = readSampleSpeech('not-ill-disposed');
const model = found ? await tinyModel() : undefined;

recognizerContract('Moonshine by WebAssembly', {
  create: () => createMoonshineRecognizer({ model, runtime: 'wasm', maxSessions: 2, processes: 1 }),
  speech: () => joined(sentence.subarray(0, 24_000), silence(0.8), sentence),
  phrases: { usable: ['ill-disposed'], unusable: '★ Norland' },
  partialsByClock: true,
  hearingOnly: true,
  ...(!found && { missing: 'needs the speech model: npm run setup' }),
});

describe('Moonshine', { timeout: 120_000 }, () => {
  it('gives the same words with WebAssembly as with the native library, at the same times', {
    tags: 'tools',
  }, async context => {
    if (!findNativeLibrary()) context.skip('there is no native library for this platform');
    const native = await moonshine(context, { model });
    const wasm = await moonshine(context, { model, runtime: 'wasm' });
    for (const sample of ['not-ill-disposed', 'sense-and-sensibility']) {
      const audio = [readSampleSpeech(sample)];
      const [one, other] = [await native.recognize(audio), await wasm.recognize(audio)];
      expect(textsOf(one)).toEqual(textsOf(other));
      const [words, others] = [one, other].map(finals => finalsOf(finals).flatMap(final => final.words));
      expect(words!.length).toBeGreaterThan(6);
      for (const [index, { written, startFrame, endFrame, confidence }] of words!.entries()) {
        const same = others![index]!;
        // A mark, and the end of a word before a pause, may depend on the arithmetic of the processor.
        expect(same.written?.replace(/[.,]$/, '')).toBe(written?.replace(/[.,]$/, ''));
        expect(Math.abs(same.startFrame - startFrame)).toBeLessThanOrEqual(2400);
        expect(Math.abs(same.endFrame - endFrame)).toBeLessThanOrEqual(
          /\W$/.test(written ?? '') ? 4800 : 2400,
        );
        expect(Math.abs(same.confidence! - confidence!)).toBeLessThan(0.15);
      }
    }
  });
});
