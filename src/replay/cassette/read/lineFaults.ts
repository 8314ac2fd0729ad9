import { MAX_CLOSE_REASON_BYTES } from '../../../protocol/closeCodes.ts';
import { parseStreamQuery } from '../../../protocol/streamQuery.ts';
import type { ConnectionLine } from '../cassette.ts';
import { CASSETTE_LIMITS } from '../cassetteLimits.ts';
import { messageText } from '../cassetteLines.ts';
import type { CassetteFileLine, LineOf } from '../cassetteSchema.ts';
import { messageFault } from '../messageFault.ts';

interface ConnectionPlace {
  readonly frame: number;
  readonly phase: 'connecting' | 'open' | 'closed';
}

/** Finds lines that cannot follow those before, such as a time that goes back or an unknown connection. */
export class LineOrder {
  readonly #connections: ConnectionPlace[] = [];
  #hasHeader = false;
  #hasAudio = false;
  #ms = 0;
  /** Frame up to which the source has delivered audio. */
  #headFrame = 0;

  /** Returns the fault of the next line, as "expected …, found …"; undefined when it is valid. */
  faultOf(line: CassetteFileLine): string | undefined {
    if (line.type === 'cassette') {
      const isFirst = !this.#hasHeader;
      this.#hasHeader = true;
      return isFirst ? undefined : 'expected one header, found another';
    }
    if (line.type === 'audio_data') return this.#needsAudio();
    const { ms } = line;
    if (ms < this.#ms) return `expected a time of ${this.#ms} ms or later, found ${ms}`;
    this.#ms = ms;
    return 'connection' in line ? this.#onConnection(line) : this.#onSource(line);
  }

  #needsAudio(): string | undefined {
    return this.#hasAudio ? undefined : 'expected an audio line before it, found none';
  }

  #onSource(line: Exclude<CassetteFileLine, ConnectionLine | { type: 'cassette' | 'audio_data' }>) {
    switch (line.type) {
      case 'audio':
        if (this.#hasAudio) return 'expected one audio line, found another';
        this.#hasAudio = true;
        return undefined;
      case 'block':
        if (line.frame <= this.#headFrame) {
          return `expected a block that ends behind frame ${this.#headFrame}, found one to ${line.frame}`;
        }
        this.#headFrame = line.frame;
        return this.#needsAudio();
      case 'gap':
        if (line.start !== this.#headFrame) {
          return `expected a gap from frame ${this.#headFrame}, found one from ${line.start}`;
        }
        this.#headFrame += line.frames;
        return this.#needsAudio();
      case 'end':
        if (line.frames !== this.#headFrame) {
          return `expected the end at frame ${this.#headFrame}, found ${line.frames}`;
        }
        return line.audio && this.#needsAudio();
      default:
        return undefined;
    }
  }

  #onConnection(line: ConnectionLine): string | undefined {
    if (line.type === 'connect') return this.#connect(line);
    const { connection, frame, type } = line;
    const place = this.#connections[connection];
    if (!place) return `expected a connection before ${this.#connections.length}, found ${connection}`;
    const isNext = place.phase === 'connecting' ? NEXT_LINES.includes(type) : type !== 'opened';
    if (place.phase === 'closed' || !isNext) {
      const wanted = type === 'opened' ? 'connecting' : 'open';
      return `expected connection ${connection} to be ${wanted}, found it ${place.phase}`;
    }
    if (frame < place.frame) return `expected frame ${place.frame} or later, found ${frame}`;
    if (this.#hasAudio && frame > this.#headFrame) {
      return `expected audio before frame ${this.#headFrame}, found ${frame}`;
    }
    this.#connections[connection] = { frame, phase: type === 'close' ? 'closed' : 'open' };
    return type === 'send' ? (this.#needsAudio() ?? this.#sendFault(line, place)) : undefined;
  }

  #connect({ connection, frame }: LineOf<'connect'>): string | undefined {
    const next = this.#connections.length;
    if (connection !== next) return `expected connection ${next}, found ${connection}`;
    if (connection >= CASSETTE_LIMITS.connections) {
      return `expected at most ${CASSETTE_LIMITS.connections} connections, found more`;
    }
    this.#connections.push({ frame, phase: 'connecting' });
    return undefined;
  }

  #sendFault({ start, frames, frame }: LineOf<'send'>, before: ConnectionPlace): string | undefined {
    if (start < before.frame) return `expected audio from frame ${before.frame} or later, found ${start}`;
    if (start + frames !== frame) {
      return `expected audio that ends at frame ${frame}, found ${frames} frames from ${start}`;
    }
    return undefined;
  }
}

/** Lines that may follow the beginning of a connection. */
const NEXT_LINES: readonly string[] = ['opened', 'close'];

/** Content type to assume when none was recorded. */
const ANY_CONTENT_TYPE = 'audio/x-wav';

/**
 * Returns the fault of a single line that its schema does not cover, as "expected …, found …"; undefined when it is
 * valid.
 */
export function contentFault(line: CassetteFileLine): string | undefined {
  switch (line.type) {
    case 'cassette':
      return Number.isNaN(Date.parse(line.recorded_at))
        ? 'expected a date in recorded_at, found none'
        : undefined;
    case 'connect':
      return connectFault(line);
    case 'message':
      return lineMessageFault(line);
    case 'close':
      return closeFault(line);
    default:
      return undefined;
  }
}

/** Checks the parameters of a query that locate the audio; the others are only compared. */
function connectFault({ query }: LineOf<'connect'>): string | undefined {
  const { content_type = ANY_CONTENT_TYPE, start_ts = '0' } = query;
  try {
    parseStreamQuery(new URLSearchParams({ content_type, start_ts }));
    return undefined;
  } catch {
    return 'expected a content_type and a start_ts of the interface, found other texts';
  }
}

function lineMessageFault(line: LineOf<'message'>): string | undefined {
  if ((line.message === undefined) === (line.text === undefined)) {
    return `expected either message or text, found ${line.text === undefined ? 'none' : 'both'}`;
  }
  let text: string;
  try {
    text = messageText(line);
  } catch {
    return 'expected a message that can be printed, found one that is too deep';
  }
  if (text.length > CASSETTE_LIMITS.messageBytes)
    return `expected a message of at most ${CASSETTE_LIMITS.messageBytes} bytes, found a longer one`;
  // The recorder marks messages that a client did not emit, so their faults are those of the service.
  const fault = line.heard === false ? undefined : messageFault(text);
  return fault && `expected a message that a client can emit: ${fault}`;
}

/** Checks the length of a reason, except for a failed handshake, whose reason comes by HTTP and has any length. */
function closeFault({ by, reason }: LineOf<'close'>): string | undefined {
  const bytes = Buffer.byteLength(reason);
  if (by === 'network' || bytes <= MAX_CLOSE_REASON_BYTES) return undefined;
  return `expected a reason of at most ${MAX_CLOSE_REASON_BYTES} bytes, found ${bytes}`;
}
