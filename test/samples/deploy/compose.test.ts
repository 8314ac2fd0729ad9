import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { needsProgram } from '../../helpers/needs.ts';
import { serveVariables } from '../../helpers/serveVariables.ts';

const DIRECTORY = new URL('../../../samples/deploy/', import.meta.url).pathname;
const PATH = join(DIRECTORY, 'compose.yaml');
const text = readFileSync(PATH, 'utf8');

interface Process {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly command?: readonly string[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly networks: readonly string[];
  readonly secrets?: readonly string[];
  readonly profiles?: readonly string[];
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>;
  readonly stop_grace_period?: string;
  readonly deploy?: { readonly replicas: number };
}

interface Compose {
  readonly services: Readonly<Record<string, Process>>;
  readonly networks: object;
  readonly volumes: object;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

const compose: Compose = parse(text, { merge: true });
const services = Object.entries(compose.services);
const ofRole = (role: string) =>
  services.filter(([, { environment }]) => environment?.RXSCRIBE_ROLE === role).map(([name]) => name);
const environment = compose.services.worker!.environment!;
const read = (name: string) => readFileSync(join(DIRECTORY, name), 'utf8');

/** Variables that the file needs, without which it is refused. */
const needed = new Set([...text.matchAll(/\$\{(\w+):\?\}/g)].map(([, name]) => name!));
const secrets = Object.fromEntries([...needed].map(name => [name, 'a-secret']));

/** Returns the file as docker-compose reads it. */
function config(env: NodeJS.ProcessEnv, ...args: string[]): string {
  return execFileSync('docker-compose', ['--file', PATH, ...args, 'config'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env },
    stdio: 'pipe',
  });
}

describe('compose.yaml', () => {
  test('is accepted, with and without the servers that watch', { tags: 'tools' }, context => {
    needsProgram(context, 'docker-compose');
    expect(Object.keys(parse(config(secrets)).services)).toEqual(expect.arrayContaining(['api-1', 'api-2']));
    const monitored = parse(config(secrets, '--profile', 'monitoring'));
    expect(Object.keys(monitored.services).toSorted()).toEqual(Object.keys(compose.services).toSorted());
  });

  test('is refused without its secrets', { tags: 'tools' }, context => {
    needsProgram(context, 'docker-compose');
    expect(() => config({ ...secrets, POSTGRES_PASSWORD: '' })).toThrow('POSTGRES_PASSWORD');
  });

  test('has no secret in it, and an image of a certain version for each server', () => {
    for (const [, { environment: variables = {}, image }] of services) {
      for (const [name, value] of Object.entries(variables)) {
        if (/PASSWORD|SECRET|TOKEN|KEY|DATABASE_URL/.test(name)) expect(value).toMatch(/\$\{\w+:\?\}/);
      }
      if (image !== 'rxscribe') expect(image).toMatch(/:v?\d+(\.\d+)*(-\w+)?$/);
    }
    expect(
      [...text.matchAll(/\$\{[^}]*\}/g)].map(([match]) => match).filter(match => !/:\?\}$/.test(match)),
    ).toEqual([]);
  });

