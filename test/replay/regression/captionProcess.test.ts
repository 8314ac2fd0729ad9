import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { encodeTranscript } from '../../../src/protocol/transcriptJson.ts';
import { readCassette } from '../../../src/replay/cassette/read/readCassette.ts';
import { recordedRun } from '../../../src/replay/cassette/recordedRun.ts';
import { playServer } from '../../../src/replay/play/server/playServer.ts';
import { startProcess } from '../../helpers/commandLine.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';

const samples = new URL('../../../samples/', import.meta.url).pathname;
const captions = new URL('../../fixtures/replay/sense-and-sensibility.srt', import.meta.url);

test('the caption process has the recorded output for recorded answers', async () => {
  const cassette = await readCassette(join(samples, 'sense-and-sensibility.cassette.jsonl'));
  await using server = await playServer(cassette);
  const srt = join(await temporaryDirectory(), 'talk.srt');
  await using caption = startProcess([
    ...['caption', join(samples, 'sense-and-sensibility.wav'), '--speed', 'max', '--json', '--out', srt],
    ...['--url', server.url, '--token', server.token],
  ]);
  const { code, stdout, stderr } = await caption.done;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  server.check();
  const lines = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(lines.at(-1)).toMatchObject({
    type: 'transcript',
    transcript: encodeTranscript(recordedRun(cassette).transcript),
  });
  expect(await readFile(srt, 'utf8')).toBe(await readFile(captions, 'utf8'));
});
