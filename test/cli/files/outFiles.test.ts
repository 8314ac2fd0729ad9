import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { outFiles } from '../../../src/cli/files/outFiles.ts';
import type { CaptionWarning } from '../../../src/cli/print/captionView.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { emptyTranscript, type Transcript } from '../../../src/transcript/model/model.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';

const saying = (value: string): Transcript => ({
  ...emptyTranscript,
  monologues: [{ speaker: 0, elements: [{ type: 'text', value, ts: 0, endTs: 1 }] }],
});

async function filesIn(directory: string) {
  const path = join(directory, 'talk.txt');
  const clock = new VirtualClock();
  const warnings: CaptionWarning[] = [];
  const files = outFiles([path], { clock, onWarning: warning => warnings.push(warning) });
  const text = () => readFile(path, 'utf8').catch(() => '');
  return { path, clock, warnings, files, text };
}

test('the first words are written at once, the next a second later, the last at the end', async () => {
  const { clock, files, text } = await filesIn(await temporaryDirectory());
  files.update(emptyTranscript);
  expect(clock.pending).toBe(0);
  expect(await text()).toBe('');
  files.update(saying('one'));
  await eventually(() => expect(clock.pending).toBe(1));
  expect(await text()).toContain('one');
  files.update(saying('two'));
  clock.advance(999);
  files.update(saying('three'));
  expect(await text()).toContain('one');
  clock.advance(1);
  await eventually(async () => expect(await text()).toContain('three'));
  await eventually(() => expect(clock.pending).toBe(1));
  await files.close(saying('four'));
  expect(await text()).toContain('four');
  expect(clock.pending).toBe(0);
});

test('what cannot be written is warned of once, tried again, and an error at the end', async () => {
  const directory = join(await temporaryDirectory(), 'gone');
  const { path, clock, warnings, files, text } = await filesIn(directory);
  for (const word of ['one', 'two', 'three']) {
    files.update(saying(word));
    await eventually(() => expect(clock.pending).toBe(1));
    clock.advance(1000);
  }
  expect(warnings).toEqual([{ code: 'out-failed', message: expect.stringContaining(path) }]);
  await mkdir(directory);
  files.update(saying('four'));
  await eventually(async () => expect(await text()).toContain('four'));
  await rm(directory, { recursive: true });
  await expect(files.close(saying('five'))).rejects.toMatchObject({ code: 'store' });
});
