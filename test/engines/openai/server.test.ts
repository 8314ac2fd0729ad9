import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { OpenAiServer, type TranscriptionRequest } from '../../../src/engines/openai/server.ts';
import { eventually } from '../../helpers/eventually.ts';
import { freePorts } from '../../helpers/freePorts.ts';
import { httpServer, rawServer } from '../../helpers/loopbackServer.ts';

const KEY = 'sk-a-secret-key';
const samples = new Int16Array(1600);
const done = (response: ServerResponse) => void response.end(JSON.stringify({ text: 'Yes.' }));

/** Resolves with the result of a request to a server, or with the message of its error. */
async function ask(onRequest: RequestListener | string, request: Partial<TranscriptionRequest> = {}) {
  const url = typeof onRequest === 'string' ? onRequest : (await httpServer(onRequest)).url;
  const server = new OpenAiServer({ url: `${url}/v1`, key: KEY });
  return server.transcribe({ samples, retryMs: 0, ...request }).then(
    ({ text }) => text,
    (error: Error) => error.message,
  );
}

async function formIn(request: IncomingMessage): Promise<FormData> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  const headers = { 'content-type': request.headers['content-type']! };
  return new Response(Buffer.concat(pieces), { headers }).formData();
}

it('audio is sent as WAV, with model, language, phrases and the key', async () => {
  let form: FormData | undefined;
  let sent: IncomingMessage | undefined;
  const options = { language: 'de', prompt: 'Dashwood' };
  const answer = await ask(async (request, response) => {
    sent = request;
    form = await formIn(request);
    done(response);
  }, options);
  expect(answer).toBe('Yes.');
  expect([sent!.url, sent!.headers.authorization]).toEqual(['/v1/audio/transcriptions', `Bearer ${KEY}`]);
  const { file, ...fields } = Object.fromEntries(form!);
  expect(fields).toEqual({
    model: 'whisper-1',
    response_format: 'verbose_json',
    'timestamp_granularities[]': 'segment',
    ...options,
  });
  const bytes = Buffer.from(await (file as File).arrayBuffer());
  expect([bytes.toString('latin1', 0, 4), bytes.length]).toEqual(['RIFF', 44 + 3200]);
});

describe('an answer that harms nobody', () => {
  it.each<[string, RequestListener, RegExp]>([
    ['no JSON', (_, response) => void response.end('<html>'), /the answer is no transcription/],
    ['no text', (_, response) => void response.end('{"segments":[]}'), /the answer is no transcription/],
    ['nothing', (_, response) => void response.end(), /the answer is no transcription/],
    [
      'a broken body',
      (_, response) => {
        response.writeHead(200, { 'content-length': 9 }).write('{');
        setImmediate(() => response.destroy());
      },
      /Cannot recognise/,
    ],
    ['a closed connection', request => void request.socket.destroy(), /Cannot recognise/],
    [
      'a fault',
      (_, response) => void response.writeHead(500).end('{"error":{"message":"no memory"}}'),
      /status 500, no memory/,
    ],
    [
      'another fault',
      (_, response) => void response.writeHead(503).end('{"detail":"loading"}'),
      /status 503, loading/,
    ],
    ['a wrong request', (_, response) => void response.writeHead(400).end('{"error":"x"}'), /status 400\./],
    [
      'a wrong key',
      (_, response) => void response.writeHead(401).end(`{"error":{"message":"sk-a* ${KEY}"}}`),
      /refuses the key \(status 401\)/,
    ],
    [
      'a redirect elsewhere',
      (_, response) => void response.writeHead(307, { location: 'http://127.0.0.2:1/' }).end(),
      /status 307/,
    ],
    [
      'a redirect for GET',
      (_, response) => void response.writeHead(302, { location: '/v1/x' }).end(),
      /status 302/,
    ],
    [
      'a redirect without end',
      ({ url }, response) => void response.writeHead(307, { location: url }).end(),
      /status 307/,
    ],
  ])('%s', async (_, onRequest, message) => {
    const answer = await ask(onRequest);
    expect(answer).toMatch(message);
    expect(answer).toMatch(/^Cannot recognise speech by '127\.0\.0\.1:\d+': /);
    expect(answer).not.toContain('sk-a');
  });

  it('a secret that comes back is not shown', async () => {
    const answer = await ask((_, response) =>
      response.writeHead(400).end(JSON.stringify({ error: { message: `the key ${KEY} has\nno model` } })),
    );
    expect(answer).toMatch(/status 400, the key … has no model\./);
  });

  it('an answer without end', async () => {
    let sent = 0;
    const answer = await ask((_, response) => {
      const piece = ' '.repeat(65_536);
      const send = () => {
        while (!response.destroyed && response.write(piece)) sent += piece.length;
      };
      response.on('drain', send);
      send();
    });
    expect(answer).toMatch(/the answer is no transcription/);
    expect(sent).toBeLessThan(32 * 1024 * 1024);
  });

  it('bytes that are no HTTP', async () => {
    const { url } = await rawServer(socket => socket.end('SSH-2.0-OpenSSH\r\n'));
    expect(await ask(url)).toMatch(/^Cannot recognise speech/);
  });

  it('no server', async () => {
    const [port] = await freePorts(1);
    expect(await ask(`http://127.0.0.1:${port}`)).toMatch(/: ECONNREFUSED\.$/);
  });
});

