import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CaptionRoom, fileOutput, OutputFeed, openCaptionPage } from '../../src/captions.ts';
import { fromFile, transcribe } from '../../src/index.ts';
import { recordingOutput } from '../helpers/recordingOutput.ts';
import { startTestService, TEST_TOKEN } from '../helpers/testService.ts';

const SAMPLE = new URL('../../samples/not-ill-disposed.wav', import.meta.url).pathname;

test('a program captions a file on a page and in files', async () => {
  const { url } = await startTestService();
  const directory = await mkdtemp(join(tmpdir(), 'rxscribe-program-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const path = join(directory, 'talk.txt');
  await using page = await openCaptionPage({ port: 0 });
  const recorded = recordingOutput();
  const outputs = [page.track(''), fileOutput([path]), recorded];
  const room = new CaptionRoom({
    language: 'en',
    tracks: [{ feeds: outputs.map(output => new OutputFeed({ output })) }],
  });
  await fromFile(SAMPLE)
    .pipe(room.audio(), transcribe({ url, token: TEST_TOKEN }))
    .forEach(event => {
      room.take(event);
    });
  await room.close();
  const text = await readFile(path, 'utf8');
  expect(text).toMatch(/\w+/);
  expect(recorded.steps.at(-1)).toEqual({ type: 'end' });
  expect(outputs.map(output => output.report().shown > 0)).toEqual([true, true, true]);
});
