import { parseContentType } from '../../../audio/format/contentType.ts';
import { closeReason, END_OF_STREAM } from '../../../protocol/closeCodes.ts';
import type { Cassette, ConnectionLine } from '../../cassette/cassette.ts';
import { messageEvent, messageText } from '../../cassette/cassetteLines.ts';
import type { LineOf } from '../../cassette/cassetteSchema.ts';
import type { Act, AudioPiece, Cue, Script } from './script.ts';

/** The script of a recorded connection, and its start in the source. */
export interface RecordedScript extends Script {
  /** Start in frames of the source. */
  readonly originFrame: number;
}

/** Returns a script for each recorded connection, in the order in which they were made. */
export function recordedScripts(cassette: Cassette): readonly RecordedScript[] {
  const lines = cassette.lines.filter(line => 'connection' in line);
  const all = [...Map.groupBy(lines, ({ connection }) => connection).values()];
  return all.map((lines, index) => recordedScript(cassette, lines, index === all.length - 1));
}

function recordedScript(
  cassette: Cassette,
  lines: readonly ConnectionLine[],
  isLast: boolean,
): RecordedScript {
  const connect = lines.find(line => line.type === 'connect');
  const { query = {}, frame: originFrame = 0 } = connect ?? {};
  const startTs = startOf(query);
  const sampleRate = rateOf(cassette, query);
  const builder = new ScriptBuilder({ startTs, sampleRate, isLast, originFrame });
  for (const line of lines) builder.take(line);
  const { audio, cues, texts, hasEnd } = builder;
  return {
    originFrame,
    startTs,
    sampleRate,
    query,
    audio,
    cues,
    texts,
    hasEnd,
    rejection: rejectionOf(lines),
  };
}

/** Returns the start time in seconds; 0 for an invalid one, to which no service responded. */
function startOf({ start_ts = '0' }: Readonly<Record<string, string>>): number {
  const seconds = Number(start_ts);
  return Number.isFinite(seconds) ? seconds : 0;
}

/** Returns the sample rate of a recording in Hz. */
function rateOf(
  { audio, lines }: Cassette,
  { content_type: text }: Readonly<Record<string, string>>,
): number {
  const recorded = lines.find(line => line.type === 'audio')?.format.sample_rate;
  const rate = audio?.format.sampleRate ?? recorded;
  if (rate !== undefined) return rate;
  const type = text === undefined ? undefined : parseContentType(text);
  return type?.kind === 'raw' ? type.format.sampleRate : 16_000;
}

function rejectionOf(lines: readonly ConnectionLine[]): Script['rejection'] {
  const close = lines.find(line => line.type === 'close');
  if (!close || lines.some(({ type }) => type === 'opened')) return undefined;
  if (close.http_status !== undefined) return { kind: 'http-status', status: close.http_status };
  return close.by === 'network' ? { kind: 'refuse' } : undefined;
}

/** Converts the lines of a connection, in order. */
class ScriptBuilder {
  readonly audio: AudioPiece[] = [];
  readonly cues: Cue[] = [];
  readonly texts: string[] = [];
  hasEnd = false;
  readonly #time: ScriptTime;
  #frames = 0;
  #openedMs = 0;
  /** Time of the latest frame from the client, which later messages respond to. */
  #sentMs = 0;

  constructor(time: ScriptTime) {
    this.#time = time;
  }

  take(line: ConnectionLine): void {
    switch (line.type) {
      case 'opened':
        this.#openedMs = line.ms;
        this.#sentMs = line.ms;
        break;
      case 'send':
        this.#send({ kind: 'source', start: line.start, frames: line.frames }, line.ms);
        break;
      case 'pad':
        this.#send({ kind: 'silence', frames: line.frames }, line.ms);
        break;
      case 'send_text':
        this.#sentMs = line.ms;
        if (line.text === END_OF_STREAM) this.hasEnd = true;
        else this.texts.push(line.text);
        break;
      case 'message':
        this.#message(line);
        break;
      case 'binary':
        this.#cue(line, 'other', { kind: 'binary' });
        break;
      case 'close':
        this.#close(line);
        break;
    }
  }

  #send(piece: AudioPiece, ms: number): void {
    this.#frames += piece.frames;
    this.#sentMs = ms;
    const last = this.audio.at(-1);
    if (piece.kind === 'source' && last?.kind === 'source' && last.start + last.frames === piece.start) {
      this.audio[this.audio.length - 1] = { ...last, frames: last.frames + piece.frames };
    } else this.audio.push(piece);
  }

  #message(line: LineOf<'message'>): void {
    const act = { kind: 'text', text: messageText(line) } as const;
    const { startTs, sampleRate } = this.#time;
    const event = messageEvent(act.text);
    if (!event) this.#cue(line, 'other', act);
    else if (event.type === 'connected') this.#cue(line, 'connected', act);
    else this.#cue(line, 'words', act, (event.ts - startTs) * sampleRate);
  }

  #close({ by, code, reason, ...line }: LineOf<'close'>): void {
    if (by === 'service') {
      // A cassette may have a longer reason than a close frame can carry.
      this.#cue(line, 'end', { kind: 'close', code, reason: closeReason({ code, reason, retry: false }) });
    } else if (by === 'network') this.#cue(line, 'end', { kind: 'cut' });
    // The client left without a close frame and reconnected: no response reached it any more.
    else if (!this.hasEnd && !this.#time.isLast) this.#fallSilent();
  }

  /** Falls silent after the last cue. The true time is unknown, and the client noticed much later. */
  #fallSilent(): void {
    const { frames = 0, afterEnd = false, lagMs = 0 } = this.cues.at(-1) ?? {};
    this.cues.push({ kind: 'end', frames, afterEnd, lagMs, act: { kind: 'half-open' } });
  }

  #cue(
    line: { readonly ms: number; readonly frame: number },
    kind: Cue['kind'],
    act: Act,
    fromFrame?: number,
  ): void {
    // In a log of messages alone, only the lines themselves have positions.
    const frames = this.audio.length > 0 ? this.#frames : Math.max(0, line.frame - this.#time.originFrame);
    const sinceMs = kind === 'connected' ? this.#openedMs : this.#sentMs;
    const lagMs = Math.max(0, line.ms - sinceMs);
    this.cues.push({ kind, frames, afterEnd: this.hasEnd, act, lagMs, fromFrame });
  }
}

interface ScriptTime {
  readonly startTs: number;
  readonly sampleRate: number;
  readonly originFrame: number;
  readonly isLast: boolean;
}