describe('a server', () => {
  it('that limits is asked again when it says so', async () => {
    const times: number[] = [];
    const answer = await ask(
      (_, response) => {
        times.push(performance.now());
        if (times.length === 1) response.writeHead(429, { 'retry-after': '1' }).end();
        else done(response);
      },
      { retryMs: 60_000 },
    );
    expect(answer).toBe('Yes.');
    expect(times[1]! - times[0]!).toBeGreaterThan(950);
  });

  it('that fails for a while is asked again, until the time is over', async () => {
    let asked = 0;
    const failing: RequestListener = (_, response) => {
      asked += 1;
      if (asked < 3) response.writeHead(502).end();
      else done(response);
    };
    expect(await ask(failing, { retryMs: 60_000 })).toBe('Yes.');
    asked = -1e9;
    expect(await ask(failing, { retryMs: 1 })).toMatch(/status 502\./);
  });

  it('gets a limited number of requests at a time, and no partial beyond', async () => {
    const open: ServerResponse[] = [];
    const { url } = await httpServer((_, response) => void open.push(response));
    const server = new OpenAiServer({ url, maxRequests: 2 });
    const asked = [1, 2, 3].map(() => server.transcribe({ samples, retryMs: 60_000 }));
    await eventually(() => expect(open).toHaveLength(2));
    await expect(server.transcribe({ samples, retryMs: 0 })).rejects.toThrow('all requests are in use');
    done(open[0]!);
    await eventually(() => expect(open).toHaveLength(3));
    for (const response of open.slice(1)) done(response);
    expect((await Promise.all(asked)).map(({ text }) => text)).toEqual(['Yes.', 'Yes.', 'Yes.']);
  });

  it('is left when the words are of no more use', async () => {
    const left = Promise.withResolvers<void>();
    const gone = new AbortController();
    const answer = ask(
      (_, response) => {
        response.on('close', left.resolve);
        gone.abort(new Error('enough'));
      },
      { retryMs: 60_000, signal: gone.signal },
    );
    expect(await answer).toBe('enough');
    await left.promise;
  });

  it('is checked by its list of models, if it has one', async () => {
    const check = async (status: number) => {
      const { url } = await httpServer((_, response) => void response.writeHead(status).end());
      return new OpenAiServer({ url, key: KEY }).check();
    };
    await check(200);
    await check(404);
    await expect(check(401)).rejects.toThrow('status 401');
    await expect(check(503)).rejects.toThrow('status 503');
  });

  it('has an address without secrets', () => {
    for (const url of [
      '',
      'gpu:8000',
      'ftp://gpu/v1',
      'http://user:secret@gpu/v1',
      'http://gpu/v1?key=secret',
    ])
      expect(() => new OpenAiServer({ url })).toThrow(/^The address of an engine must be/);
  });
});
