import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { downloadFile } from '../../../src/engines/models/downloadFile.ts';
import { selfSignedCertificate } from '../../helpers/certificate.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { errorLike } from '../../helpers/errorLike.ts';
import { httpServer, httpsServer } from '../../helpers/loopbackServer.ts';
import { type Answer, cutAfter, fileServer, sha256, status, tagOf } from './fileServer.ts';

const CONTENT = randomBytes(300_000);
const HALF = 150_000;
const EAGER = { retryDelayMs: 1 };
/** A retry would outlast the test. */
const SLOW_RETRIES = { retryDelayMs: 3_600_000 };

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await temporaryDirectory();
  path = join(directory, 'model.onnx');
});

async function expectWhole(): Promise<void> {
  expect(sha256(await readFile(path))).toBe(sha256(CONTENT));
  expect(await readdir(directory)).toEqual(['model.onnx']);
}

async function putPart(bytes: Buffer, tag = tagOf(CONTENT)): Promise<void> {
  await writeFile(`${path}.part`, bytes);
  await writeFile(`${path}.part.tag`, tag);
}

test('downloads a file, reports progress, and leaves nothing beside it', async () => {
  const { file, asked } = await fileServer([], CONTENT);
  const reported: number[] = [];
  await downloadFile(file, path, { onBytes: bytes => reported.push(bytes) });
  await expectWhole();
  expect(asked).toEqual([{ range: '', ifRange: '' }]);
  expect(reported.at(-1)).toBe(CONTENT.length);
  expect(reported).toEqual(reported.toSorted((a, b) => a - b));
});

test('resumes after a broken connection if the file is the same', async () => {
  const { file, asked } = await fileServer([cutAfter(CONTENT, HALF)], CONTENT);
  await downloadFile(file, path, EAGER);
  await expectWhole();
  expect(asked).toHaveLength(2);
  const [, { range, ifRange }] = asked as [unknown, { range: string; ifRange: string }];
  expect(Number(/^bytes=(\d+)-$/.exec(range)?.[1])).toBeGreaterThan(0);
  expect(ifRange).toBe(tagOf(CONTENT));
});

test('resumes after an earlier process', async () => {
  const { file, asked } = await fileServer([], CONTENT);
  await putPart(CONTENT.subarray(0, HALF));
  await downloadFile(file, path, EAGER);
  await expectWhole();
  expect(asked).toEqual([{ range: `bytes=${HALF}-`, ifRange: tagOf(CONTENT) }]);
});

test('makes no request when an earlier process left the whole file', async () => {
  const { file, asked } = await fileServer([], CONTENT);
  await putPart(CONTENT);
  await downloadFile(file, path, EAGER);
  await expectWhole();
  expect(asked).toEqual([]);
});

test('starts over when the file has another tag', async () => {
  const { file, asked } = await fileServer([], CONTENT);
  await putPart(randomBytes(HALF), '"another"');
  await downloadFile(file, path, EAGER);
  await expectWhole();
  expect(asked).toEqual([{ range: `bytes=${HALF}-`, ifRange: '"another"' }]);
});

test('starts over at a server without ranges', async () => {
  const whole: Answer = (_, response) => response.end(CONTENT);
  const { file } = await fileServer([cutAfter(CONTENT, HALF), whole], CONTENT);
  await downloadFile(file, path, EAGER);
  await expectWhole();
});

test('starts over when the server has nothing beyond the existing bytes', async () => {
  const { file, asked } = await fileServer([status(416)], CONTENT);
  await putPart(randomBytes(HALF));
  await downloadFile(file, path, EAGER);
  await expectWhole();
  expect(asked.map(({ range }) => range)).toEqual([`bytes=${HALF}-`, '']);
});

test('discards a part that is longer than the file', async () => {
  const { file, asked } = await fileServer([], CONTENT);
  await putPart(randomBytes(CONTENT.length + 1));
  await downloadFile(file, path, EAGER);
  await expectWhole();
  expect(asked).toEqual([{ range: '', ifRange: '' }]);
});

