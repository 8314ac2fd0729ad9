import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { messageOf } from '../../../base/errors.ts';
import { seeded } from '../../../base/seeded.ts';
import { CLOSE, closeReason } from '../../../protocol/closeCodes.ts';
import { ACCESS_TOKEN_PARAMETER, STREAM_PATH } from '../../../protocol/interfaceNames.ts';
import { parseStreamQuery } from '../../../protocol/streamQuery.ts';
import type { Cassette } from '../../cassette/cassette.ts';
import { PendingFaults } from '../faults/connectionFaults.ts';
import { ConnectionWatch, queryDifference } from '../match/connectionWatch.ts';
import type { Mismatch } from '../match/mismatch.ts';
import { wireAudio } from '../match/wireAudio.ts';
import { type MergedRecord, mergedRecord } from '../script/mergedRecord.ts';
import type { Script } from '../script/script.ts';
import { answerHandshake, reset, SOCKET_OPTIONS } from './faultServer.ts';
import type { PlaybackOptions } from './playbackOptions.ts';
import { PlayConnection, type PlayConnectionOptions } from './playConnection.ts';
import { Quiescence } from './quiescence.ts';

/** One playback of a cassette: accepts connections, runs their scripts and collects differences. */
export class PlaybackSession {
  readonly quiescence: Quiescence;
  readonly faults: PendingFaults;
  readonly #cassette: Cassette;
  readonly #options: PlaybackOptions;
  readonly #webSockets = new WebSocketServer({ noServer: true, clientTracking: false, ...SOCKET_OPTIONS });
  readonly #connections: PlayConnection[] = [];
  readonly #merged: MergedRecord;
  /** Number of parts of the session that have been begun. */
  #begun = 0;
  /** Differences of queries that no service accepts. */
  readonly #refused: Mismatch[] = [];
  #attempts = 0;
  /** Number of attempts that a fault rejected. */
  #rejected = 0;

  constructor(cassette: Cassette, options: PlaybackOptions) {
    this.#cassette = cassette;
    this.#options = options;
    this.faults = new PendingFaults(options.faults, 'play');
    this.#merged = mergedRecord(cassette);
    this.quiescence = new Quiescence(options.clock);
  }

  upgrade(request: IncomingMessage, tcp: Socket, head: Buffer): void {
    this.quiescence.requested(tcp);
    // Not parsed as a URL, which would take a path with two slashes for a host.
    const [path, query] = (request.url ?? '').split('?', 2);
    const parameters = new URLSearchParams(query);
    if (path !== STREAM_PATH && path !== `${STREAM_PATH}/`) {
      answerHandshake(request, tcp, 404);
      return;
    }
    const accept = (take: (socket: WebSocket) => void) =>
      this.#webSockets.handleUpgrade(request, tcp, head, socket => {
        // A client that breaks the protocol ends its connection, not this process.
        socket.on('error', () => {});
        take(socket);
      });
    if (!this.#isToken(parameters.get(ACCESS_TOKEN_PARAMETER) ?? '')) {
      accept(socket => socket.close(CLOSE.unauthorized.code, CLOSE.unauthorized.reason));
      return;
    }
    const index = this.#attempts++;
    const script = this.#scriptFor(index, Number(parameters.get('start_ts') ?? 0));
    const rejection = this.faults.of(index).rejection();
    if (rejection) this.#rejected++;
    const answer = rejection ?? script.rejection;
    if (answer?.kind === 'http-status') answerHandshake(request, tcp, answer.status);
    else if (answer) reset(tcp);
    else accept(socket => this.#accept({ socket, tcp, script, index, parameters }));
  }

  get mismatches(): readonly Mismatch[] {
    const isOther = this.#attempts - this.#broken > this.#merged.parts.length;
    return this.#mismatchesOf(({ watch }) => watch.mismatches, isOther);
  }

  /** Returns the differences, including everything that is missing if nothing more arrives. */
  finalMismatches(): readonly Mismatch[] {
    const { parts } = this.#merged;
    const [found, broken] = [this.#attempts, this.#broken];
    // The client may know without another connection that the rest is silence.
    const isLess = parts.slice(found).some(({ cues }) => cues.some(({ kind }) => kind === 'words'));
    const isOther = found - broken > parts.length || (isLess && broken === 0);
    return this.#mismatchesOf(({ watch, wasBroken }) => watch.finalMismatches(wasBroken), isOther);
  }

  async close(): Promise<void> {
    this.#webSockets.close();
    await Promise.all(this.#connections.map(connection => connection.close()));
    this.quiescence.noteActivity();
  }

  /** Number of connections that faults have ended. */
  get #broken(): number {
    return this.#rejected + this.#connections.filter(({ wasBroken }) => wasBroken).length;
  }

  #mismatchesOf(
    onConnection: (connection: PlayConnection) => readonly Mismatch[],
    isOtherCount: boolean,
  ): readonly Mismatch[] {
    const count = {
      kind: 'connections',
      recorded: this.#merged.parts.length,
      found: this.#attempts,
    } as const;
    return [...this.#refused, ...this.#connections.flatMap(onConnection), ...(isOtherCount ? [count] : [])];
  }

  #isToken(candidate: string): boolean {
    const digest = (text: string) => createHash('sha256').update(text).digest();
    return timingSafeEqual(digest(candidate), digest(this.#options.token));
  }

  /** Returns the script of the next part after a recorded break, else that of the session from a time on. */
  #scriptFor(index: number, startTs: number): Script {
    const isNext = this.#broken === 0 && (this.#connections.at(-1)?.isThrough ?? true);
    const part = isNext ? this.#merged.parts[this.#begun] : undefined;
    if (part) this.#begun++;
    return this.#merged.scriptFrom(startTs, index, part);
  }

  #accept({ script, index, parameters, ...sockets }: AcceptedSocket): void {
    const { seed, latency, clock, match } = this.#options;
    try {
      const { contentType } = parseStreamQuery(parameters);
      const wire = wireAudio(contentType);
      const watch = new ConnectionWatch({
        index,
        script,
        parameters,
        contentType,
        wire,
        match,
        audio: this.#cassette.audio,
      });
      const connection: PlayConnection = new PlayConnection({
        ...sockets,
        script,
        wire,
        watch,
        latency,
        clock,
        faults: this.faults.of(index),
        random: seeded(seed + index),
        onActivity: () => this.quiescence.noteActivity(),
        onOver: () => this.quiescence.left(connection),
      });
      this.#connections.push(connection);
      this.quiescence.joined(connection);
      connection.start();
    } catch (error) {
      const differing = queryDifference(script.query, parameters, new Set());
      this.#refused.push({ kind: 'query', connection: index, parameters: differing });
      sockets.socket.close(CLOSE.badRequest.code, closeReason(CLOSE.badRequest, messageOf(error)));
    }
  }
}

interface AcceptedSocket extends Pick<PlayConnectionOptions, 'socket' | 'tcp' | 'script'> {
  readonly index: number;
  readonly parameters: URLSearchParams;
}
