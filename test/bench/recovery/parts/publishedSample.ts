import { AudioConfig, RevAiStreamingClient, SessionConfig } from 'revai-node-sdk';
import type { RecognizedWord } from './heardWord.ts';

/** Bytes of a chunk of the sample: 250 ms of 16 kHz 16-bit mono. */
export const SAMPLE_CHUNK_BYTES = 8000;
const BYTES_PER_SECOND = 32_000;

export interface PublishedSampleOptions {
  readonly url: string;
  readonly token: string;
}

/**
 * `revai-node-sdk` with the way of reconnecting that its vendor publishes for it, written anew ("Recover from Connection
 * Errors and Timeouts"; where its versions differ, as in the later one of the SDK's examples):
 *
 * - what is written is kept, chunk by chunk, for as long as the connection lasts;
 * - a close with any code but 1000 begins a new connection at once, whose `start_ts` is the end of the last final;
 * - with the next write, what was kept of the old connection is written again, from the chunk in which the last final
 *   ended: a number of chunks since the start of the source, although what was kept begins with the old connection.
 *
 * Three things are mended, each in its favour: it listens to errors (a reset would end its process), its cutting of a file
 * into chunks is left out (it loses some), and it sends `EOS`.
 */
export class PublishedSample {
  readonly words: RecognizedWord[] = [];
  /** Settles when the service has closed after the end of the audio. */
  readonly done: Promise<void>;
  readonly #options: PublishedSampleOptions;
  readonly #resolve: () => void;
  #client!: RevAiStreamingClient;
  #stream!: ReturnType<RevAiStreamingClient['start']>;
  #kept: Buffer[] = [];
  #keptBefore: readonly Buffer[] = [];
  #isNew = true;
  #lastEndTs = 0;

  constructor(options: PublishedSampleOptions) {
    this.#options = options;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.done = promise;
    this.#resolve = resolve;
    this.#start();
  }

  /** One chunk. */
  write(chunk: Buffer): void {
    if (this.#isNew && this.#keptBefore.length > 0) {
      const sent = Math.floor((this.#lastEndTs * BYTES_PER_SECOND) / SAMPLE_CHUNK_BYTES);
      for (const old of this.#keptBefore.slice(sent)) this.#stream.write(old);
      this.#isNew = false;
    }
    this.#kept.push(chunk);
    this.#stream.write(chunk);
  }

  end(): void {
    this.#client.end();
  }

  #start(): void {
    const { url, token } = this.#options;
    const deploymentConfig = { baseUrl: url, baseWebsocketUrl: url.replace('http', 'ws') };
    const format = new AudioConfig('audio/x-raw', 'interleaved', 16_000, 'S16LE', 1);
    const client = new RevAiStreamingClient({ token, deploymentConfig }, format);
    client.on('close', (code: number) => {
      if (code === 1000) this.#resolve();
      else this.#restart();
    });
    client.on('error', () => {});
    // Has what was kept written again when the source has ended.
    client.on('connect', () => this.write(Buffer.alloc(0)));
    this.#kept = [];
    const session = new SessionConfig();
    session.startTs = this.#lastEndTs;
    session.skipPostprocessing = true;
    this.#client = client;
    this.#stream = client.start(session);
    this.#stream.on('error', () => {});
    this.#stream.on('data', (message: WireMessage) => this.#hear(message));
  }

  #restart(): void {
    this.#keptBefore = this.#kept;
    this.#isNew = true;
    this.#start();
  }

  #hear({ type, elements = [] }: WireMessage): void {
    if (type !== 'final') return;
    for (const { type, value, ts, end_ts } of elements) {
      if (type !== 'text') continue;
      this.words.push({ value, ts: ts! });
      this.#lastEndTs = end_ts!;
    }
  }
}

interface WireMessage {
  readonly type: string;
  readonly elements?: readonly {
    readonly type: string;
    readonly value: string;
    readonly ts?: number;
    readonly end_ts?: number;
  }[];
}
