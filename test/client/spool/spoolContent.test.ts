import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSpool } from '../../../src/client/spool/openSpool.ts';
import { RecordFile } from '../../../src/client/spool/recordFile.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';

const format = { sampleFormat: 'S16LE', sampleRate: 8000, channels: 2 };
const subject = { addresses: ['wss://speech.example/v1'], query: { language: 'en' }, marginSeconds: 2 };
const HEADER = { rxscribe: 'spool', version: 1, format, subject };
const SECRET = 'what nobody may see';

/** A spool with records as somebody else may have written them. */
async function spoolOf(...records: readonly object[]): Promise<string> {
  const path = await temporaryDirectory();
  const file = new RecordFile(join(path, 'notes.log'), path);
  for (const record of records) file.append(record);
  file.close();
  return path;
}

const hole = { startFrame: 0, endFrame: 5 };
const event = (value: object) => ({ type: 'event', event: value });

describe('invalid content of a spool is reported as damage, without the content:', () => {
  test.each<[string, object]>([
    ['no subject', { ...HEADER, subject: null }],
    ['a subject without addresses', { ...HEADER, subject: { ...subject, addresses: undefined } }],
    ['an address that is none', { ...HEADER, subject: { ...subject, addresses: [SECRET] } }],
    ['an address of another kind', { ...HEADER, subject: { ...subject, addresses: ['file:///etc/passwd'] } }],
    ['a query of another kind', { ...HEADER, subject: { ...subject, query: { language: [SECRET] } } }],
    ['a margin of days', { ...HEADER, subject: { ...subject, marginSeconds: 1e6 } }],
    ['no format', { ...HEADER, format: undefined }],
    ['an unknown format', { ...HEADER, format: { ...format, sampleFormat: 'S17LE' } }],
    [
      'a format named like a property of every object',
      { ...HEADER, format: { ...format, sampleFormat: 'constructor' } },
    ],
    ['a rate above the limit of services', { ...HEADER, format: { ...format, sampleRate: 48_001 } }],
    ['channels above the limit of services', { ...HEADER, format: { ...format, channels: 11 } }],
  ])('%s', async (_, header) => {
    const path = await spoolOf(header);
    const message = `Cannot read spool '${path}': it is damaged at its first line.`;
    expect(() => readSpool(path)).toThrow(expect.objectContaining({ code: 'unreadable-input', message }));
  });

  test.each<[string, object]>([
    ['a note that is a list', [SECRET]],
    ['a note of another type', { type: SECRET }],
    ['an event of another type', event({ type: 'partial', ts: 0, endTs: 1, elements: [] })],
    ['a final without elements', event({ type: 'final', ts: 0, endTs: 1 })],
    ['a word without a value', event({ type: 'final', ts: 0, endTs: 1, elements: [{ type: 'text' }] })],
    ['a hole without a cause', event({ type: 'hole', ts: 0, endTs: 1 })],
    ['a time that is text', event({ type: 'silence', ts: '0', endTs: 1 })],
    [
      'a job of a half frame',
      { type: 'job', hole: { ...hole, endFrame: 1.5 }, jobId: 'a', address: 'http://a' },
    ],
    ['a job without an id', { type: 'job', hole, address: 'http://a' }],
    ['an end before the start', { type: 'ended', endFrame: -1 }],
  ])('%s', async (_, note) => {
    const path = await spoolOf(HEADER, { type: 'ended', endFrame: 0 }, note);
    const message = `Cannot read spool '${path}': it is damaged at line 3 of its notes.`;
    expect(() => readSpool(path)).toThrow(expect.objectContaining({ code: 'unreadable-input', message }));
  });
});

test.each([
  ['a newer one', { ...HEADER, version: 2 }, /it has version 2, not 1/],
  ['one without a version', { ...HEADER, version: null }, /it has version unknown, not 1/],
  ['another file', { rxscribe: 'cassette' }, /it is not a spool/],
])('a spool is not read: %s', async (_, header, message) => {
  const path = await spoolOf(header);
  expect(() => readSpool(path)).toThrow(message);
  expect(() => readSpool(path)).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
});

test('fields of later versions are ignored', async () => {
  const note = { type: 'ended', endFrame: 10, why: 'done' };
  const path = await spoolOf({ ...HEADER, more: 1, subject: { ...subject, more: 1 } }, note);
  const left = readSpool(path);
  expect(left.notes).toMatchObject([{ type: 'ended', endFrame: 10 }]);
  left.close();
});
