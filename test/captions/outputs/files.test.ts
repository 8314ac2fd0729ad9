import { mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TRANSCRIPT_ENDINGS } from '../../../src/captions/files/transcriptEnding.ts';
import { transcriptAs } from '../../../src/captions/files/transcriptText.ts';
import { type FileOutputOptions, fileOutput } from '../../../src/captions/outputs/files.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { readSrt } from '../../../src/transcript/formats/srt.ts';
import { emptyTranscript, type Transcript } from '../../../src/transcript/model/model.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';

const saying = (value: string): Transcript => ({
  ...emptyTranscript,
  monologues: [{ speaker: 0, elements: [{ type: 'text', value, ts: 0, endTs: 1 }] }],
});
const step = (transcript: Transcript) => ({ type: 'transcript', transcript }) as const;

async function filesIn(directory: string, options: FileOutputOptions = {}) {
  const path = join(directory, 'talk.txt');
  const clock = new VirtualClock();
  const notes: string[] = [];
  const files = fileOutput([path], { clock, onNote: note => notes.push(note), ...options });
  const text = () => readFile(path, 'utf8').catch(() => '');
  return { path, clock, notes, files, text };
}

test('the first words are written at once, the next a second later, the last at the end', async () => {
  const { clock, files, text } = await filesIn(await temporaryDirectory());
  files.take(step(emptyTranscript));
  expect(clock.pending).toBe(0);
  expect(await text()).toBe('');
  files.take(step(saying('one')));
  await eventually(() => expect(clock.pending).toBe(1));
  expect(await text()).toContain('one');
  files.take(step(saying('two')));
  clock.advance(999);
  files.take(step(saying('three')));
  expect(await text()).toContain('one');
  clock.advance(1);
  await eventually(async () => expect(await text()).toContain('three'));
  await eventually(() => expect(clock.pending).toBe(1));
  files.take(step(saying('four')));
  files.take({ type: 'end' });
  await eventually(async () => expect(await text()).toContain('four'));
  await eventually(() => expect(files.report()).toEqual({ shown: 3, skipped: 1, failures: 0 }));
  await files.close();
  expect(clock.pending).toBe(0);
});

test('characters that SCC cannot show are reported at first, and again at the end if there are more', async () => {
  const path = join(await temporaryDirectory(), 'talk.scc');
  const clock = new VirtualClock();
  const notes: string[] = [];
  const scc = fileOutput([path], { clock, onNote: note => notes.push(note) });
  const note = (named: string) => `The SCC file has '?' for ${named}.`;
  for (const text of ['你', '你', '你好', '你好吗']) {
    scc.take(step(saying(text)));
    await eventually(() => expect(clock.pending).toBe(1));
    clock.advance(2000);
  }
  await scc.save();
  await scc.save();
  expect(notes).toEqual([
    note('1 character that CEA-608 lacks: 你'),
    note('3 characters that CEA-608 lacks: 你 好 吗'),
  ]);
});

test('closing writes the pending text, and nothing is written later', async () => {
  const { clock, files, text } = await filesIn(await temporaryDirectory());
  files.take(step(saying('one')));
  files.take(step(saying('two')));
  await files.close();
  expect(await text()).toContain('two');
  files.take(step(saying('three')));
  await files.close();
  expect(await text()).toContain('two');
  expect(clock.pending).toBe(0);
});

test('saving writes a file without any words', async () => {
  const { files, text, path } = await filesIn(await temporaryDirectory());
  await files.close();
  expect(await readFile(path, 'utf8').catch(() => 'none')).toBe('none');
  await files.save();
  expect(await text()).toBe('');
});

