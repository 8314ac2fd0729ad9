import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { httpServer, type LoopbackServer } from './loopbackServer.ts';

/** Treatment of a request: as the rules say, a status, or a broken connection before or after the POST was accepted. */
export type Treatment = 'fair' | 'reset' | 'lost answer' | 'no answer' | number;

/** A request as it arrived. */
export interface CaptionRequest {
  readonly method: string;
  readonly url: URL;
  readonly contentType: string | undefined;
  readonly body: string;
}

/** A caption that the server accepted. */
export interface AcceptedCaption {
  readonly sequence: number;
  readonly text: string;
  /** Milliseconds since 1970-01-01 UTC, by the server's clock; for YouTube only. */
  readonly timeMs?: number;
}

/** A server for captions that follows the rules of its service strictly; it ends with the test. */
export interface CaptionServer {
  /** A complete caption address. */
  readonly address: string;
  readonly requests: readonly CaptionRequest[];
  readonly accepted: readonly AcceptedCaption[];
  /** Breaches of the rules by the client; a broken rule is answered with status 400. */
  readonly breaches: readonly string[];
}

/** Options of both servers. */
interface ServerOptions {
  readonly treat?: (index: number) => Treatment;
  /** Opens the server. Default: one that ends with the test. */
  readonly open?: (onRequest: RequestListener) => Promise<LoopbackServer>;
}

interface Rules extends Required<ServerOptions> {
  readonly path: string;
  /** Answers a request, or returns the breach of a rule. */
  readonly answer: (request: CaptionRequest) => { readonly status: number; readonly text: string };
}

async function captionServer({
  path,
  answer,
  treat,
  open,
}: Rules): Promise<{ address: string; requests: CaptionRequest[] }> {
  const requests: CaptionRequest[] = [];
  const { url } = await open(async (incoming, response) => {
    const request = await read(incoming);
    const treatment = treat(requests.push(request) - 1);
    if (treatment === 'reset') incoming.socket.destroy();
    else if (treatment === 'lost answer') {
      answer(request);
      incoming.socket.destroy();
    } else if (typeof treatment === 'number') end(response, treatment, '');
    else if (treatment === 'fair') {
      const { status, text } = answer(request);
      end(response, status, text);
    }
  });
  return { address: `${url}${path}`, requests };
}

async function read(incoming: IncomingMessage): Promise<CaptionRequest> {
  let body = '';
  for await (const piece of incoming.setEncoding('utf8')) body += piece;
  const { method = '', url = '', headers } = incoming;
  return { method, url: new URL(url, 'http://host'), contentType: headers['content-type'], body };
}

function end(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain', location: '/elsewhere' }).end(text);
}

interface Numbering {
  readonly bodies: Map<number, string>;
  /** Returns whether a POST is new; undefined for a breach. */
  readonly take: (request: CaptionRequest) => boolean | undefined;
}

/** Numbers that grow by one, where a repetition has the body of the first attempt. */
function numbering(breaches: string[]): Numbering {
  const bodies = new Map<number, string>();
  let last: number | undefined;
  return {
    bodies,
    take({ url, body }) {
      const sequence = Number(url.searchParams.get('seq') ?? Number.NaN);
      if (!Number.isSafeInteger(sequence)) breaches.push('no number');
      else if (bodies.has(sequence) && bodies.get(sequence) !== body)
        breaches.push(`another body for ${sequence}`);
      else if (!bodies.has(sequence) && last !== undefined && sequence <= last)
        breaches.push('a number that falls');
      else {
        const isNew = !bodies.has(sequence);
        bodies.set(sequence, body);
        last = sequence;
        return isNew;
      }
      return undefined;
    },
  };
}

/** Most milliseconds between the time of a caption and YouTube's clock. */
const MAX_SKEW_MS = 60_000;