test.each([500, 503, 429])('retries after status %d', async code => {
  const { file } = await fileServer([status(code), cutAfter(CONTENT, HALF), status(code)], CONTENT);
  await downloadFile(file, path, EAGER);
  await expectWhole();
});

test('abandons a stalled connection and continues with another', async () => {
  const stall: Answer = (_, response) => {
    response.writeHead(200, { etag: tagOf(CONTENT), 'content-length': CONTENT.length });
    response.write(CONTENT.subarray(0, HALF));
  };
  const { file, asked } = await fileServer([stall], CONTENT);
  await downloadFile(file, path, { ...EAGER, stallTimeoutMs: 500 });
  await expectWhole();
  expect(asked.length).toBeGreaterThan(1);
});

test('keeps the part when it gives up, and names the way to resume', async () => {
  const { file, asked } = await fileServer([cutAfter(CONTENT, HALF), ...Array(9).fill(status(500))], CONTENT);
  await expect(downloadFile(file, path, { ...EAGER, retries: 2 })).rejects.toMatchObject(
    errorLike(
      'download',
      /: status 500 \(received \d+ of 300000 bytes\)\. Run the command again to resume\.$/,
    ),
  );
  expect(asked).toHaveLength(3);
  expect((await stat(`${path}.part`)).size).toBeGreaterThan(0);
  expect(await readdir(directory)).not.toContain('model.onnx');
});

test('gives up at a server without ranges that breaks connections', async () => {
  const lengths = Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? 50_000 : HALF));
  const answers = lengths.map(
    (length): Answer =>
      (_, response) => {
        response.writeHead(200, { 'content-length': CONTENT.length });
        response.write(CONTENT.subarray(0, length), () => response.destroy());
      },
  );
  const { file } = await fileServer(answers, CONTENT);
  await expect(downloadFile(file, path, EAGER)).rejects.toMatchObject({ code: 'download' });
});

test('retries at a port that refuses connections', async () => {
  const { file } = await fileServer([], CONTENT);
  const reported: string[] = [];
  const options = { ...EAGER, retries: 3, onRetry: (reason: string) => reported.push(reason) };
  const attempt = downloadFile({ ...file, url: await closedAddress() }, path, options);
  await expect(attempt).rejects.toThrow(/no connection to .*ECONNREFUSED/);
  expect(reported).toHaveLength(3);
});

test('keeps the part when it is aborted', async () => {
  const interruption = new AbortController();
  const { file } = await fileServer([], CONTENT);
  const onBytes = () => interruption.abort(new Error('stop'));
  await expect(downloadFile(file, path, { signal: interruption.signal, onBytes })).rejects.toThrow('stop');
  const kept = await readFile(`${path}.part`);
  expect(kept.length).toBeGreaterThan(0);
  expect(kept.equals(CONTENT.subarray(0, kept.length))).toBe(true);
});