  test('names files, networks, volumes, secrets and services that exist', () => {
    for (const [name, each] of services) {
      for (const volume of each.volumes ?? []) {
        const [source, target] = volume.split(':');
        if (target === undefined) expect(volume).toBe('/data');
        else if (source!.startsWith('.'))
          expect([name, source, existsSync(join(DIRECTORY, source!))]).toEqual([name, source, true]);
        else expect(Object.keys(compose.volumes)).toContain(source);
      }
      expect(Object.keys(compose.networks)).toEqual(expect.arrayContaining([...each.networks]));
      for (const secret of each.secrets ?? []) expect(Object.keys(compose.secrets)).toContain(secret);
      const wanted = each.depends_on ?? [];
      const dependencies = Array.isArray(wanted) ? wanted : Object.keys(wanted);
      expect(Object.keys(compose.services)).toEqual(expect.arrayContaining([...dependencies]));
      if (each.build)
        expect(existsSync(join(DIRECTORY, each.build.context, each.build.dockerfile))).toBe(true);
      // Of this machine alone.
      for (const port of each.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
    }
  });

  test('sets options that exist, and leaves more time to end than the drain takes', () => {
    const named = Object.keys(environment).filter(name => name.startsWith('RXSCRIBE_'));
    expect(named.length).toBeGreaterThan(4);
    expect(serveVariables()).toEqual(expect.arrayContaining(named));
    for (const name of [...ofRole('api'), ...ofRole('worker')]) {
      const { stop_grace_period: grace } = compose.services[name]!;
      expect(Number.parseInt(grace!, 10)).toBeGreaterThanOrEqual(
        Number(environment.RXSCRIBE_DRAIN_SECONDS) + 20,
      );
    }
  });

  test('has two processes for requests and two for jobs, which the servers around them know', () => {
    const apis = ofRole('api');
    expect(apis.length).toBe(2);
    expect(compose.services[ofRole('worker')[0]!]!.deploy).toEqual({ replicas: 2 });
    const servers = [...read('haproxy.cfg').matchAll(/^ +server (\S+) (\S+):8080$/gm)];
    for (const api of apis) {
      // In both backends: of processes that are ready, and of those that live.
      expect(servers.filter(([, name, host]) => name === api && host === api)).toHaveLength(2);
    }
    expect([...read('nginx.conf').matchAll(/^ +server (\S+):8080 /gm)].map(([, host]) => host)).toEqual(apis);
    const [scrape] = parse(read('prometheus.yml')).scrape_configs;
    const port = environment.RXSCRIBE_ADMIN_PORT;
    expect(scrape.static_configs[0].targets).toEqual(apis.map(api => `${api}:${port}`));
    expect(scrape.dns_sd_configs).toEqual([{ names: ofRole('worker'), type: 'A', port }]);
    const [manager] = parse(read('prometheus.yml')).alerting.alertmanagers;
    expect(manager.static_configs[0].targets).toEqual(['alertmanager:9093']);
    expect(parse(read('grafana/datasource.yaml')).datasources[0].url).toBe('http://prometheus:9090');
  });

  test('has one bucket, region and key for the processes and the object server', () => {
    const objects = compose.services.objects!.environment!;
    const toml = read('garage.toml');
    expect(environment.RXSCRIBE_OBJECTS).toBe(`s3://${objects.GARAGE_DEFAULT_BUCKET}/`);
    expect(environment.AWS_ACCESS_KEY_ID).toBe(objects.GARAGE_DEFAULT_ACCESS_KEY);
    expect(environment.AWS_SECRET_ACCESS_KEY).toBe(objects.GARAGE_DEFAULT_SECRET_KEY);
    expect(toml).toContain(`s3_region = "${environment.AWS_REGION}"`);
    expect(toml).toContain(
      `api_bind_addr = "[::]:${new URL(String(environment.RXSCRIBE_S3_ENDPOINT)).port}"`,
    );
    const database = new URL(String(environment.RXSCRIBE_DATABASE_URL).replace(/\$.*?\}/, 'secret'));
    const { POSTGRES_USER, POSTGRES_DB } = compose.services.postgres!.environment!;
    expect([database.hostname, database.username, database.pathname]).toEqual([
      'postgres',
      POSTGRES_USER,
      `/${POSTGRES_DB}`,
    ]);
  });

  test('needs only the variables that the page creates', () => {
    const page = read('README.md');
    const made = [...page.matchAll(/^(\w+)=\S*\$\(openssl/gm)].map(([, name]) => name!);
    expect(made.toSorted()).toEqual([...needed].toSorted());
  });
});

describe('gpu.yaml', () => {
  const gpu: Compose = parse(read('gpu.yaml'));

  test('is accepted', { tags: 'tools' }, context => {
    needsProgram(context, 'docker-compose');
    const args = ['--file', join(DIRECTORY, 'gpu.yaml'), 'config'];
    const env = { PATH: process.env.PATH, ...secrets };
    expect(execFileSync('docker-compose', args, { encoding: 'utf8', env, stdio: 'pipe' })).toContain(
      'nvidia',
    );
  });

  test('sets options that exist, and names the server by its service', () => {
    const variables = gpu.services.rxscribe!.environment!;
    expect(serveVariables()).toEqual(expect.arrayContaining(Object.keys(variables)));
    expect(Object.keys(gpu.services)).toContain(new URL(variables.RXSCRIBE_ENGINE_URL!).hostname);
  });
});
