import { describe, expect, test } from 'vitest';
import type { Punctuator } from '../../../src/engines/punctuator.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import type { Service } from '../../../src/service/app.ts';
import { plainPunctuator } from '../../helpers/plainPunctuator.ts';
import { createScriptedRecognizer, scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { connectedStream, connectStream, type StreamClient } from '../../helpers/streamClient.ts';
import { advanceUntil, request, startTestService } from '../../helpers/testService.ts';

const PAUSE = scriptedSpeech([0, 0, 0]);
const SHUTTING_DOWN = { code: 4010, reason: 'Server shutting down' };

/** Connects a client and sends speech, whose last word is part of a partial then. */
async function speaking(service: Service, levels: readonly number[] = [4, 7]): Promise<StreamClient> {
  const client = await connectedStream(service);
  client.send(scriptedSpeech(levels));
  await client.message(
    ({ type, elements }) => type === 'partial' && elements.at(-1)?.value === `w${levels.at(-1)}`,
  );
  return client;
}

describe('a service that stops', () => {
  test('ends a stream at its next pause, after the final, and makes none of speech that begins later', async () => {
    const service = await startTestService({ drainSeconds: 60 });
    const client = await speaking(service);
    const stopped = service.close();
    client.send(scriptedSpeech([0, 0, 0, 9, 9]));
    expect(await client.closed).toEqual(SHUTTING_DOWN);
    expect(client.finalWords()).toEqual(['W4', 'w7']);
    await stopped;
  });

  test('ends a stream where the longest segment was cut', async () => {
    const service = await startTestService({ drainSeconds: 60 });
    const client = await connectedStream(service, { max_segment_duration_seconds: 5 });
    client.send(scriptedSpeech([4]));
    await client.message(({ type }) => type === 'partial');
    const stopped = service.close();
    client.send(scriptedSpeech(new Array(60).fill(4)));
    expect(await client.closed).toEqual(SHUTTING_DOWN);
    expect(client.finalWords()).toHaveLength(50);
    await stopped;
  });

  test('ends a stream at once when nobody speaks', async () => {
    const service = await startTestService({ drainSeconds: 60 });
    const silent = await connectedStream(service);
    const paused = await speaking(service);
    paused.send(PAUSE);
    await paused.message(({ type }) => type === 'final');
    const stopped = service.close();
    expect(await silent.closed).toEqual(SHUTTING_DOWN);
    expect(await paused.closed).toEqual(SHUTTING_DOWN);
    await stopped;
  });

  test('sends a final that was recognised before it stopped', async () => {
    const { promise: isWritten, resolve: write } = Promise.withResolvers<void>();
    const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>();
    const punctuator: Punctuator = {
      ...plainPunctuator,
      async punctuate(...given) {
        ask();
        await isWritten;
        return plainPunctuator.punctuate(...given);
      },
    };
    const service = await startTestService({ drainSeconds: 60, punctuator });
    const client = await speaking(service);
    client.send(PAUSE);
    await isAsked;
    const stopped = service.close();
    write();
    expect(await client.closed).toEqual(SHUTTING_DOWN);
    expect(client.finalWords()).toEqual(['W4', 'w7']);
    await stopped;
  });

  test('ends a stream without a pause when the time is over, without a guess at its last words', async () => {
    const clock = new VirtualClock();
    const service = await startTestService({ clock, drainSeconds: 5 });
    const client = await speaking(service);
    const stopped = service.close();
    await clock.advanceAsync(4999);
    expect(client.socket.readyState).toBe(client.socket.OPEN);
    expect(await advanceUntil(clock, 1, client.closed)).toEqual(SHUTTING_DOWN);
    expect(client.finalWords()).toEqual([]);
    await advanceUntil(clock, 1000, stopped);
  });

  test('ends a stream whose recogniser hangs', async () => {
    let writes = 0;
    const recognizer = createScriptedRecognizer({
      beforeWrite: () => (writes++ === 0 ? Promise.resolve() : new Promise(() => {})),
    });
    const clock = new VirtualClock();
    const service = await startTestService({ clock, recognizer, drainSeconds: 5 });
    const client = await speaking(service);
    client.send(PAUSE);
    const stopped = service.close();
    expect(await advanceUntil(clock, 100, client.closed)).toEqual(SHUTTING_DOWN);
    await advanceUntil(clock, 1000, stopped);
  });

  test('lets a stream end whose client has sent all its audio', async () => {
    const { promise: mayWrite, resolve: write } = Promise.withResolvers<void>();
    const recognizer = createScriptedRecognizer({ beforeWrite: () => mayWrite });
    const service = await startTestService({ recognizer, drainSeconds: 60 });
    const client = await connectedStream(service);
    client.send(scriptedSpeech([4, 7, 0, 0, 0, 9]));
    client.send('EOS');
    const ponged = new Promise(resolve => client.socket.once('pong', resolve));
    client.socket.ping();
    await ponged;
    const stopped = service.close();
    write();
    expect((await client.closed).code).toBe(1000);
    expect(client.finalWords()).toEqual(['W4', 'w7', 'W9']);
    await stopped;
  });

  test('refuses new streams, also those that wait for a recogniser', async () => {
    const recognizer = createScriptedRecognizer({ maxSessions: 1 });
    const service = await startTestService({ recognizer, drainSeconds: 60 });
    const client = await speaking(service);
    const waiting = connectStream(service);
    await waiting.opened;
    const stopped = service.close();
    const late = connectStream(service);
    expect(await waiting.closed).toEqual(SHUTTING_DOWN);
    expect(await late.closed).toEqual(SHUTTING_DOWN);
    expect(client.socket.readyState).toBe(client.socket.OPEN);
    client.send(PAUSE);
    await stopped;
  });

  test('answers requests until its streams have ended, and is not ready', async () => {
    const service = await startTestService({ drainSeconds: 60 });
    const client = await speaking(service);
    const stopped = service.close();
    const { status, json } = await request(service, '/health/ready');
    expect([status, json().detail]).toEqual([503, 'The service is stopping.']);
    expect((await request(service, '/health/live')).status).toBe(200);
    client.send(PAUSE);
    await stopped;
  });
});

test.each([-1, 3601, Number.NaN])('a service refuses %s seconds for its end', async drainSeconds => {
  await expect(startTestService({ drainSeconds })).rejects.toThrow(
    "Option 'drainSeconds' must be from 0 to 3600",
  );
});
