import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { beforeAll, onTestFinished } from 'vitest';
import type { CaptionStep, WordsStep } from '../../../../src/captions/captionStep.ts';
import type { CaptionOutput } from '../../../../src/captions/outputs/captionOutput.ts';
import {
  type CaptionPage,
  type CaptionPageOptions,
  openCaptionPage,
} from '../../../../src/captions/outputs/page/captionPage.ts';
import {
  emptyPageText,
  nextPageText,
  type PageText,
  type PageUpdate,
} from '../../../../src/captions/outputs/page/pageText.ts';

/** Opens a page with one track at its root, for the duration of a test. */
export async function openPage(
  options: Partial<CaptionPageOptions> = {},
): Promise<{ readonly page: CaptionPage; readonly output: CaptionOutput }> {
  const page = await openCaptionPage({ port: 0, ...options });
  onTestFinished(() => page.close());
  return { page, output: page.track('', { title: 'Town hall', language: 'en' }) };
}

/** Starts a process with a page of endless speech, which ends after the tests of a file. */
export function usePageProcess(): () => { readonly url: string; readonly pid: number } {
  const main = new URL('pageServerMain.ts', import.meta.url).pathname;
  let url = '';
  let pid = 0;
  beforeAll(async () => {
    const stdio = ['ignore', 'pipe', 'inherit'] as const;
    const child = spawn(process.execPath, ['--conditions=source', main], { stdio: [...stdio] });
    pid = child.pid ?? 0;
    const [line] = await once(child.stdout, 'data');
    url = String(line).trim();
    return () => void child.kill();
  });
  return () => ({ url, pid });
}

let lastId = 0;

/** Returns a step with certain words. */
export function says(text: string, tail: readonly string[] = []): WordsStep {
  const added = text.split(' ').map(word => ({ id: ++lastId, text: word }));
  return { type: 'words', added, tail, wording: new Map() };
}

/** Yields the steps of endless speech: each word is uncertain once before it is certain. */
export function* spokenSteps(): Generator<CaptionStep, never> {
  for (let count = 0; ; count++) {
    const word = count % 12 === 11 ? 'sentence.' : `word${count}`;
    yield { type: 'words', added: [], tail: [word], wording: new Map() };
    yield says(word);
    if (count % 60 === 59) yield { type: 'clear' };
  }
}

/** A viewer who reads server-sent events as a browser does. */
export interface PageViewer {
  readonly text: PageText;
  readonly lastId: string;
  /** Id of the last ping. */
  readonly ping: string;
  /** Names of the events so far. */
  readonly events: readonly string[];
  /** Everything that was received. */
  readonly received: string;
  /** Resolves when the connection has ended. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** State of a viewer who connects again. */
type Before = Partial<Pick<PageViewer, 'lastId' | 'text'>>;

/** Connects a viewer, who leaves with the test; resolves with the response. */
export async function watch(url: string, before?: Before): Promise<PageViewer> {
  const viewer = await connectViewer(url, before);
  onTestFinished(() => viewer.close());
  return viewer;
}

/** Connects a viewer; resolves with the response. */
export async function connectViewer(
  url: string,
  { lastId = '', text = emptyPageText }: Before = {},
): Promise<PageViewer> {
  const connection = new AbortController();
  const response = await fetch(new URL('events', url), {
    signal: connection.signal,
    headers: lastId === '' ? {} : { 'last-event-id': lastId },
  });
  const viewer = {
    text,
    lastId,
    ping: '',
    events: [] as string[],
    received: '',
    close: async () => connection.abort(),
  };
  const ended = read(response, viewer).catch(() => {});
  return Object.assign(viewer, { ended });
}

async function read(
  response: Response,
  viewer: { text: PageText; lastId: string; ping: string; events: string[]; received: string },
): Promise<void> {
  let rest = '';
  for await (const bytes of response.body!.pipeThrough(new TextDecoderStream())) {
    viewer.received += bytes;
    const blocks = (rest + bytes).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) {
      const fields = Object.fromEntries(
        block.split('\n').map(line => [line.split(': ', 1)[0], line.slice(line.indexOf(': ') + 2)]),
      );
      viewer.events.push(fields.event!);
      if (fields.id) viewer.lastId = fields.id;
      const data: unknown = JSON.parse(fields.data!);
      if (fields.event === 'ping') viewer.ping = data as string;
      if (fields.event === 'text') viewer.text = data as PageText;
      if (fields.event === 'change')
        viewer.text = (data as PageUpdate).changes.reduce(nextPageText, viewer.text);
    }
  }
}

/** True where all addresses of 127.0.0.0/8 belong to the machine, so that a test has several. */
export const hasLoopbackNetwork = process.platform === 'linux';

/** A viewer whose address and headers a test chooses. */
export interface BareViewer {
  readonly status: number;
  readonly received: () => string;
  /** Resolves when the connection has ended. */
  readonly ended: Promise<void>;
}

interface BareRequest {
  readonly url: string;
  readonly path?: string;
  readonly localAddress?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Connects a viewer, who leaves with the test; resolves with the response. */
export async function watchBarely({ url, path = 'events', ...options }: BareRequest): Promise<BareViewer> {
  const request = get(new URL(path, url), { ...options, agent: false });
  onTestFinished(() => void request.destroy());
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  request.on('error', () => {});
  let received = '';
  response.on('data', data => {
    received += data;
  });
  response.on('error', () => {});
  const ended = new Promise<void>(resolve => response.once('close', resolve));
  return { status: response.statusCode!, received: () => received, ended };
}
