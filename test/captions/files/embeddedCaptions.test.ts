import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSrt } from '../../../src/transcript/formats/srt.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { runFfmpeg } from '../../helpers/ffmpeg.ts';
import { needsProgram } from '../../helpers/needs.ts';
import { decodeScc } from '../../helpers/sccCaptions.ts';

const CAPTIONS = 'test/fixtures/cues/sense-and-sensibility.dcmp.scc';

test('a sample puts SCC into a video, from which ffmpeg takes the same captions at the same times', {
  tags: 'tools',
}, async context => {
  needsProgram(context, 'ffmpeg');
  const directory = await temporaryDirectory();
  const [video, captioned, read] = ['video.mp4', 'captioned.mov', 'read.srt'].map(name =>
    join(directory, name),
  );
  runFfmpeg('-f', 'lavfi', '-i', 'testsrc=size=160x90:rate=30000/1001:duration=32', video!);
  const { status, stderr } = spawnSync('samples/embed-captions.sh', [video!, CAPTIONS, captioned!], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(readFileSync(captioned!).includes('c608')).toBe(true);
  runFfmpeg('-i', captioned!, '-map', '0:s', read!);
  const cues = readSrt(await readFile(read!, 'utf8'));
  const sent = decodeScc(readFileSync(CAPTIONS, 'utf8'));
  expect(cues.map(({ lines }) => lines)).toEqual(sent.map(({ rows }) => rows));
  for (const [index, { ts, endTs }] of cues.entries()) {
    expect(Math.abs(ts - sent[index]!.ts)).toBeLessThan(0.1);
    expect(Math.abs(endTs - sent[index]!.endTs)).toBeLessThan(0.1);
  }
});

test('the sample counts drop-frame timecodes across a minute', { tags: 'tools' }, async context => {
  needsProgram(context, 'ffmpeg');
  const directory = await temporaryDirectory();
  const [video, captions, captioned, read] = ['video.mp4', 'captions.scc', 'captioned.mov', 'read.scc'].map(
    name => join(directory, name),
  );
  runFfmpeg('-f', 'lavfi', '-i', 'testsrc=size=64x36:rate=1:duration=61', video!);
  await writeFile(captions!, 'Scenarist_SCC V1.0\n\n00:00:59;28\t9420 9420 94ae 94ae\n');
  expect(spawnSync('samples/embed-captions.sh', [video!, captions!, captioned!]).status).toBe(0);
  runFfmpeg('-i', captioned!, '-map', '0:s', '-c', 'copy', read!);
  expect(
    readFileSync(read!, 'utf8')
      .match(/^\d\S+/gm)
      ?.slice(0, 4),
  ).toEqual(['00:00:59:28', '00:00:59:29', '00:01:00:02', '00:01:00:03']);
});
