import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { seeded } from '../../base/seeded.ts';
import { CLOSE, closeReason } from '../../protocol/closeCodes.ts';
import { ACCESS_TOKEN_PARAMETER, STREAM_PATH } from '../../protocol/paths.ts';
import { parseStreamQuery } from '../../protocol/streamQuery.ts';
import type { Cassette } from '../cassette/cassette.ts';
import { heldDuring } from '../time/heldDuring.ts';
import { reset } from './brokenTcp.ts';
import { ConnectionWatch, type MatchOptions } from './connectionWatch.ts';
import type { FaultSchedule } from './faultSchedule.ts';
import { answerHandshake } from './httpAnswer.ts';
import { type MergedRecord, mergedRecord } from './mergedRecord.ts';
import type { Mismatch } from './mismatch.ts';
import { PlayConnection } from './playConnection.ts';
import { type RecordedScript, recordedScripts } from './recordedScripts.ts';
import type { Script } from './script.ts';
import { wireAudio } from './wireAudio.ts';

export interface StageOptions {
  readonly token: string;
  readonly latency: 'none' | 'recorded';
  readonly faults: FaultSchedule;
  readonly seed: number;
  readonly clock: Clock;
  readonly match: MatchOptions;
  readonly onMismatch: 'report' | 'close';
  /** Bytes of the longest message taken. */
  readonly messageBytes: number;
}

/** Turns of the event loop in which what a client does on its own on this machine becomes known here. */
const TURNS_ALONE = 16;
/** A handshake that does not go on is not waited for. */
const HANDSHAKE_TURNS = 2000;

/** How long the TCP connection may stay after the closing handshake, in milliseconds of real time. */
const CLOSE_TIMEOUT_MS = 2000;

/** Seconds in which two starts are the same. */
const SAME_START_SECONDS = 1e-6;

/** All that happens behind the door of a service that plays a cassette. */
export class Stage {
  readonly #cassette: Cassette;
  readonly #options: StageOptions;
  readonly #scripts: readonly RecordedScript[];
  readonly #webSockets: WebSocketServer;
  readonly #connections: PlayConnection[] = [];
  readonly #live = new Set<PlayConnection>();
  readonly #handshakes = new Set<Socket>();
  readonly #waiting = new Set<() => void>();
  /** Made only when a client begins where no recorded connection did. */
  #merged: MergedRecord | undefined;
  #attempts = 0;
  /** Attempts that a fault turned away. */
  #turnedAway = 0;
  /** Counts what somebody may answer to. */
  #moves = 0;

  constructor(cassette: Cassette, options: StageOptions) {
    this.#cassette = cassette;
    this.#options = options;
    this.#scripts = recordedScripts(cassette);
    this.#webSockets = webSocketServer(options.messageBytes);
  }

  /** A client has connected, and not said anything yet. */
  arrived(tcp: Socket): void {
    this.#moves++;
    this.#handshakes.add(tcp);
    tcp.on('close', () => {
      this.#moves++;
      this.#handshakes.delete(tcp);
    });
  }

