import { mkdtemp, rm } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import type { NetConnectOpts } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBalancer } from './balancer.ts';
import { cli, type RunningProcess, startProcess } from './commandLine.ts';
import { RAW_TOKEN } from './rawRequests.ts';

const CASSETTE = new URL('../../samples/sense-and-sensibility.cassette.jsonl', import.meta.url).pathname;

/** A listener that a command has opened. */
export interface OpenListener {
  readonly name: string;
  readonly address: NetConnectOpts;
  /** @throws Error with the process's output when it has ended, or when it does not answer a request within 10 s */
  check(): Promise<void>;
}

/** Listeners of `serve`, `caption --page`, `play` and `proxy`, each command in a process. */
export interface OpenListeners extends AsyncDisposable {
  readonly all: readonly OpenListener[];
}

/** Starts these commands. With `balancer`, also haproxy before the service and the captions' page. */
export async function openListeners({ balancer }: { readonly balancer: boolean }): Promise<OpenListeners> {
  const stack = new AsyncDisposableStack();
  const data = await mkdtemp(join(tmpdir(), 'rxs-'));
  stack.defer(() => rm(data, { recursive: true, force: true }));
  const started = async (args: readonly string[], first: RegExp) => {
    const running = stack.use(startProcess(args, { staysOpen: true }));
    const line = await Promise.any([running.line(first), running.errorLine(first)]);
    return { running, port: Number(first.exec(line)![1]) };
  };
  const admin = cli`--admin-port 0 --admin-token ${RAW_TOKEN} --doors openai,deepgram`;
  const serve = await started(
    cli`serve --port 0 --data ${data} --token ${RAW_TOKEN} ${admin} --log-format json --log-level info`,
    /rxscribe listening on http:\/\/127\.0\.0\.1:(\d+)/,
  );
  const adminLine = await serve.running.errorLine(/metrics and administration/);
  const adminPort = Number(/:(\d+)"/.exec(adminLine)![1]);
  const service = `http://127.0.0.1:${serve.port}`;
  const page = await started(
    cli`caption - --page 0 --operator-token ${RAW_TOKEN} --url ${service} --token ${RAW_TOKEN}`,
    /http:\/\/127\.0\.0\.1:(\d+)\//,
  );
  const play = await started(cli`play ${CASSETTE} --token ${RAW_TOKEN}`, /:\/\/127\.0\.0\.1:(\d+)/);
  const proxy = await started(cli`proxy --url ${service}`, /:\/\/127\.0\.0\.1:(\d+)/);
  const tcp = (port: number) => ({ host: '127.0.0.1', port });
  const all: OpenListener[] = [
    listener('serve', serve.running, tcp(serve.port)),
    listener('serve, administration', serve.running, tcp(adminPort)),
    listener('serve, its socket', serve.running, { path: join(data, 'admin.sock') }),
    listener('caption --page', page.running, tcp(page.port)),
    listener('play', play.running, tcp(play.port)),
    listener('proxy', proxy.running, tcp(proxy.port)),
  ];
  if (balancer) {
    const { port } = stack.use(await startBalancer('haproxy', [serve]));
    all.push(listener('serve behind haproxy', serve.running, tcp(port)));
  }
  return { all, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

const ANSWER_MS = 10_000;

function listener(name: string, running: RunningProcess, address: NetConnectOpts): OpenListener {
  return {
    name,
    address,
    async check() {
      const ended = running.done.then(({ code, stderr }) => {
        throw new Error(`${name}: the process has ended with ${code}: ${stderr.slice(-3000)}`);
      });
      const answer = new Promise<IncomingMessage>((resolve, reject) => {
        const options = { ...address, path: '/', timeout: ANSWER_MS, agent: false };
        const request = get({ ...options, ...('path' in address && { socketPath: address.path }) });
        request.on('response', resolve).on('error', reject);
        request.on('timeout', () => request.destroy(new Error(`${name}: no answer within 10 s`)));
      });
      (await Promise.race([answer, ended])).destroy();
    },
  };
}
