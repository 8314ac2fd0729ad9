// @module-tag tools

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastValueFrom, toArray } from 'rxjs';
import { expect, it, onTestFinished } from 'vitest';
import { toInt16 } from '../../../src/audio/pcm/pcm.ts';
import { resample } from '../../../src/audio/resample/resample.ts';
import { fromFile } from '../../../src/audio/source/file.ts';
import { createAligner } from '../../../src/engines/alignment/aligner.ts';
import { needsProgram, needsRecognizer } from '../../helpers/needs.ts';
import { joined, silence } from '../../helpers/sampleSpeech.ts';

const SENTENCES = [
  'he was not an ill disposed young man',
  'unless to be rather cold hearted and rather selfish is to be ill disposed',
  'had he married a more amiable woman he might have been made still more respectable than he was',
  'he might even have been made amiable himself',
];

/** A text as espeak-ng reads it, at 16 kHz. */
async function spoken(text: string): Promise<Int16Array> {
  const directory = mkdtempSync(join(tmpdir(), 'voice-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'voice.wav');
  execFileSync('espeak-ng', ['-v', 'en-us', '-w', path, text]);
  const blocks = await lastValueFrom(fromFile(path).pipe(resample(), toArray()));
  return joined(...blocks.map(({ samples }) => toInt16(samples)));
}

it('a text read by a synthetic voice is found sentence by sentence', {
  timeout: 60_000,
}, async context => {
  needsProgram(context, 'espeak-ng');
  await needsRecognizer(context);
  const parts = await Promise.all(SENTENCES.map(spoken));
  const speech = joined(...parts.flatMap(part => [part, silence(1)]));
  const text = SENTENCES.map(sentence => sentence.split(' '));
  await using aligner = createAligner();
  const words = await aligner.align([speech], text.flat());
  const found = words.filter(({ startFrame }) => startFrame !== undefined);
  expect(found.length).toBeGreaterThanOrEqual(0.85 * words.length);
  let [first, startFrame] = [0, 0];
  for (const [index, part] of parts.entries()) {
    const endFrame = startFrame + part.length + 16_000;
    for (const word of words.slice(first, first + text[index]!.length)) {
      if (word.startFrame === undefined) continue;
      expect(word.startFrame, word.value).toBeGreaterThanOrEqual(startFrame - 1600);
      expect(word.endFrame, word.value).toBeLessThanOrEqual(endFrame + 1600);
    }
    first += text[index]!.length;
    startFrame = endFrame;
  }
});
