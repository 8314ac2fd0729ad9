import { parseContentType } from '../../../audio/format/contentType.ts';
import { closeReason, END_OF_STREAM } from '../../../protocol/closeCodes.ts';
import { encodeMessage } from '../../../protocol/messages.ts';
import type { Cassette, CassetteLine, ConnectionLine } from '../../cassette/cassette.ts';
import { messageEvent, messageText } from '../../cassette/cassetteLines.ts';
import type { LineOf } from '../../cassette/cassetteSchema.ts';
import type { AudioClock } from './audioClock.ts';
import type { Cue, Script } from './script.ts';
import { placedBy, wordsOfText } from './words.ts';

/** A cue whose frames and words are on the clock of the delivered audio, words from the start time of the session on. */
export interface PlacedCue extends Cue {
  /** Index of the utterance, by finals. */
  readonly utterance: number;
}

/**
 * A part of a session, up to a break of the connection or a change of the query. It is played over one connection, also
 * where the recorded client moved to another one: when its session got old, to a standby, or after attempts without words.
 */
export interface SessionPart extends Omit<Script, 'audio' | 'cues'> {
  /** Start in frames of the source. */
  readonly originFrame: number;
  /** End in frames of the source. */
  readonly endFrame: number;
  readonly cues: readonly PlacedCue[];
}

/** Half of the resolution of times from services. */
export const TOLERANCE_SECONDS = 0.005;

/** Returns the parts of a recorded session, in order. */
export function sessionParts(cassette: Cassette, clock: AudioClock): readonly SessionPart[] {
  const reader = new SessionReader(rateOf(cassette), clock);
  for (const [index, line] of cassette.lines.entries()) reader.take(line, cassette.lines[index + 1]);
  return reader.finish();
}

/** Returns the sample rate of a recording in Hz. */
function rateOf({ audio, lines }: Cassette): number {
  const rate = audio?.format.sampleRate ?? lines.find(line => line.type === 'audio')?.format.sample_rate;
  if (rate !== undefined) return rate;
  const text = lines.find(line => line.type === 'connect')?.query.content_type;
  const type = text === undefined ? undefined : parseContentType(text);
  return type?.kind === 'raw' ? type.format.sampleRate : 16_000;
}

/** A recorded connection. */
interface Connection {
  readonly startTs: number;
  readonly originFrame: number;
  openedMs: number | undefined;
  /** Time of the latest audio, or of the end, which later messages respond to. */
  sentMs: number;
  /** The close of the connection by the service or the network. */
  end?: Draft;
}

/** A cue before all lines are known, with its position in frames of the source and the time when it was reached. */
interface Draft extends Pick<Cue, 'kind' | 'act'> {
  readonly connection: Connection;
  readonly frame: number;
  readonly sinceMs: number;
  readonly ms: number;
}

type NewDraft = Pick<Draft, 'kind' | 'act'> & Partial<Draft>;

interface PartDraft {
  readonly first: Connection;
  readonly query: Script['query'];
  texts: string[];
  cues: Draft[];
  /** End of the stream, and the number of cues before it. */
  eos?: { readonly cues: number; readonly ms: number; readonly connection: Connection };
  /** The last close by the service or the network. */
  close?: Draft;
  rejection?: Script['rejection'];
  isBroken: boolean;
  endFrame?: number;
}

/** Reads the lines of a session, in order. */
class SessionReader {
  readonly #sampleRate: number;
  readonly #clock: AudioClock;
  readonly #connections = new Map<number, Connection>();
  readonly #parts: PartDraft[] = [];
  /** Words as emitted by the client, until the next line; those of a message precede it. */
  #emitted: { readonly ms: number; readonly text: string }[] = [];
  /** Connection of the latest message. */
  #talking: Connection | undefined;
  /** The latest block of the source. */
  #block: { readonly frame: number; readonly ms: number } | undefined;
  /** First frames of the audio with other queries. */
  #queryFrames: number[] = [];
  #lastClose: Draft | undefined;
  #isBroken = false;
  #lastFrame = 0;
  #utterance = 0;

