import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importMessageLog } from '../../../../src/replay/cassette/import/importMessageLog.ts';
import { readCassette } from '../../../../src/replay/cassette/read/readCassette.ts';
import { recordedRun } from '../../../../src/replay/cassette/recordedRun.ts';
import { readReference } from '../../../../src/replay/reference/readReference.ts';
import { spanOf, textOf } from '../../../../src/transcript/model/model.ts';
import { temporaryDirectory } from '../../../helpers/dataDirectory.ts';
import {
  ASSEMBLY_MESSAGES,
  ASSEMBLY_TRANSCRIPT,
  ASSEMBLY_TURNS,
  AZURE_BATCH,
  AZURE_LOG,
  DEEPGRAM_LOG,
  DEEPGRAM_RECORDING,
  DEEPGRAM_TWO_CHANNELS,
} from './serviceResults.ts';

const linesOf = (messages: readonly object[]) =>
  messages.map(message => `${JSON.stringify(message)}\n`).join('');

async function fileOf(content: object): Promise<string> {
  const isLog = Array.isArray(content);
  const path = join(await temporaryDirectory(), isLog ? 'log.jsonl' : 'result.json');
  await writeFile(path, isLog ? linesOf(content) : JSON.stringify(content, null, 2));
  return path;
}

const RESULTS: readonly (readonly [name: string, content: object, partials: number])[] = [
  ['the result of Deepgram for a recording', DEEPGRAM_RECORDING, 0],
  ['a stream of Deepgram', DEEPGRAM_LOG, 1],
  ['a transcript of AssemblyAI', ASSEMBLY_TRANSCRIPT, 0],
  ['turns of AssemblyAI, each of which ends twice', ASSEMBLY_TURNS, 1],
  ['messages of AssemblyAI', ASSEMBLY_MESSAGES, 1],
  ['a batch of Azure', AZURE_BATCH, 0],
  ['phrases of Azure', AZURE_LOG, 1],
];

describe.each(RESULTS)('%s', (_, content, partials) => {
  test('is a reference with the best text, in seconds', async () => {
    const { segments } = await readReference(await fileOf(content));
    expect(segments.map(({ text }) => text).join(' ')).toBe('Good morning. My name is Ann.');
    expect(segments[0]?.ts).toBeCloseTo(0.5, 6);
    expect(segments.at(-1)?.endTs).toBeCloseTo(2.6, 6);
  });

  test('becomes a cassette with the same words', async () => {
    const path = join(await temporaryDirectory(), 'talk.cassette.jsonl');
    const log = await fileOf(Array.isArray(content) ? content : [content]);
    await importMessageLog({ log, cassette: { path } });
    const { transcript, events } = recordedRun(await readCassette(path));
    const elements = transcript.monologues.map(monologue => monologue.elements);
    expect(elements.map(textOf).join(' ')).toBe('Good morning. My name is Ann.');
    expect(spanOf(elements.flat())).toEqual({ ts: 0.5, endTs: 2.6 });
    expect(events.filter(({ value }) => value.type === 'partial')).toHaveLength(partials);
  });
});

test('a log with times keeps them', async () => {
  const log = await fileOf(DEEPGRAM_LOG.map((message, index) => ({ ms: 1000 * index, message })));
  const path = join(await temporaryDirectory(), 'talk.cassette.jsonl');
  await importMessageLog({ log, cassette: { path } });
  const finals = recordedRun(await readCassette(path)).events.filter(({ value }) => value.type === 'final');
  expect(finals.map(({ atMs }) => atMs)).toEqual([2000, 4000]);
});

test('a log of several channels has its words in order of time', async () => {
  const log = await fileOf(DEEPGRAM_TWO_CHANNELS);
  const { segments } = await readReference(log);
  expect(segments.map(({ text }) => text)).toEqual(['Good morning.', 'My name is Ann.']);
  const path = join(await temporaryDirectory(), 'talk.cassette.jsonl');
  await importMessageLog({ log, cassette: { path } });
  const imported = (await readReference(path)).segments.map(({ text }) => text);
  expect(imported.join(' ')).toBe('Good morning. My name is Ann.');
});

test('a long speech is cut at its pauses', async () => {
  const words = Array.from({ length: 900 }, (_, index) => ({
    ...{ word: 'yes', start: index + (index > 450 ? 5 : 0), end: index + 0.5 + (index > 450 ? 5 : 0) },
  }));
  const results = { channels: [{ alternatives: [{ words }] }] };
  const { segments } = await readReference(await fileOf({ metadata: {}, results }));
  expect(segments.map(({ text }) => text.split(' ').length)).toEqual([200, 200, 51, 200, 200, 49]);
});

test.each<[what: string, content: object, message: RegExp]>([
  [
    'a word without times',
    [{ type: 'Results', is_final: true, channel: { alternatives: [{ words: [{ word: 'SECRET' }] }] } }],
    /log\.jsonl', line 1: expected a result of Deepgram, found no time 'start' from 0 on/,
  ],
  [
    'a transcript that is not complete',
    { id: 'a', status: 'processing', text: null, words: null },
    /result\.json': expected a result of AssemblyAI, found no list in 'words\.\*'/,
  ],
  [
    'a negative time',
    [{ RecognitionStatus: 'Success', DisplayText: 'SECRET', Offset: -1, Duration: 1 }],
    /line 1: expected a result of Azure, found no time 'Offset' from 0 on/,
  ],
  [
    'messages without words',
    [{ type: 'Metadata' }],
    /or results of Deepgram, AssemblyAI or Azure, found none/,
  ],
])('%s is refused with its place', async (_, content, message) => {
  const error = await readReference(await fileOf(content)).catch(thrown => thrown);
  expect(error.message).toMatch(message);
  expect(error.message).not.toContain('SECRET');
  expect(error.code).toBe('unreadable-input');
});