test('a file that cannot be written is reported once until it can, and an error when saved', async () => {
  const directory = join(await temporaryDirectory(), 'gone');
  const { path, clock, notes, files, text } = await filesIn(directory);
  for (const word of ['one', 'two', 'three']) {
    files.take(step(saying(word)));
    await eventually(() => expect(clock.pending).toBe(1));
    clock.advance(1000);
    await eventually(() => expect(files.report().failures).toBeGreaterThan(0));
  }
  expect(notes).toEqual([expect.stringContaining(path)]);
  expect(files.report().failure).toContain(path);
  await expect(files.save()).rejects.toMatchObject({ code: 'store' });
  await mkdir(directory);
  files.take(step(saying('four')));
  await eventually(async () => {
    clock.advance(1000);
    expect(await text()).toContain('four');
  });
  await eventually(() => expect(notes).toHaveLength(2));
  expect(files.report().failure).toBeUndefined();
  await rm(directory, { recursive: true });
  await expect(files.save()).rejects.toMatchObject({ code: 'store' });
  await files.close();
});

test('a failed write is tried again without newer words', async () => {
  const directory = join(await temporaryDirectory(), 'gone');
  const { clock, files, text } = await filesIn(directory);
  files.take(step(saying('one')));
  await eventually(() => expect(clock.pending).toBe(1));
  await mkdir(directory);
  clock.advance(1000);
  await eventually(async () => expect(await text()).toContain('one'));
  await files.close();
});

test.each(TRANSCRIPT_ENDINGS)('a continued %s has the text of both runs', async ending => {
  const directory = await temporaryDirectory();
  const path = join(directory, `talk${ending}`);
  const clock = new VirtualClock();
  const first = transcriptAs(ending, saying('Before'));
  await writeFile(path, first);
  const writtenAt = clock.wallTime() / 1000 - 100;
  await utimes(path, writtenAt, writtenAt);
  const files = fileOutput([path], { clock, isContinued: true });
  files.take(step(saying('Between')));
  await files.save();
  files.take(step(saying('After')));
  await files.save();
  const text = await readFile(path, 'utf8');
  if (ending !== '.json' && ending !== '.ttml') expect(text.startsWith(first)).toBe(true);
  if (ending === '.srt') {
    expect(readSrt(text)).toMatchObject([{ lines: ['Before'] }, { ts: 101, endTs: 102, lines: ['After'] }]);
    expect(text).toContain('\n2\n');
  }
  if (ending !== '.scc') expect(text).toMatch(/Before.*After/s);
  expect(text).not.toContain('Between');
});

test('all files of a run go on at the same time, also those that are not there yet', async () => {
  const directory = await temporaryDirectory();
  const [srt, vtt, empty] = ['talk.srt', 'talk.vtt', 'talk.ttml'].map(name => join(directory, name));
  const clock = new VirtualClock();
  await writeFile(srt!, transcriptAs('.srt', saying('Before')));
  await writeFile(empty!, '');
  await utimes(srt!, clock.wallTime() / 1000 - 60, clock.wallTime() / 1000 - 60);
  const files = fileOutput([srt!, vtt!, empty!], { clock, isContinued: true });
  files.take(step(saying('After')));
  await files.save();
  expect(await readFile(srt!, 'utf8')).toContain('00:01:01,000 --> 00:01:02,000\nAfter');
  expect(await readFile(vtt!, 'utf8')).toContain('00:01:01.000 --> 00:01:02.000\nAfter');
  expect(await readFile(empty!, 'utf8')).toContain('begin="00:01:01.000"');
});

test('times never go back, also when the clock of the machine did', async () => {
  const path = join(await temporaryDirectory(), 'talk.srt');
  const clock = new VirtualClock();
  await writeFile(path, transcriptAs('.srt', saying('Before')));
  await utimes(path, clock.wallTime() / 1000 + 3600, clock.wallTime() / 1000 + 3600);
  const files = fileOutput([path], { clock, isContinued: true });
  files.take(step(saying('After')));
  await files.save();
  expect(readSrt(await readFile(path, 'utf8'))[1]).toMatchObject({ ts: 1, endTs: 2 });
});
