import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSpool } from '../../../src/client/spool/openSpool.ts';
import { SpoolLog } from '../../../src/client/spool/spoolLog.ts';
import type { RecordType } from '../../../src/client/spool/spoolRecord.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';

const format = { sampleFormat: 'S16LE', sampleRate: 8000, channels: 2 } as const;
const SUBJECT = { addresses: ['wss://speech.example/v1'], query: { language: 'en' }, marginSeconds: 2 };
const SECRET = 'what nobody may see';

/** A spool with records as somebody else may have written them; gives where the last one is. */
async function spoolOf(...records: readonly (readonly [RecordType, unknown])[]) {
  const path = join(await temporaryDirectory(), 'talk.spool');
  const log = SpoolLog.create({ format, encrypted: false }, { path });
  let offset = 0;
  for (const [type, value] of records) {
    const payload = value instanceof Uint8Array ? value : Buffer.from(JSON.stringify(value) ?? '');
    offset = log.append(type, payload);
  }
  log.append('left', new Uint8Array());
  log.close();
  return { path, offset };
}

/** The first frame, in 6 bytes, and audio. */
function audio(startFrame: number, bytes: number): Buffer {
  const payload = Buffer.alloc(6 + bytes);
  payload.writeUIntLE(startFrame, 0, 6);
  return payload;
}

const hole = { startFrame: 0, endFrame: 5 };
const event = (value: object) => ({ type: 'event', event: value });

describe('invalid content of a spool is reported as damage, without the content:', () => {
  test.each<[string, RecordType, unknown]>([
    ['a subject that is no JSON', 'subject', Buffer.from(`{${SECRET}`)],
    ['a subject that is null', 'subject', null],
    ['a subject without addresses', 'subject', { ...SUBJECT, addresses: undefined }],
    ['an address that is none', 'subject', { ...SUBJECT, addresses: [SECRET] }],
    ['an address of another kind', 'subject', { ...SUBJECT, addresses: ['file:///etc/passwd'] }],
    ['a query of another kind', 'subject', { ...SUBJECT, query: { language: [SECRET] } }],
    [
      'a start beyond all numbers',
      'subject',
      Buffer.from(JSON.stringify(SUBJECT).replace('"language":"en"', '"startTs":1e999')),
    ],
    ['a margin of days', 'subject', { ...SUBJECT, marginSeconds: 1e6 }],
    ['a note that is no JSON', 'note', Buffer.from(SECRET)],
    ['a note that is a list', 'note', [SECRET]],
    ['a note of another type', 'note', { type: SECRET }],
    ['an event of another type', 'note', event({ type: 'partial', ts: 0, endTs: 1, elements: [] })],
    ['a final without elements', 'note', event({ type: 'final', ts: 0, endTs: 1 })],
    [
      'a word without a value',
      'note',
      event({ type: 'final', ts: 0, endTs: 1, elements: [{ type: 'text' }] }),
    ],
    ['a hole without a cause', 'note', event({ type: 'hole', ts: 0, endTs: 1 })],
    ['a time that is text', 'note', event({ type: 'silence', ts: '0', endTs: 1 })],
    [
      'a job of a half frame',
      'note',
      { type: 'job', hole: { ...hole, endFrame: 1.5 }, jobId: 'a', address: 'http://a' },
    ],
    ['a job without an id', 'note', { type: 'job', hole, address: 'http://a' }],
    ['an end before the start', 'note', { type: 'ended', endFrame: -1 }],
    ['audio without a place', 'audio', Buffer.alloc(5)],
    ['half a frame', 'audio', audio(100, 6)],
    ['audio before what is there', 'audio', audio(9, 8)],
    ['a writer without a process', 'writer', { pid: 0, header: 0 }],
    ['a writer of another file', 'writer', { pid: 1, header: 5 }],
  ])('%s', async (_, type, value) => {
    const { path, offset } = await spoolOf(['subject', SUBJECT], ['audio', audio(0, 40)], [type, value]);
    const message = `Cannot read spool '${path}': it is damaged at byte ${value instanceof Object && 'header' in value && value.header === 5 ? 0 : offset}.`;
    expect(() => readSpool(path)).toThrow(expect.objectContaining({ code: 'unreadable-input', message }));
  });
});

test('fields of later versions are ignored', async () => {
  const note = { type: 'ended', endFrame: 10, why: 'done' };
  const { path } = await spoolOf(['subject', { ...SUBJECT, more: 1 }], ['note', note]);
  const left = readSpool(path);
  expect(left.notes).toMatchObject([{ type: 'ended', endFrame: 10 }]);
  left.finish();
});
