import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { RxscribeError } from '../../src/base/errors.ts';
import { parseNotification, verifyNotification } from '../../src/protocol/notifications.ts';
import { SignatureError, signNotification } from '../../src/protocol/signature.ts';
import { eventually } from '../helpers/eventually.ts';

const JOB = { id: 'a', created_on: '2026-01-01T00:00:00Z', status: 'transcribed', type: 'async' };
const body = JSON.stringify({ job: JOB });
const secret = 'open sesame';
const now = 1_760_000_000;
const signature = signNotification({ secret, timestamp: now, body });

describe('the signature of a notification', () => {
  test('is HMAC-SHA256 over the time, a dot and the body', () => {
    const hex = createHmac('sha256', secret).update(`${now}.${body}`).digest('hex');
    expect(signature).toBe(`t=${now},v1=${hex}`);
    // The bytes of the body are what is sent, in whichever form they are given.
    expect(signNotification({ secret, timestamp: now, body: Buffer.from(body) })).toBe(signature);
  });

  test('is believed for any body, secret and time, and no longer when one bit of anything is another', () => {
    const inputs = fc.record({
      name: fc.string({ unit: 'binary' }),
      secret: fc.string({ minLength: 1 }),
      timestamp: fc.integer({ min: 1, max: 2 ** 33 }),
      where: fc.constantFrom('body', 'secret', 'signature'),
      at: fc.nat(),
    });
    fc.assert(
      fc.property(inputs, ({ name, secret, timestamp, where, at }) => {
        const body = Buffer.from(JSON.stringify({ job: { ...JOB, name } }));
        const signed = { body, secret, signature: signNotification({ secret, timestamp, body }) };
        const check = { ...signed, now: timestamp };
        expect(verifyNotification(check)).toMatchObject({ job: { name: name.toWellFormed() } });

        const bytes = Buffer.from(signed[where]);
        const bit = at % (bytes.length * 8);
        bytes[bit >> 3]! ^= 1 << (bit & 7);
        const changed = where === 'body' ? bytes : bytes.toString('latin1');
        expect(() => verifyNotification({ ...check, [where]: changed })).toThrow(SignatureError);
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    ['is missing', undefined, 'is missing.'],
    ['is empty', '', 'is missing.'],
    ['is no list', 'hello', 'with one time.'],
    ['has no time', signature.replace(/t=\d+,/, ''), 'with one time.'],
    ['has two times', `t=1,${signature}`, 'with one time.'],
    ['has a time that is no number', signature.replace(/t=\d+/, 't=soon'), 'with one time.'],
    ['has a negative time', signature.replace('t=', 't=-'), 'with one time.'],
    ['has no digest', `t=${now}`, 'with 64 hexadecimal digits in v1.'],
    ['has a digest of another version', signature.replace('v1', 'v0'), 'digits in v1.'],
    ['has a short digest', signature.slice(0, -1), 'digits in v1.'],
    [
      'has a digest in capitals',
      signature.toUpperCase().replace('T=', 't=').replace('V1', 'v1'),
      'digits in v1.',
    ],
    ['has another time', signature.replace(`t=${now}`, `t=${now + 1}`), 'does not match.'],
  ])('is refused when it %s', (_, signature, message) => {
    const check = () => verifyNotification({ body, secret, signature, now });
    expect(check).toThrow(SignatureError);
    expect(check).toThrow(/^The signature /);
    expect(check).toThrow(message);
    expect(check).not.toThrow(/sesame/);
  });

  test('is refused for another body and another secret, in one and the same way', () => {
    const message = 'The signature does not match. Check the secret, and sign the exact bytes of the body.';
    expect(() => verifyNotification({ body: `${body}\n`, secret, signature, now })).toThrow(message);
    expect(() => verifyNotification({ body, secret: 'open barley', signature, now })).toThrow(message);
    try {
      verifyNotification({ body: '{}', secret, signature, now });
    } catch (error) {
      expect(error).toMatchObject({ name: 'SignatureError', code: 'unauthorized' });
    }
    expect.assertions(3);
  });

  test('is of the last five minutes, or of as long as is allowed', () => {
    const at = (now: number, toleranceSeconds?: number) => () =>
      verifyNotification({ body, secret, signature, now, toleranceSeconds });
    expect(at(now + 300)).not.toThrow();
    expect(at(now - 300)).not.toThrow();
    expect(at(now + 301)).toThrow('The signature was made 301 s ago (allowed: 300 s). Check the clock.');
    expect(at(now - 301)).toThrow('The signature was made 301 s in the future (allowed: 300 s).');
    expect(at(now + 11, 10)).toThrow('allowed: 10 s');
    expect(at(now + 1e9, Number.POSITIVE_INFINITY)).not.toThrow();
    // Compared with the time that it is.
    expect(() => verifyNotification({ body, secret, signature })).toThrow(/s ago \(/);
  });

  test('may be one of several, of one of several secrets, and beside what is not known yet', () => {
    const other = signNotification({ secret: 'another', timestamp: now, body }).split(',')[1]!;
    const several = `${signature.replace(',', `, ${other} ,v2=x,`)}`;
    expect(verifyNotification({ body, secret, signature: several, now })).toHaveProperty('job');
    expect(verifyNotification({ body, secret: ['old', 'another'], signature: several, now })).toHaveProperty(
      'job',
    );
    expect(verifyNotification({ body, secret, signature: [signature], now })).toHaveProperty('job');
    expect(() => verifyNotification({ body, secret: ['old'], signature: several, now })).toThrow(
      SignatureError,
    );
  });

  test.each([[''], [[]], [['a', '']]])('cannot be checked with the secret %j', secret => {
    const unsecret = signNotification({ secret: '', timestamp: now, body });
    const check = () => verifyNotification({ body, secret, signature: unsecret, now });
    expect(check).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
  });
});

describe('a notification', () => {
  test('has the names of programs, with what this version does not know as it came', () => {
    const job = {
      ...JOB,
      completed_on: '2026-01-01T00:01:00Z',
      failure: 'download_failure',
      failure_detail: 'none',
      source_config: { url: 'https://a.example/' },
      of_a_later_version: { also_this: 1 },
    };
    expect(parseNotification(JSON.stringify({ job }))).toEqual({
      job: {
        id: 'a',
        createdOn: '2026-01-01T00:00:00Z',
        completedOn: '2026-01-01T00:01:00Z',
        status: 'transcribed',
        type: 'async',
        failure: 'download_failure',
        failureDetail: 'none',
        sourceConfig: { url: 'https://a.example/' },
        of_a_later_version: { also_this: 1 },
      },
    });
  });

  test('may be about a legacy job, which has no type, or a vocabulary', () => {
    const { type, ...legacy } = JOB;
    expect(parseNotification(JSON.stringify({ job: legacy }))).toMatchObject({ job: { id: 'a' } });
    const vocabulary = { id: 'cv1', created_on: JOB.created_on, status: 'complete', metadata: type };
    expect(parseNotification(Buffer.from(JSON.stringify({ custom_vocabulary: vocabulary })))).toEqual({
      customVocabulary: { id: 'cv1', createdOn: JOB.created_on, status: 'complete', metadata: 'async' },
    });
  });

  test.each([
    ['no JSON', 'secret words', 'The notification is not JSON in UTF-8.'],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'The notification is not JSON in UTF-8.'],
    ['null', 'null', 'The notification is not valid: / '],
    ['a list', '[]', 'The notification is not valid: / '],
    ['about nothing', '{}', 'The notification is not valid: / '],
    ['about a job without id', '{"job":{"status":"secret"}}', 'The notification is not valid: /job '],
    [
      'about a vocabulary that is none',
      '{"custom_vocabulary":"secret"}',
      'The notification is not valid: /custom_vocabulary ',
    ],
  ])('is refused when it is %s, also when it is signed', (_, body, message) => {
    const signature = signNotification({ secret, timestamp: now, body });
    const check = () => verifyNotification({ body, secret, signature, now });
    expect(check).toThrow(message);
    expect(check).toThrow(expect.objectContaining({ code: 'protocol' }));
    expect(check).not.toThrow(SignatureError);
    expect(check).not.toThrow(/secret/);
    expect(check).toThrow(RxscribeError);
  });
});

test('the example of a receiver runs', async () => {
  const source = readFileSync(new URL('../../src/protocol/notifications.ts', import.meta.url), 'utf8');
  const example = source
    .slice(source.indexOf('@example') + 8, source.indexOf('*/', source.indexOf('@example')))
    .replaceAll(/^ \* ?/gm, '')
    .concat("receiver.on('listening', () => console.log(receiver.address().port));\n");
  const child = spawn(process.execPath, ['--conditions=source', '--input-type=module', '-e', example], {
    env: { ...process.env, RXSCRIBE_WEBHOOK_SECRET: secret, PORT: '0' },
    cwd: new URL('../..', import.meta.url),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', data => {
    output += data;
  });
  await eventually(() => expect(output).toMatch(/^\d+\n/));
  const post = (signature: string, body: string) =>
    fetch(`http://127.0.0.1:${output.split('\n')[0]}/`, {
      method: 'POST',
      headers: { 'x-svc-signature': signature },
      body,
    });
  const timestamp = Math.floor(Date.now() / 1000);
  expect((await post(signNotification({ secret, timestamp, body }), body)).status).toBe(200);
  expect((await post(signature, body)).status).toBe(401);
  expect((await post(signNotification({ secret, timestamp, body: '{}' }), '{}')).status).toBe(400);
  expect(output).toMatch(/\na transcribed\n$/);
});
