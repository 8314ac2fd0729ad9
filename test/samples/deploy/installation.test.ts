// @module-tag tools

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, type TestContext, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { type Balancer, startBalancer } from '../../helpers/balancer.ts';
import { type RunningProcess, startProcess } from '../../helpers/commandLine.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { readDockerfile } from '../../helpers/dockerfile.ts';
import { eventually } from '../../helpers/eventually.ts';
import { freePorts } from '../../helpers/freePorts.ts';
import { needs, needsProgram, needsRecognizer } from '../../helpers/needs.ts';
import { missingObjectServer, OBJECT_CREDENTIALS, startObjectServer } from '../../helpers/objectServer.ts';
import { postgresPrograms, startPostgres } from '../../helpers/postgresServer.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;
const SAMPLES = join(ROOT, 'samples/deploy');
const COMPOSE = parse(readFileSync(join(SAMPLES, 'compose.yaml'), 'utf8'), { merge: true });
const TOKEN = 'token-of-the-installation-test';

// biome-ignore lint/suspicious/noExplicitAny: answers of Prometheus
type Answer = any;

/** Variables of the image that are no paths. */
const IMAGE = Object.fromEntries(
  readDockerfile(join(SAMPLES, 'Dockerfile'))
    .filter(({ name }) => name === 'ENV')
    .flatMap(({ args }) =>
      [...args.matchAll(/(\w+)=([^\s/]+)(?=\s|$)/g)].map(([, name, value]) => [name, value]),
    ),
);

type ServiceName = 'api-1' | 'api-2' | 'worker';

/** A process of the installation. */
interface Member {
  readonly service: ServiceName;
  readonly port: number;
  readonly adminPort: number;
  readonly data: string;
  readonly env: NodeJS.ProcessEnv;
  readonly run: RunningProcess;
}

interface Installation {
  /** Starts a process as compose.yaml does, with other addresses; at the port of an earlier one, in its place. */
  start(service: ServiceName, port?: number): Promise<Member>;
}

/** The servers behind, on this machine. */
async function installation(context: TestContext): Promise<Installation> {
  await needsRecognizer(context);
  needsProgram(context, 'haproxy');
  needs(context, postgresPrograms() ? missingObjectServer() : 'the package postgresql');
  const [postgres, objects] = await Promise.all([startPostgres(postgresPrograms()!), startObjectServer()]);
  onTestFinished(async () => {
    await Promise.all([postgres[Symbol.asyncDispose](), objects[Symbol.asyncDispose]()]);
  });
  const databaseUrl = await postgres.createDatabase();
  const place = objects.createPlace();
  return {
    async start(service, at) {
      const [free, adminPort] = (await freePorts(2)) as [number, number];
      const port = at ?? free;
      const data = await temporaryDirectory();
      const env = {
        ...IMAGE,
        ...stringsOf(COMPOSE.services[service].environment),
        ...OBJECT_CREDENTIALS,
        AWS_REGION: 'us-east-1',
        RXSCRIBE_DATABASE_URL: databaseUrl,
        RXSCRIBE_OBJECTS: place.url,
        RXSCRIBE_S3_ENDPOINT: place.endpoint,
        RXSCRIBE_TOKEN: TOKEN,
        RXSCRIBE_DATA: data,
        RXSCRIBE_HOST: '127.0.0.1',
        RXSCRIBE_PORT: String(port),
        RXSCRIBE_ADMIN_HOST: '127.0.0.1',
        RXSCRIBE_ADMIN_PORT: String(adminPort),
      };
      const run = startProcess(['serve'], { env });
      onTestFinished(() => run[Symbol.asyncDispose]());
      await run.line(/listening on/);
      return { service, port, adminPort, data, env, run };
    },
  };
}

function stringsOf(variables: object): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, String(value)]));
}

const clientOf = ({ url }: Balancer) => ({ RXSCRIBE_URL: url, RXSCRIBE_TOKEN: TOKEN });

/** Runs a command against the load balancer, and gives its output. */
async function output(balancer: Balancer, ...args: string[]): Promise<string> {
  const run = startProcess(args, { env: clientOf(balancer) });
  const { code, stdout, stderr } = await run.done;
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  return stdout;
}

/** Queries of the dashboard whose figures are there only after something went wrong, or somebody waited. */
const MAY_BE_EMPTY = /rxscribe_deliveries_total|outcome="error"/;

/** Alerts that a machine with other work has reason for. */
const OF_BUSY_MACHINES = /Behind|Late|Slow|FreeStreams/;

