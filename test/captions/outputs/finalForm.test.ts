import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CaptionRoom } from '../../../src/captions/hub/captionRoom.ts';
import { OutputFeed } from '../../../src/captions/hub/outputFeed.ts';
import { fileOutput } from '../../../src/captions/outputs/files.ts';
import type { TranscriptEvent } from '../../../src/transcript/model/events.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { recordingOutput } from '../../helpers/recordingOutput.ts';
import { final, partial } from '../../helpers/transcriptEvents.ts';
import { openPage, watch } from './page/pageClient.ts';

/** Yields an utterance as a plain service hears it, word by word, and its final. */
function* utterance(heard: string, said: string, startTs: number): Generator<TranscriptEvent> {
  const words = heard.split(' ');
  for (const [index] of words.entries()) {
    const text = words.slice(0, index + 1).join(' ');
    for (const seconds of [0.3, 0.4, 0.5]) yield partial(text, startTs, startTs + index / 2 + seconds);
  }
  yield final(said, startTs, startTs + words.length / 2);
}

const STORY = [
  ...utterance('i have given you proof i have ten of', 'I have given you proof. I have 10 of them.', 0),
  ...utterance('and miss dash would was', 'And Miss Dashwood was there,', 6),
  ...utterance('who gave it to mister bread', 'who gave it to Mr. Bennet.', 10),
];

test('a story is live in plain capitals, is corrected where it goes on, and has its final form everywhere', async () => {
  const { page, output } = await openPage();
  const viewer = await watch(page.url);
  const [terminal, block] = [recordingOutput(), recordingOutput('obs')];
  const file = join(await temporaryDirectory(), 'story.txt');
  const feeds = [
    new OutputFeed({ output }),
    new OutputFeed({ output: terminal }),
    new OutputFeed({ output: block, display: 'block' }),
    new OutputFeed({ output: fileOutput([file]) }),
  ];
  const room = new CaptionRoom({ tracks: [{ feeds }], language: 'en' });
  for (const event of STORY) room.take(event);
  expect(terminal.rows).toEqual([
    'I have given you proof I have ten of them.',
    'And miss dash would -- Miss Dashwood was',
    'there, who gave it to mister Bennet.',
  ]);
  await expect.poll(() => viewer.text.paragraphs.map(({ text }) => text)).toEqual([terminal.rows.join(' ')]);
  const said = [
    'I have given you proof. I have 10 of them. And Miss Dashwood was there, who gave it to Mr. Bennet.',
  ];
  expect(block.rows.join(' ')).toBe(said[0]);
  await room.close();
  await expect.poll(() => viewer.text.paragraphs.map(({ text }) => text)).toEqual(said);
  expect(terminal.settled.join(' ')).toBe(said[0]);
  expect(await readFile(file, 'utf8')).toContain(said[0]);
});
