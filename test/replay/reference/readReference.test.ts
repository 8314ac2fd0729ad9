import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readReference } from '../../../src/replay/reference/readReference.ts';
import { UnreadableReferenceError } from '../../../src/replay/reference/reference.ts';
import { MAX_TEXT_BYTES } from '../../../src/web/readText.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';

async function fileOf(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(await temporaryDirectory(), name);
  await writeFile(path, content);
  return path;
}

const CASSETTE = [
  { type: 'cassette', version: 1, recorded_at: '2026-11-21T10:00:00.000Z', software: { rxscribe: '0.1.0' } },
  { type: 'connect', ms: 0, connection: 0, frame: 0, address: 'ws://127.0.0.1/', query: {} },
  { type: 'opened', ms: 1, connection: 0, frame: 0 },
  {
    ...{ type: 'message', ms: 900, connection: 0, frame: 8000 },
    message: {
      ...{ type: 'final', ts: 0, end_ts: 1 },
      elements: [
        { type: 'text', value: 'Hello', ts: 0.1, end_ts: 0.5, confidence: 0.9 },
        { type: 'punct', value: '.' },
      ],
    },
  },
  { type: 'end', ms: 1000, frames: 0 },
]
  .map(line => `${JSON.stringify(line)}\n`)
  .join('');

describe('a file', () => {
  test.each([
    ['plain.txt', 'Good morning.\n', 'text'],
    ['t.json', '{"monologues":[{"speaker":0,"elements":[{"type":"text","value":"Good morning."}]}]}', 'json'],
    ['t.srt', '1\n00:00:00,000 --> 00:00:01,000\nGood morning.\n', 'srt'],
    ['t.vtt', 'WEBVTT\n\n00:00.000 --> 00:01.000\n<v Ann>Good morning.\n', 'vtt'],
  ])('%s is read by its ending, and without one by its content', async (name, content, kind) => {
    const byEnding = await readReference(await fileOf(name, content));
    expect(byEnding.kind).toBe(kind);
    expect(byEnding.segments.map(({ text }) => text)).toEqual(['Good morning.']);
    expect(await readReference(await fileOf('t', content))).toEqual(byEnding);
  });

  test('is read by its content, not by its ending', async () => {
    const path = await fileOf('odd.txt', 'WEBVTT\n\n00:00.000 --> 00:01.000\nHi.\n');
    expect((await readReference(path)).segments).toEqual([{ text: 'Hi.', ts: 0, endTs: 1 }]);
  });

  test('of a session is its transcript', async () => {
    const wanted = {
      kind: 'cassette',
      segments: [{ text: 'Hello.', speaker: '0', ts: 0.1, endTs: 0.5 }],
      damage: [],
    };
    expect(await readReference(await fileOf('s.cassette.jsonl', CASSETTE))).toEqual(wanted);
    expect(await readReference(await fileOf('session', CASSETTE))).toEqual(wanted);
  });

  test('that is empty is a reference without words', async () => {
    expect(await readReference(await fileOf('empty.txt', ''))).toEqual({ kind: 'text', segments: [] });
    expect(await readReference(await fileOf('empty', ''))).toEqual({ kind: 'text', segments: [] });
  });
});

describe('the encoding', () => {
  const text = 'Naïve – 研究\n';
  const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le');
  test.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16 LE', utf16],
    ['UTF-16 BE', Buffer.from(utf16).swap16()],
  ])('%s is read', async (_, bytes) => {
    expect((await readReference(await fileOf('e.txt', bytes))).segments).toEqual([{ text: text.trim() }]);
  });

  test.each([
    ['Latin-1', Buffer.from('na\xefve', 'latin1')],
    ['UTF-16 without a mark', Buffer.from('hello', 'utf16le')],
    ['a WAV file', Buffer.concat([Buffer.from('RIFF'), Buffer.alloc(40)])],
    ['half a character', Buffer.from([0xff, 0xfe, 0x41])],
  ])('%s is an error', async (_, bytes) => {
    const path = await fileOf('e.txt', bytes);
    await expect(readReference(path)).rejects.toThrow(
      `Cannot read the reference '${path}': it is not text in UTF-8, or in UTF-16 with a byte order mark.`,
    );
  });
});

describe('an unreadable reference', () => {
  test('is an error with the path', async () => {
    const folder = await temporaryDirectory();
    for (const path of [join(folder, 'missing.txt'), folder]) {
      const fault = readReference(path);
      await expect(fault).rejects.toThrow(UnreadableReferenceError);
      await expect(fault).rejects.toThrow(path);
      await expect(fault).rejects.toMatchObject({ code: 'unreadable-input' });
    }
  });

  test('may have more than 16 MB', async () => {
    const most = await fileOf('most.txt', Buffer.alloc(MAX_TEXT_BYTES, 'a'));
    expect((await readReference(most)).segments).toHaveLength(1);
    const more = await fileOf('more.txt', Buffer.alloc(MAX_TEXT_BYTES + 1, 'a'));
    await expect(readReference(more)).rejects.toThrow(
      `Cannot read the reference '${more}': it is larger than 16 MB`,
    );
  });

  test('may be aborted', async () => {
    const path = await fileOf('plain.txt', 'Hi.');
    const reason = new Error('enough');
    await expect(readReference(path, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    const reading = readReference('/dev/zero', { signal: controller.signal });
    controller.abort(reason);
    await expect(reading).rejects.toBe(reason);
  });
});
