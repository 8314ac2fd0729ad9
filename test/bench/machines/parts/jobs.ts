import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { SPEECH_TO_TEXT_PREFIX } from '../../../../src/protocol/interfaceNames.ts';
import { speechFile } from '../../../helpers/keptService.ts';

const JOBS = `${SPEECH_TO_TEXT_PREFIX}/jobs`;
/** Share of the notifications that the receiver refuses or does not answer. */
const REFUSED = 0.1;

/** A job that the service has accepted. */
export interface AcceptedJob {
  readonly id: string;
  readonly words: readonly string[];
  readonly seconds: number;
}

/** A receiver of notifications. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  /** Ids of deliveries by job, of all attempts. */
  readonly attempts: ReadonlyMap<string, readonly string[]>;
  /** Ids of deliveries by job, of those that were answered with 200. */
  readonly received: ReadonlyMap<string, readonly string[]>;
}

/** Starts a receiver that refuses some notifications. */
export async function startReceiver(random: () => number): Promise<Receiver> {
  const attempts = new Map<string, string[]>();
  const received = new Map<string, string[]>();
  const note = (map: Map<string, string[]>, job: string, delivery: string) =>
    map.set(job, [...(map.get(job) ?? []), delivery]);
  const server: Server = createServer(async (request, response) => {
    const { job } = (await json(request)) as { job: { id: string } };
    const delivery = String(request.headers['x-svc-delivery']);
    note(attempts, job.id, delivery);
    const luck = random();
    if (luck < REFUSED / 2) return void request.socket.destroy();
    if (luck < REFUSED) return void response.writeHead(503).end();
    note(received, job.id, delivery);
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    attempts,
    received,
    async [Symbol.asyncDispose]() {
      server.close().closeAllConnections();
    },
  };
}

export interface SubmitterOptions {
  readonly token: string;
  readonly notify: string;
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** Milliseconds between two submissions. */
  readonly everyMs: number;
  /** Seconds for which the service keeps the jobs. Default: its own. */
  readonly deleteAfterSeconds?: number;
}

/** Jobs of a client that submits one after the other, and tries others when one is not accepted. */
export interface Submissions {
  readonly accepted: readonly AcceptedJob[];
  /** Submissions without an answer, of which the service may have a job. */
  readonly unanswered: number;
  /** Status of each submission that was refused. */
  readonly refused: readonly number[];
}

/** Submits jobs until the signal is aborted. */
export async function submitJobs(url: string, options: SubmitterOptions): Promise<Submissions> {
  const { token, notify, random, signal, everyMs, deleteAfterSeconds } = options;
  const accepted: AcceptedJob[] = [];
  const refused: number[] = [];
  let unanswered = 0;
  while (!signal.aborted) {
    const levels = Array.from(
      { length: 5 + Math.floor(random() * 60) },
      () => 1 + Math.floor(random() * 250),
    );
    const body = new FormData();
    body.append('media', new Blob([new Uint8Array(speechFile(levels))]), 'speech.wav');
    body.append(
      'options',
      JSON.stringify({ notification_config: { url: notify }, delete_after_seconds: deleteAfterSeconds }),
    );
    try {
      const response = await fetch(`${url}${JOBS}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body,
        signal: AbortSignal.timeout(60_000),
      });
      const text = await response.text();
      if (response.ok) {
        const words = levels.map(level => `w${level}`);
        accepted.push({ id: JSON.parse(text).id, words, seconds: levels.length / 10 });
      } else refused.push(response.status);
    } catch {
      unanswered++;
    }
    await setTimeout(everyMs * (0.5 + random()), undefined, { signal }).catch(() => {});
  }
  return { accepted, unanswered, refused };
}