  upgrade(request: IncomingMessage, tcp: Socket, head: Buffer): void {
    this.#handshakes.delete(tcp);
    this.#moves++;
    // Not as a URL: that would make a host of a path with two slashes.
    const [path, query] = (request.url ?? '').split('?', 2);
    const parameters = new URLSearchParams(query);
    if (path !== STREAM_PATH && path !== `${STREAM_PATH}/`) {
      answerHandshake(tcp, 404);
      return;
    }
    const accept = (take: (socket: WebSocket) => void) =>
      this.#webSockets.handleUpgrade(request, tcp, head, take);
    if (!this.#isToken(parameters.get(ACCESS_TOKEN_PARAMETER) ?? '')) {
      accept(socket => socket.close(CLOSE.unauthorized.code, CLOSE.unauthorized.reason));
      return;
    }
    const index = this.#attempts++;
    const script = this.#scriptFor(index, Number(parameters.get('start_ts') ?? 0));
    const faults = this.#options.faults[index] ?? [];
    const rejection = faults.find(({ kind }) => kind === 'refuse' || kind === 'http-status');
    if (rejection) this.#turnedAway++;
    const answer = rejection ?? script.rejection;
    if (answer?.kind === 'http-status') answerHandshake(tcp, answer.status);
    else if (answer) reset(tcp);
    else accept(socket => this.#begin({ socket, tcp, script, index, parameters }));
  }

  get mismatches(): readonly Mismatch[] {
    const recorded = this.#scripts.length;
    const found = this.#attempts;
    const tooMany = found - this.#broken > recorded;
    return [
      ...this.#connections.flatMap(({ watch }) => watch.mismatches),
      ...(tooMany ? [{ kind: 'connections' as const, recorded, found }] : []),
    ];
  }

  /** With what did not come, either. */
  finalMismatches(): readonly Mismatch[] {
    for (const { watch, wasBroken } of this.#connections) watch.over(wasBroken);
    const recorded = this.#scripts.length;
    const found = this.#attempts;
    const tooFew = found < recorded && this.#broken === 0;
    return [...this.mismatches, ...(tooFew ? [{ kind: 'connections' as const, recorded, found }] : [])];
  }

  /** Lets clients read and answer what there is. Resolves with whether anything was said meanwhile. */
  async settle(): Promise<boolean> {
    const before = this.#moves;
    const live = [...this.#live].filter(({ isLive }) => isLive);
    for (let turn = 0; turn < (live.length > 0 ? 1 : TURNS_ALONE); turn++) await setImmediate();
    for (let turn = 0; this.#handshakes.size > 0 && turn < HANDSHAKE_TURNS; turn++) await setImmediate();
    await Promise.all(live.map(connection => connection.settle()));
    // What a client answers, it may answer a moment after it has read.
    await setImmediate();
    return this.#moves !== before;
  }

  /** See `CassetteServer`. */
  async settled(): Promise<number | undefined> {
    for (;;) {
      await heldDuring(this.#options.clock, async () => {
        while (await this.settle());
      });
      const live = [...this.#live].filter(({ isLive }) => isLive);
      if (live.length === 0) return undefined;
      if (!live.some(({ isWaiting }) => isWaiting)) {
        return Math.min(...live.map(({ quietSeconds }) => quietSeconds));
      }
      await this.#nextMove();
    }
  }

  /** See `CassetteServer`. */
  async connected(signal: AbortSignal): Promise<void> {
    while (![...this.#live].some(({ isLive }) => isLive)) {
      signal.throwIfAborted();
      await this.#nextMove(signal);
    }
  }

  async close(): Promise<void> {
    this.#webSockets.close();
    await Promise.all(this.#connections.map(connection => connection.close()));
    this.#moved();
  }

  /** Connections that faults have ended. */
  get #broken(): number {
    return this.#turnedAway + this.#connections.filter(({ wasBroken }) => wasBroken).length;
  }

  #isToken(candidate: string): boolean {
    const digest = (text: string) => createHash('sha256').update(text).digest();
    return timingSafeEqual(digest(candidate), digest(this.#options.token));
  }

  /** The recorded connection, if it began there. */
  #scriptFor(index: number, startTs: number): Script {
    const recorded = this.#scripts[index];
    if (recorded && Math.abs(recorded.startTs - startTs) < SAME_START_SECONDS) return recorded;
    this.#merged ??= mergedRecord(this.#cassette);
    return this.#merged.scriptFrom(startTs, index);
  }

  #begin({ socket, tcp, script, index, parameters }: Beginning): void {
    const { seed, faults, latency, clock, match, onMismatch } = this.#options;
    try {
      const { contentType } = parseStreamQuery(parameters);
      const wire = wireAudio(contentType);
      const watch: ConnectionWatch = new ConnectionWatch({
        ...{ index, script, parameters, contentType, wire, match },
        audio: this.#cassette.audio,
        onFound: () => connection.found(),
      });
      const connection: PlayConnection = new PlayConnection({
        ...{ socket, tcp, script, wire, watch, latency, clock, onMismatch },
        faults: faults[index] ?? [],
        random: seeded(seed + index),
        onMove: () => this.#moved(),
        onOver: () => this.#live.delete(connection),
      });
      this.#connections.push(connection);
      this.#live.add(connection);
      connection.start();
      this.#moved();
    } catch (error) {
      socket.on('error', () => {});
      socket.close(CLOSE.badRequest.code, closeReason(CLOSE.badRequest, messageOf(error)));
    }
  }

  #moved(): void {
    this.#moves++;
    for (const proceed of [...this.#waiting]) proceed();
  }

  #nextMove(signal?: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    signal?.addEventListener('abort', () => resolve(), { once: true });
    return promise.finally(() => this.#waiting.delete(resolve));
  }
}

interface Beginning {
  readonly socket: WebSocket;
  readonly tcp: Socket;
  readonly script: Script;
  readonly index: number;
  readonly parameters: URLSearchParams;
}

function webSocketServer(maxPayload: number): WebSocketServer {
  return new WebSocketServer({
    ...{ noServer: true, clientTracking: false, perMessageDeflate: false, maxPayload },
    // Not in the type definitions yet.
    ...{ closeTimeout: CLOSE_TIMEOUT_MS },
  });
}