describe('permanent failures', () => {
  test.each([401, 404, 410])('include status %d, requested once', async code => {
    const { file, asked } = await fileServer([status(code)], CONTENT);
    await expect(downloadFile(file, path, EAGER)).rejects.toMatchObject(
      errorLike('download', `answered with status ${code}`),
    );
    expect(asked).toHaveLength(1);
  });

  test('include a wrong checksum: the file is deleted', async () => {
    const { file, asked, replace } = await fileServer([], CONTENT);
    replace(randomBytes(CONTENT.length));
    await expect(downloadFile(file, path, EAGER)).rejects.toMatchObject(
      errorLike('download', `not ${file.sha256}`),
    );
    expect(asked).toHaveLength(1);
    expect(await readdir(directory)).toEqual([]);
  });

  test.each([
    ['longer', CONTENT.length + 1],
    ['shorter', CONTENT.length - 1],
  ])('include a file that is %s by its header', async (_, length) => {
    const { file, replace } = await fileServer([], CONTENT);
    replace(randomBytes(length));
    await expect(downloadFile(file, path, EAGER)).rejects.toMatchObject(
      errorLike('download', `it has ${length} or more bytes, not ${CONTENT.length}`),
    );
    expect(await readdir(directory)).toEqual([]);
  });

  test('include an endless body', async () => {
    const endless: Answer = (_, response) => {
      const piece = randomBytes(65_536);
      const push = () => {
        while (!response.destroyed && response.write(piece));
        if (!response.destroyed) response.once('drain', push);
      };
      push();
    };
    const { file } = await fileServer([endless], CONTENT);
    await expect(downloadFile(file, path, EAGER)).rejects.toMatchObject(
      errorLike('download', 'or more bytes, not 300000'),
    );
    expect(await readdir(directory)).toEqual([]);
  });

  test('include a URL with a password, which is not shown', async () => {
    const { file, asked } = await fileServer([], CONTENT);
    const url = file.url.replace('//', '//me:secret@');
    const failure = await downloadFile({ ...file, url }, path, SLOW_RETRIES).catch(error => error);
    expect(failure.message).toContain('user name or password');
    expect(inspect(failure)).not.toContain('secret');
    expect(asked).toEqual([]);
  });

  test('include an invalid URL', async () => {
    const { file } = await fileServer([], CONTENT);
    await expect(downloadFile({ ...file, url: 'https://' }, path, SLOW_RETRIES)).rejects.toMatchObject({
      code: 'download',
    });
  });

  test('include an untrusted certificate and a forbidden port', async () => {
    const { url } = await httpsServer(selfSignedCertificate(), (_, response) => response.end(CONTENT));
    const { file } = await fileServer([], CONTENT);
    for (const [address, found] of [
      [url, 'SELF_SIGNED'],
      ['http://127.0.0.1:1/model.onnx?signature=secret', 'bad port'],
    ] as const) {
      const failure = await downloadFile({ ...file, url: address }, path, SLOW_RETRIES).catch(error => error);
      expect(failure.code).toBe('download');
      expect(failure.message).toMatch(new RegExp(`the connection failed .*${found}`));
      expect(failure.message).not.toContain('secret');
    }
  });

  test('include a full disk', async () => {
    const { file } = await fileServer([], CONTENT);
    await symlink('/dev/full', `${path}.part`);
    await expect(downloadFile(file, path, EAGER)).rejects.toMatchObject(
      errorLike('download', 'no space left on the device'),
    );
  });
});

describe('redirects', () => {
  test('are followed with the range', async () => {
    const { file, asked } = await fileServer([], CONTENT);
    const { url } = await httpServer((_, response) => {
      response.writeHead(302, { location: file.url }).end();
    });
    await putPart(CONTENT.subarray(0, HALF));
    await downloadFile({ ...file, url: `${url}/elsewhere` }, path, EAGER);
    await expectWhole();
    expect(asked).toEqual([{ range: `bytes=${HALF}-`, ifRange: tagOf(CONTENT) }]);
  });

  test('without an end are abandoned', async () => {
    let count = 0;
    const { url } = await httpServer((_, response) => {
      count += 1;
      response.writeHead(302, { location: '/again?signature=secret' }).end();
    });
    const { file } = await fileServer([], CONTENT);
    const failure = await downloadFile({ ...file, url }, path, EAGER).catch(error => error);
    expect(failure.message).toContain('more than 5 redirects');
    expect(failure.message).not.toContain('secret');
    expect(count).toBe(6);
  });

  test('to a URL with a password are rejected, without showing it', async () => {
    const { file, asked } = await fileServer([], CONTENT);
    const { url } = await httpServer((_, response) => {
      response.writeHead(302, { location: file.url.replace('//', '//me:secret@') }).end();
    });
    const failure = await downloadFile({ ...file, url }, path, SLOW_RETRIES).catch(error => error);
    expect(failure.message).toContain('a redirect has a user name or password');
    expect(inspect(failure)).not.toContain('secret');
    expect(asked).toEqual([]);
  });

  test('to other protocols are rejected', async () => {
    const { url } = await httpServer((_, response) => {
      response.writeHead(302, { location: 'file:///etc/passwd' }).end();
    });
    const { file } = await fileServer([], CONTENT);
    await expect(downloadFile({ ...file, url }, path, EAGER)).rejects.toThrow(
      'a redirect leads to file: instead of https:',
    );
  });
});

/** An address at which nobody listens any more. */
async function closedAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}