/** A server for the caption address of a YouTube broadcast. */
export async function youtubeServer({
  now = Date.now,
  treat = () => 'fair',
  open = httpServer,
}: ServerOptions & {
  /** Clock of the server. */
  readonly now?: () => number;
} = {}): Promise<CaptionServer> {
  const accepted: AcceptedCaption[] = [];
  const breaches: string[] = [];
  const { take } = numbering(breaches);
  const answer = (request: CaptionRequest) => {
    const { method, url, contentType, body } = request;
    const at = now();
    const time = new Date(at).toISOString().slice(0, -1);
    const refuse = (breach: string) => {
      breaches.push(breach);
      return { status: 400, text: `${time}\n${breach}` };
    };
    if (method !== 'POST' || url.pathname !== '/closedcaption') return refuse('not a POST to the address');
    if (url.searchParams.get('cid') !== 'secret-key') return refuse('no key');
    if (contentType !== 'text/plain') return refuse(`content type ${contentType}`);
    if (body === '') return { status: 200, text: `${time}\n` };
    const captions = [
      ...body.matchAll(/(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})(?: region:\S+)?\n([^\n]+)\n/g),
    ];
    if (captions.map(([all]) => all).join('') !== body) return refuse('a body that is not in pairs of lines');
    const times = captions.map(([, text]) => Date.parse(`${text}Z`));
    if (times.some(timeMs => Math.abs(timeMs - at) > MAX_SKEW_MS))
      return { status: 400, text: `${time}\nTimestamp skew larger than 60 sec` };
    const isNew = take(request);
    if (isNew === undefined) return { status: 400, text: `${time}\n${breaches.at(-1)}` };
    const sequence = Number(url.searchParams.get('seq'));
    if (isNew)
      accepted.push(
        ...captions.map(([, , text], index) => ({ sequence, text: text!, timeMs: times[index]! })),
      );
    return { status: 200, text: `${time}\n` };
  };
  const server = await captionServer({ path: '/closedcaption?cid=secret-key', answer, treat, open });
  return { ...server, accepted, breaches };
}

/** A server for the caption address of a Zoom meeting. */
export async function zoomServer({
  hasStarted = () => true,
  treat = () => 'fair',
  open = httpServer,
}: ServerOptions & {
  readonly hasStarted?: () => boolean;
} = {}): Promise<CaptionServer> {
  const accepted: AcceptedCaption[] = [];
  const breaches: string[] = [];
  const { take, bodies } = numbering(breaches);
  const answer = (request: CaptionRequest) => {
    const { method, url, contentType, body } = request;
    const refuse = (status: number, breach: string) => {
      breaches.push(breach);
      return { status, text: '' };
    };
    const isSigned = ['id', 'ns', 'expire', 'signature'].every(name => url.searchParams.has(name));
    if (!isSigned) return refuse(403, 'not signed');
    if (!hasStarted()) return { status: 400, text: '' };
    if (url.pathname === '/closedcaption/seq') {
      return method === 'GET'
        ? { status: 200, text: `${Math.max(0, ...bodies.keys())}` }
        : refuse(405, 'not a GET');
    }
    if (method !== 'POST' || url.pathname !== '/closedcaption') return refuse(405, 'not a POST');
    if (contentType !== 'text/plain; charset=utf-8') return refuse(400, `content type ${contentType}`);
    if (!/^[a-z]{2}-[A-Z]{2}$/.test(url.searchParams.get('lang') ?? '')) return refuse(400, 'no language');
    const isNew = take(request);
    if (isNew === undefined) return { status: 400, text: '' };
    if (isNew) accepted.push({ sequence: Number(url.searchParams.get('seq')), text: body });
    return { status: 200, text: `${bodies.size}` };
  };
  const path = '/closedcaption?id=1&ns=n&expire=86400&sparams=id%2Cns%2Cexpire&signature=secret-signature';
  const server = await captionServer({ path, answer, treat, open });
  return { ...server, accepted, breaches };
}