  constructor(sampleRate: number, clock: AudioClock) {
    this.#sampleRate = sampleRate;
    this.#clock = clock;
  }

  take(line: CassetteLine, next: CassetteLine | undefined): void {
    const part = this.#parts.at(-1);
    if (line.type !== 'event' && line.type !== 'message') this.#addLate(part);
    if (line.type === 'block') this.#block = line;
    else if (line.type === 'query') this.#queryFrames.push(line.frame);
    else if (line.type === 'event') {
      const { event } = line;
      if (event.type === 'partial' || event.type === 'final')
        this.#emitted.push({ ms: line.ms, text: JSON.stringify(encodeMessage(event)) });
    } else if (line.type === 'connect') this.#connect(line);
    else if (line.type === 'status' && line.status.type === 'reconnecting') {
      const isMove = next?.type === 'status' && next.status.type === 'switched';
      if (part && !isMove) this.#break(part);
    } else if ('connection' in line) {
      const connection = this.#connections.get(line.connection);
      if (connection && part) this.#on(connection, part, line);
    }
  }

  finish(): readonly SessionPart[] {
    this.#addLate(this.#parts.at(-1));
    return this.#parts.map(part => this.#finished(part));
  }

  #connect({ query, connection: index, frame, ms }: LineOf<'connect'>): void {
    const asked = Number(query.start_ts ?? 0);
    // No service responded to an invalid time.
    const startTs = Number.isFinite(asked) ? asked : 0;
    const connection = { startTs, originFrame: frame, openedMs: undefined, sentMs: ms };
    this.#connections.set(index, connection);
    const last = this.#parts.at(-1);
    const queryFrame = this.#queryFrames.filter(from => from <= frame).at(-1);
    this.#queryFrames = this.#queryFrames.filter(from => from > frame);
    if (last && queryFrame === undefined && !this.#isBroken) return;
    if (last) last.isBroken = this.#isBroken;
    if (queryFrame !== undefined) for (const part of this.#parts) part.endFrame ??= queryFrame;
    this.#parts.push({ first: connection, query, cues: [], texts: [], isBroken: false });
    this.#isBroken = false;
  }

  /** The connection has failed, and the client connects again. An attempt without words is left out. */
  #break(part: PartDraft): void {
    if (!this.#lastClose || !part.cues.some(({ kind }) => kind === 'words')) return;
    part.cues.push(this.#lastClose);
    this.#isBroken = true;
  }

  #on(connection: Connection, part: PartDraft, line: ConnectionLine): void {
    if (line.type === 'opened') Object.assign(connection, { openedMs: line.ms, sentMs: line.ms });
    else if (line.type === 'message') this.#message(connection, part, line);
    else if (line.type === 'close') this.#close(connection, part, line);
    else if (line.type === 'binary') {
      part.cues.push(this.#draft(connection, part, line, { kind: 'other', act: { kind: 'binary' } }));
    } else if (line.type === 'send') {
      this.#lastFrame = Math.max(this.#lastFrame, line.frame);
      connection.sentMs = line.ms;
      // A client that has moved ends the connection before.
      if (part.eos && part.eos.connection !== connection) delete part.eos;
    } else if (line.type === 'send_text') {
      connection.sentMs = line.ms;
      if (line.text !== END_OF_STREAM) part.texts.push(line.text);
      else part.eos = { cues: part.cues.length, ms: line.ms, connection };
    }
  }

  #message(connection: Connection, part: PartDraft, line: LineOf<'message'>): void {
    const text = messageText(line);
    const event = messageEvent(text);
    const kind = !event ? 'other' : event.type === 'connected' ? 'connected' : 'words';
    const isLeftOut =
      kind === 'words' ? line.heard === false : kind !== 'other' && part.cues.some(cue => cue.kind === kind);
    const add = (kind: Draft['kind'], text: string) =>
      part.cues.push(this.#draft(connection, part, line, { kind, act: { kind: 'text', text } }));
    this.#talking = connection;
    for (const words of this.#emitted.splice(0)) add('words', words.text);
    if (!isLeftOut) add(kind, text);
  }

  /** Adds the words that the client emitted later than the line of their message. */
  #addLate(part: PartDraft | undefined): void {
    const connection = this.#talking;
    if (!part || !connection) return;
    for (const { ms, text } of this.#emitted.splice(0)) {
      const cue = { kind: 'words', act: { kind: 'text', text } } as const;
      part.cues.push(this.#draft(connection, part, { ms, frame: this.#lastFrame }, cue));
    }
  }

  #close(connection: Connection, part: PartDraft, line: LineOf<'close'>): void {
    const { by, code, reason, http_status: status } = line;
    // The client left without a close frame and reconnected: no response reached it any more.
    const silent = by === 'client' && ({ ...part.cues.at(-1), act: { kind: 'half-open' } } as const);
    // A cassette may have a longer reason than a close frame can carry.
    const close = { kind: 'close', code, reason: closeReason({ code, reason, retry: false }) } as const;
    const act = by === 'service' ? close : ({ kind: 'cut' } as const);
    this.#lastClose = this.#draft(connection, part, line, { act, ...silent, kind: 'end' });
    if (by === 'client') return;
    connection.end = this.#lastClose;
    part.close = connection.end;
    if (connection.openedMs !== undefined) return;
    part.rejection = status === undefined ? { kind: 'refuse' } : { kind: 'http-status', status };
  }

  #draft(
    connection: Connection,
    part: PartDraft,
    { ms, frame }: Pick<ConnectionLine, 'ms' | 'frame'>,
    cue: NewDraft,
  ): Draft {
    // Over another connection, audio was sent again: the time of the source counts.
    const moved = connection === part.first ? undefined : this.#block;
    const answeredMs = cue.kind === 'connected' ? connection.openedMs : connection.sentMs;
    const sinceMs = moved?.ms ?? answeredMs ?? ms;
    return { connection, ms, frame: moved?.frame ?? frame, sinceMs, ...cue };
  }

  #finished(part: PartDraft): SessionPart {
    const { query, texts, eos, isBroken, rejection } = part;
    const { startTs, originFrame } = part.first;
    const close = part === this.#parts.at(-1) ? part.close : undefined;
    const end = isBroken ? undefined : eos ? eos.connection.end : close;
    const cues = (end ? [...part.cues, end] : part.cues).map((draft, at) =>
      this.#placed(draft, eos && at >= eos.cues ? eos.ms : undefined),
    );
    this.#utterance++;
    return {
      ...{ startTs, originFrame, query, texts, cues, isBroken },
      sampleRate: this.#sampleRate,
      endFrame: part.endFrame ?? this.#lastFrame,
      hasEnd: eos !== undefined && !isBroken,
      rejection: cues.some(({ kind }) => kind !== 'end') ? undefined : rejection,
    };
  }

  #placed({ kind, act, frame, ms, sinceMs }: Draft, eosMs: number | undefined): PlacedCue {
    const words = kind === 'words' && act.kind === 'text' ? wordsOfText(act.text) : undefined;
    const utterance = this.#utterance;
    if (words?.type === 'final') this.#utterance++;
    const { first } = this.#parts[0]!;
    const baseTs = first.startTs - first.originFrame / this.#sampleRate;
    const placed = (ts: number) =>
      baseTs + this.#clock.toAudio((ts - baseTs) * this.#sampleRate) / this.#sampleRate;
    return {
      ...{ kind, utterance },
      act:
        words && this.#clock.toAudio(this.#lastFrame) < this.#lastFrame
          ? { kind: 'text', text: JSON.stringify(placedBy(words, placed)) }
          : act,
      frames: this.#clock.toAudio(frame),
      afterEnd: eosMs !== undefined,
      lagMs: Math.max(0, ms - (eosMs ?? sinceMs)),
    };
  }
}