/** Starts Prometheus with the sample's configuration, of which it changes addresses and intervals alone. */
async function startPrometheus(context: TestContext, members: readonly Member[]): Promise<string> {
  needsProgram(context, 'prometheus');
  const directory = await temporaryDirectory();
  const [port] = (await freePorts(1)) as [number];
  const config = parse(readFileSync(join(SAMPLES, 'prometheus.yml'), 'utf8'));
  const [scrape] = config.scrape_configs;
  const sample = {
    ...config,
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [join(SAMPLES, 'alerts.yml')],
    alerting: undefined,
    scrape_configs: [
      {
        job_name: scrape.job_name,
        static_configs: [{ targets: members.map(({ adminPort }) => `127.0.0.1:${adminPort}`) }],
      },
    ],
  };
  writeFileSync(join(directory, 'prometheus.yml'), stringify(sample));
  const child = spawn(
    'prometheus',
    [
      `--config.file=${directory}/prometheus.yml`,
      `--storage.tsdb.path=${directory}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  onTestFinished(async () => {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  });
  return `http://127.0.0.1:${port}/api/v1`;
}

/** Returns the queries of the dashboard for all processes, over the last minute. */
function dashboardQueries(): readonly string[] {
  const { panels } = JSON.parse(readFileSync(join(SAMPLES, 'grafana/dashboard.json'), 'utf8'));
  return panels
    .flatMap(({ targets = [] }: { targets?: readonly { expr: string }[] }) => targets.map(({ expr }) => expr))
    .map((expr: string) => expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*'));
}

/** Returns the words of the transcript that a command ends with. */
function spokenWords(lines: string): readonly string[] {
  const last: Answer = JSON.parse(lines.trim().split('\n').at(-1)!);
  return last.transcript.monologues
    .flatMap(({ elements }: Answer) => elements)
    .filter(({ type }: Answer) => type === 'text')
    .map(({ value }: Answer) => value.toLowerCase());
}

/** Returns the process that runs a stream, by its metrics. */
async function findBusy(members: readonly Member[]): Promise<Member> {
  for (const member of members) {
    const metrics = await (await fetch(`http://127.0.0.1:${member.adminPort}/metrics`)).text();
    if (/^rxscribe_streams\{.*state="running".*\} 1$/m.test(metrics)) return member;
  }
  throw new Error('No process runs a stream.');
}

describe('the installation of compose.yaml behind its load balancer', () => {
  test('does jobs and streams, and is upgraded without a word lost', { timeout: 600_000 }, async context => {
    const { start } = await installation(context);
    const apis = await Promise.all([start('api-1'), start('api-2')]);
    const workers = await Promise.all([start('worker'), start('worker')]);
    const balancer = await startBalancer('haproxy', apis);
    onTestFinished(() => balancer[Symbol.asyncDispose]());

    const prometheus = await startPrometheus(context, [...apis, ...workers]);

    // A job, which a worker runs, since the others run none.
    const sample = 'samples/not-ill-disposed.wav';
    expect(await output(balancer, 'transcribe', sample)).toContain('young man');
    // Accounts by the socket in the data directory, as `docker compose exec` does.
    await output(balancer, 'account', 'create', '--email', 'alice@example.org', '--data', apis[0]!.data);
    expect(await output(balancer, 'account', 'list', '--data', apis[1]!.data)).toContain('alice@example.org');
    for (const worker of workers) {
      const streamed = await fetch(`http://127.0.0.1:${worker.port}/speechtotext/v1/account`);
      expect(streamed.status).toBe(404);
    }

    const speech = 'samples/sense-and-sensibility.wav';
    const undisturbed = await output(balancer, 'caption', speech, '--json');
    expect(spokenWords(undisturbed).length).toBeGreaterThan(60);

    // The dashboard of all this.
    const query = async (expr: string): Promise<readonly { readonly value: readonly [number, string] }[]> => {
      const answer = await fetch(`${prometheus}/query?${new URLSearchParams({ query: expr })}`);
      return ((await answer.json()) as Answer).data.result;
    };
    const isUp = async () => (await query('sum(up)'))[0]?.value[1];
    await eventually(async () => expect(await isUp()).toBe('4'));
    const queries = dashboardQueries().filter(expr => !MAY_BE_EMPTY.test(expr));
    expect(queries.length).toBeGreaterThan(20);
    await eventually(async () => {
      const counts = await Promise.all(queries.map(async expr => (await query(expr)).length));
      expect(queries.filter((_, index) => counts[index] === 0)).toEqual([]);
    });
    const { data } = (await (await fetch(`${prometheus}/alerts`)).json()) as Answer;
    const alerts = data.alerts
      .filter(({ state }: Answer) => state === 'firing')
      .map(({ labels }: Answer) => labels.alertname);
    expect(alerts.filter((alert: string) => !OF_BUSY_MACHINES.test(alert))).toEqual([]);

    // An upgrade while somebody speaks.
    const captioned = startProcess(['caption', speech, '--json'], { env: clientOf(balancer) });
    onTestFinished(() => captioned[Symbol.asyncDispose]());
    await captioned.line(/"connected"/);
    const busy = await findBusy(apis);
    for (const api of [busy, ...apis.filter(each => each !== busy)]) {
      api.run.process.kill('SIGTERM');
      expect((await api.run.done).code).toBe(0);
      await start(api.service, api.port);
      const readiness = `http://127.0.0.1:${api.port}/health/ready`;
      await eventually(async () => expect((await fetch(readiness)).status).toBe(200));
    }
    const { code, stdout } = await captioned.done;
    expect(code).toBe(0);
    expect(stdout.match(/"connected"/g)!.length).toBeGreaterThan(1);
    expect(spokenWords(stdout)).toEqual(spokenWords(undisturbed));
  });
});
