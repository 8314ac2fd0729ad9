import { once } from 'node:events';
import { concat, EMPTY, mergeMap, of, throwError } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { RxscribeError } from '../../../src/base/errors.ts';
import type { RecognizerResult } from '../../../src/engines/recognizer.ts';
import { STREAM_PATH } from '../../../src/protocol/interfaceNames.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { createFixedAccount } from '../../../src/service/accounts/fixedAccount.ts';
import { LIMIT_DEFAULTS } from '../../../src/service/limits.ts';
import { closeOf, handshake, rawConnection } from '../../helpers/rawConnection.ts';
import { createScriptedRecognizer, scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { connectedStream, connectStream, RAW_16K, type StreamClient } from '../../helpers/streamClient.ts';
import { advanceUntil, startTestService, TEST_TOKEN } from '../../helpers/testService.ts';

const MIB = 1024 * 1024;
const SPEECH = scriptedSpeech([4, 7, 0, 0, 0, 9]);
/** Limits by which neither idleness nor a heartbeat ends a stream whose clock jumps. */
const UNHURRIED = { stream: { idleMs: 1e9, heartbeatMs: 1e9 } };

describe('a session is closed', () => {
  test('with 1000 after the end of the stream and the last final', async () => {
    const client = connectStream(await startTestService());
    expect(await client.finish(SPEECH)).toEqual({ code: 1000, reason: 'End of input. Closing' });
    expect(client.finalWords()).toEqual(['W4', 'w7', 'W9']);
    expect(client.messages.at(-1)?.type).toBe('final');
  });

  test('with 1000 when there was no audio at all', async () => {
    const client = await connectedStream(await startTestService());
    expect(await client.finish()).toEqual({ code: 1000, reason: 'End of input. Closing' });
    expect(client.finals()).toEqual([]);
  });

  test('with 1000 and its reason after 15 s without audio, with a final up to the last whole word', async () => {
    const clock = new VirtualClock();
    const client = await connectedStream(await startTestService({ clock }));
    client.send(SPEECH);
    await client.message(({ type, elements }) => type === 'partial' && elements.at(-1)?.value === 'w9');
    await clock.advanceAsync(LIMIT_DEFAULTS.stream.idleMs - 1);
    expect(client.socket.readyState).toBe(client.socket.OPEN);
    await clock.advanceAsync(1);
    expect(await client.closed).toEqual({
      code: 1000,
      reason: 'No data has been transferred, closing connection',
    });
    expect(client.finalWords()).toEqual(['W4', 'w7']);
  });

  test('with 1000 and the same reason when it only pings and sends empty messages', async () => {
    const clock = new VirtualClock();
    const client = await connectedStream(
      await startTestService({ clock, limits: { stream: { heartbeatMs: 1e9 } } }),
    );
    await clock.advanceAsync(LIMIT_DEFAULTS.stream.idleMs - 1);
    client.send(new Uint8Array(0));
    client.socket.ping();
    await new Promise(resolve => client.socket.once('pong', resolve));
    await clock.advanceAsync(1);
    const { code, reason } = await client.closed;
    expect([code, reason.slice(0, 7)]).toEqual([1000, 'No data']);
  });

  test.each(['EOS ', 'eos', '', 'x'.repeat(100_000)])(
    'with 1007 for a text that is not EOS (%#)',
    async text => {
      const client = await connectedStream(await startTestService());
      client.send(text);
      expect(await client.closed).toEqual({ code: 1007, reason: '' });
    },
  );

  test('with 1009 when there is no room for the rest of a planar message', async () => {
    const limits = { stream: { accountBacklogBytes: 3 * MIB } };
    const service = await startTestService({ limits });
    const client = await connectedStream(service, { content_type: RAW_16K.replace('=i', '=non-i') });
    client.send(new Uint8Array(2 * MIB));
    client.send(new Uint8Array(4 * MIB));
    expect(await client.closed).toEqual({
      code: 1009,
      reason: 'Message too big: no room at present, send smaller messages',
    });
    await expectTranscription(service);
  });

  test('with 4001 and destroyed after a second when a client without a token does not answer', async () => {
    const clock = new VirtualClock();
    const service = await startTestService({ clock, limits: { stream: { closeTimeoutMs: 3_600_000 } } });
    const socket = await rawConnection(service);
    socket.write(`${handshake(`${STREAM_PATH}?access_token=wrong`).join('\r\n')}\r\n\r\n`);
    const closed = closeOf(socket);
    let heard = '';
    while (!heard.includes('Unauthorized')) heard += String((await once(socket, 'data'))[0]);
    await clock.advanceAsync(999);
    expect(socket.closed).toBe(false);
    await clock.advanceAsync(1);
    await closed;
  });

  test('with 1007 by a flood of texts, and the service goes on', async () => {
    const service = await startTestService();
    const flood = connectStream(service);
    await flood.opened;
    for (let i = 0; i < 20_000; i++) flood.send('EOF');
    expect((await flood.closed).code).toBe(1007);
    await expectTranscription(service);
  });

  test.each([undefined, '', 'wrong', `${TEST_TOKEN} `, 'with spaces in it', '%00', 'x'.repeat(8000)])(
    'with 4001 after a handshake that succeeds, for token %#',
    async token => {
      const client = connectStream(await startTestService(), { access_token: token });
      await client.opened;
      expect(await client.closed).toEqual({ code: 4001, reason: 'Unauthorized' });
      expect(client.messages).toEqual([]);
    },
  );

  test.each([
    ['content_type', undefined],
    ['content_type', 'audio/x-raw'],
    ['content_type', 'audio/x-raw;layout=interleaved;rate=7999;format=S16LE;channels=1'],
    ['content_type', 'audio/x-raw;layout=interleaved;rate=16000;format=S16LE;channels=11'],
    ['metadata', 'x'.repeat(513)],
    ['delete_after_seconds', '2592001'],
    ['delete_after_seconds', '-1'],
    ['max_segment_duration_seconds', '4'],
    ['max_segment_duration_seconds', '31'],
    ['max_connection_wait_seconds', '59'],
    ['filter_profanity', 'perhaps'],
    ['language', 'tlh'],
    ['custom_vocabulary_id', 'cvUnknown'],
    ['custom_vocabularies', '[]'],
    ['custom_vocabularies', '{'],
  ])('with 4002 and why, for %s=%s', async (name, value) => {
    const client = connectStream(await startTestService(), { [name]: value });
    const { code, reason } = await client.closed;
    expect(code).toBe(4002);
    expect(reason).toMatch(new RegExp(`^Bad request: .*${name}`));
  });

  test.each([
    ['custom_vocabularies', '[{"phrases":["Ill disposed"]}]'],
    ['custom_vocabulary_id', 'cv1'],
  ])('with 4002 for %s without support by the recogniser', async (name, value) => {
    const recognizer = createScriptedRecognizer();
    const capabilities = { ...recognizer.capabilities, customVocabulary: false };
    const service = await startTestService({ recognizer: { ...recognizer, capabilities } });
    const reason = `Bad request: ${name}: not supported by this recogniser`;
    expect(await connectStream(service, { [name]: value }).closed).toEqual({ code: 4002, reason });
  });

  test.each(['audio/x-wav', 'audio/x-flac', 'audio/*'])('with 4002 when the bytes are not %s', async type => {
    const service = await startTestService();
    const client = connectStream(service, { content_type: type });
    const { code, reason } = await client.finish(new Uint8Array(100_000).fill(120));
    expect([code, reason.slice(0, 13)]).toEqual([4002, 'Bad request: ']);
    await expectTranscription(service);
  });

  test('with 4003 at the start without credit', async () => {
    const accounts = createFixedAccount(TEST_TOKEN, { balanceSeconds: 0 });
    const service = await startTestService({ accounts });
    expect(await connectStream(service).closed).toEqual({ code: 4003, reason: 'Insufficient credits' });
  });

  test('with 4003 in the middle, after the finals so far', async () => {
    const accounts = createFixedAccount(TEST_TOKEN, { balanceSeconds: 1 });
    const service = await startTestService({ accounts });
    const client = await connectedStream(service);
    client.send(scriptedSpeech([5, 6, 7, 0, 0, 0, ...new Array(100).fill(5)]));
    expect(await client.closed).toEqual({ code: 4003, reason: 'Insufficient credits' });
    expect(client.finalWords()).toEqual(['W5', 'w6', 'w7']);
    expect((await connectStream(service).closed).code).toBe(4003);
  });

  test('with 4003 when sessions of one account use its credit together', async () => {
    const accounts = createFixedAccount(TEST_TOKEN, { balanceSeconds: 1 });
    const service = await startTestService({ accounts });
    const clients = [connectStream(service), connectStream(service)];
    for (const client of clients) await client.connected;
    for (const client of clients) client.send(scriptedSpeech(new Array(8).fill(5)));
    const codes = await Promise.race(clients.map(({ closed }) => closed));
    expect(codes.code).toBe(4003);
  });

  test('with 4010 after the longest session', async () => {
    const clock = new VirtualClock();
    const service = await startTestService({ clock, limits: UNHURRIED });
    const client = await connectedStream(service);
    client.send(SPEECH);
    await client.message(({ elements }) => elements?.at(-1)?.value === 'w9');
    await clock.advanceAsync(3 * 3600 * 1000 - 1);
    expect(client.socket.readyState).toBe(client.socket.OPEN);
    const { code, reason } = await advanceUntil(clock, 1, client.closed);
    expect([code, reason]).toEqual([4010, 'Server shutting down: longest session']);
    expect(client.finalWords()).toEqual(['W4', 'w7']);
  });

  test('with 4013 when no recogniser becomes free in time', async () => {
    const clock = new VirtualClock();
    const recognizer = createScriptedRecognizer({ maxSessions: 1 });
    const service = await startTestService({ clock, limits: UNHURRIED, recognizer });
    const first = await connectedStream(service);
    const second = connectStream(service, { max_connection_wait_seconds: 90 });
    await second.opened;
    expect(await advanceUntil(clock, 500, second.closed)).toEqual({
      code: 4013,
      reason: 'No instance available',
    });
    expect(clock.now()).toBeGreaterThanOrEqual(90_000);
    expect(first.socket.readyState).toBe(first.socket.OPEN);
  });

  test('with 4013 when the recogniser does not open in time', async () => {
    const recognizer = { ...createScriptedRecognizer(), open: () => new Promise<never>(() => {}) };
    const clock = new VirtualClock();
    const service = await startTestService({ clock, recognizer, limits: { stream: { heartbeatMs: 1e9 } } });
    const client = connectStream(service);
    await client.opened;
    expect((await advanceUntil(clock, 500, client.closed)).code).toBe(4013);
    expect(clock.now()).toBeGreaterThanOrEqual(60_000);
  });

  test('with 4029 over the concurrent sessions of an account, and not under', async () => {
    const service = await startTestService();
    const clients: StreamClient[] = [];
    for (let i = 0; i < 10; i++) {
      clients.push(connectStream(service));
      await clients.at(-1)!.connected;
    }
    expect(await connectStream(service).closed).toEqual({ code: 4029, reason: 'Too many requests' });
    await clients[0]!.finish();
    await connectStream(service).connected;
  });

  test('with 1011 when the recogniser fails', async () => {
    const recognizer = createScriptedRecognizer({ failAfterSeconds: 0.3 });
    const client = await connectedStream(await startTestService({ recognizer }));
    client.send(SPEECH);
    expect(await client.closed).toEqual({ code: 1011, reason: 'Internal error' });
  });

  test('with 1011 after the final that came right before the recogniser failed', async () => {
    const scripted = createScriptedRecognizer();
    const failure$ = throwError(() => new RxscribeError('engine-failed', 'The engine failed.'));
    const open: typeof scripted.open = async options => {
      const session = await scripted.open(options);
      const failing = (result: RecognizerResult) => (result.type === 'final' ? failure$ : EMPTY);
      const results$ = session.results$.pipe(mergeMap(result => concat(of(result), failing(result))));
      return { ...session, results$ };
    };
    const client = await connectedStream(await startTestService({ recognizer: { ...scripted, open } }));
    expect(await client.finish(SPEECH)).toEqual({ code: 1011, reason: 'Internal error' });
    expect(client.finalWords()).not.toEqual([]);
  });

  test('with 4013 when the recogniser hangs: another one may answer', async () => {
    const clock = new VirtualClock();
    const beforeWrite = () => new Promise<void>(() => {});
    const recognizer = createScriptedRecognizer({ beforeWrite });
    const client = connectStream(await startTestService({ clock, limits: UNHURRIED, recognizer }));
    expect((await advanceUntil(clock, 1000, client.finish(SPEECH))).code).toBe(4013);
    expect(clock.now()).toBeGreaterThanOrEqual(LIMIT_DEFAULTS.stream.stallMs);
  });

  test('with 1009 for a message over the limit, and not for one at it', async () => {
    const service = await startTestService();
    const query = { content_type: 'audio/x-raw;layout=interleaved;rate=48000;format=S32LE;channels=10' };
    const limit = LIMIT_DEFAULTS.stream.messageBytes;
    const at = connectStream(service, query);
    expect((await at.finish(new Uint8Array(limit))).code).toBe(1000);
    const over = await connectedStream(service, query);
    over.send(new Uint8Array(limit + 1));
    expect(await over.closed).toEqual({
      code: 1009,
      reason: `Message too big: at most ${limit} bytes`,
    });
    await expectTranscription(service);
  });
});

async function expectTranscription(service: { url: string }): Promise<void> {
  const client = connectStream(service);
  expect((await client.finish(SPEECH)).code).toBe(1000);
  expect(client.finalWords()).toEqual(['W4', 'w7', 'W9']);
}
