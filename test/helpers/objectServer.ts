import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { findProgram } from '../../src/audio/source/program.ts';
import type { S3Place } from '../../src/service/store/s3Place.ts';
import { eventually } from './eventually.ts';
import { freePorts } from './freePorts.ts';

/** An S3-compatible server of its own: OpenStack Swift with one of each of its parts. */
export interface ObjectServer extends AsyncDisposable {
  /** Address of the server. */
  readonly endpoint: string;
  /** The place of a new, empty store. */
  createPlace(): S3Place;
  /** Pauses the part that clients reach: connections stay open, and nothing answers. */
  pause(): void;
  goOn(): void;
  /** Ends that part at once. */
  stop(): Promise<void>;
  /** Starts it again after a stop. */
  start(): Promise<void>;
}

/** Credentials of the server in the variables that AWS tools read. */
export const OBJECT_CREDENTIALS = { AWS_ACCESS_KEY_ID: 'test:tester', AWS_SECRET_ACCESS_KEY: 'testing' };

const BUCKET = 'objects';
const PARTS = ['account', 'container', 'object'] as const;

/** Returns the name of the Debian package that is missing; undefined when the server can be started. */
export function missingObjectServer(): string | undefined {
  const missing = ['proxy', ...PARTS].find(part => !findProgram(`swift-${part}-server`));
  return missing && `the package swift-${missing}`;
}

/** Starts a server, and sets {@link OBJECT_CREDENTIALS} in this process. */
export async function startObjectServer(): Promise<ObjectServer> {
  const directory = mkdtempSync(join(tmpdir(), 'rxscribe-objects-'));
  const [port, ...ports] = (await freePorts(1 + PARTS.length)) as [number, ...number[]];
  writeConfiguration(directory, port, ports);
  const launch = (part: string) =>
    spawn(`swift-${part}-server`, [join(directory, `${part}.conf`)], {
      env: { ...process.env, SWIFT_DIR: directory },
      stdio: 'ignore',
    });
  const parts = PARTS.map(launch);
  let proxy = launch('proxy');
  const endpoint = `http://127.0.0.1:${port}`;
  const start = async () => {
    if (proxy.exitCode !== null || proxy.signalCode !== null) proxy = launch('proxy');
    await eventually(async () => void (await fetch(`${endpoint}/healthcheck`)));
  };
  await start();
  Object.assign(process.env, OBJECT_CREDENTIALS);
  await createBucket(endpoint);
  let places = 0;
  return {
    endpoint,
    createPlace: () => ({ url: `s3://${BUCKET}/store${places++}`, endpoint }),
    pause: () => void proxy.kill('SIGSTOP'),
    goOn: () => void proxy.kill('SIGCONT'),
    stop: () => kill(proxy),
    start,
    async [Symbol.asyncDispose]() {
      await Promise.all([proxy, ...parts].map(kill));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function createBucket(endpoint: string): Promise<void> {
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true });
  // The parts behind the first one may be starting still.
  await eventually(async () => void (await client.send(new CreateBucketCommand({ Bucket: BUCKET }))));
  client.destroy();
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/**
 * Writes the configuration of a server that has one disk, a directory, and one copy of each object. It wants a cache, but
 * does without when nothing answers there. On a busy machine its parts may be slow or fail, which excludes none of them.
 * Lists have few keys a page, so that tests meet several pages.
 */
function writeConfiguration(directory: string, port: number, ports: readonly number[]): void {
  mkdirSync(join(directory, 'devices', 'disk'), { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(directory, name), text);
  write(
    'swift.conf',
    '[swift-hash]\nswift_hash_path_suffix = test\n[storage-policy:0]\nname = one\ndefault = yes\n',
  );
  const common = `bind_ip = 127.0.0.1
user = ${userInfo().username}
swift_dir = ${directory}
workers = 0
log_level = CRITICAL`;
  for (const [index, part] of PARTS.entries()) {
    const builder = (...words: string[]) =>
      execFileSync('swift-ring-builder', [`${part}.builder`, ...words], { cwd: directory, stdio: 'ignore' });
    builder('create', '2', '1', '0');
    builder('add', `r1z1-127.0.0.1:${ports[index]}/disk`, '1');
    builder('rebalance');
    write(
      `${part}.conf`,
      `[DEFAULT]
${common}
bind_port = ${ports[index]}
devices = ${join(directory, 'devices')}
mount_check = false
[pipeline:main]
pipeline = ${part}-server
[app:${part}-server]
use = egg:swift#${part}
`,
    );
  }
  write(
    'proxy.conf',
    `[DEFAULT]
${common}
bind_port = ${port}
[pipeline:main]
pipeline = catch_errors healthcheck cache listing_formats s3api tempauth slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
conn_timeout = 20
node_timeout = 60
error_suppression_interval = 0
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:healthcheck]
use = egg:swift#healthcheck
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:9
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
max_bucket_listing = 5
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:slo]
use = egg:swift#slo
`,
  );
}
