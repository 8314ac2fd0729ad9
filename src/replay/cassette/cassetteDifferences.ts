import { isDeepStrictEqual } from 'node:util';
import type { Cassette, CassetteLine } from './cassette.ts';
import { messageText } from './messageText.ts';

export interface DifferenceOptions {
  /** Where in the audio each message came, and how the audio was cut to frames, count as well. Default false. */
  readonly places?: boolean;
}

/** So many are told; who has more has seen enough. */
const MAX_DIFFERENCES = 20;

/**
 * What makes two cassettes different; none when they are equal apart from the wall clock: date, versions, addresses, where
 * the audio lies, progress, and what pings told of silence. Words are shown, since they are what is looked for.
 *
 * @example
 * cassetteDifferences(before, after) // ['connection 0, message 3: {"type":"final",…} became {"type":"final",…}']
 */
export function cassetteDifferences(
  before: Pick<Cassette, 'lines' | 'end'>,
  after: Pick<Cassette, 'lines' | 'end'>,
  options: DifferenceOptions = {},
): readonly string[] {
  const [a, b] = [comparable(before, options), comparable(after, options)];
  const keys = [...new Set([...a.keys(), ...b.keys()])];
  return keys
    .filter(key => !isDeepStrictEqual(a.get(key), b.get(key)))
    .slice(0, MAX_DIFFERENCES)
    .map(key => `${key}: ${shown(a.get(key))} became ${shown(b.get(key))}`);
}

/** All that counts, one name for each piece of it. */
function comparable(
  { lines, end }: Pick<Cassette, 'lines' | 'end'>,
  { places = false }: DifferenceOptions,
): ReadonlyMap<string, unknown> {
  const pieces = new Map<string, unknown>();
  const counts = new Map<string, number>();
  const add = (kind: string, value: unknown) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    pieces.set(`${kind} ${count}`, value);
  };
  for (const line of lines) {
    const piece = pieceOf(line, places);
    if (piece) add(...piece);
  }
  for (const [connection, sent] of sentAudio(lines)) pieces.set(`connection ${connection}, audio sent`, sent);
  pieces.set('frames of the source', end?.frames ?? 'cut off');
  pieces.set('SHA-256 of the samples', end?.audio?.sha256);
  return pieces;
}

function pieceOf(line: CassetteLine, places: boolean): [kind: string, value: unknown] | undefined {
  if ('connection' in line) {
    const value = wireValue(line, places);
    const at = places ? { frame: line.frame } : {};
    return value && [`connection ${line.connection}, ${line.type}`, { ...at, ...value }];
  }
  switch (line.type) {
    case 'audio':
      return ['audio format', line.format];
    case 'gap':
      return ['gap', { start: line.start, frames: line.frames }];
    case 'block':
      return places ? ['block', line.frame] : undefined;
    case 'event':
      return line.event.type === 'silence' ? undefined : [`event ${line.event.type}`, line.event];
    case 'status':
      return line.status.type === 'progress' ? undefined : ['status', line.status.type];
  }
}

type WireLine = Extract<CassetteLine, { readonly connection: number }>;

function wireValue(line: WireLine, places: boolean): object | undefined {
  switch (line.type) {
    case 'connect':
      return { query: line.query, from: line.frame };
    case 'message':
      return { text: messageText(line), heard: line.heard ?? true };
    case 'send_text':
      return { text: line.text };
    case 'close':
      return { by: line.by, code: line.code, reason: line.reason, status: line.http_status };
    case 'send':
      return places ? { start: line.start, frames: line.frames } : undefined;
    case 'pad':
      return places ? { frames: line.frames } : undefined;
    default:
      return {};
  }
}

/** The audio of each connection, as ranges `from-to`, however it was cut. */
function sentAudio(lines: readonly CassetteLine[]): ReadonlyMap<number, string> {
  const ranges = new Map<number, { start: number; end: number }[]>();
  for (const line of lines) {
    if (line.type !== 'send') continue;
    const sent = ranges.get(line.connection) ?? [];
    const last = sent.at(-1);
    if (last?.end === line.start) last.end = line.frame;
    else sent.push({ start: line.start, end: line.frame });
    ranges.set(line.connection, sent);
  }
  const textOf = (sent: readonly { start: number; end: number }[]) =>
    sent.map(({ start, end }) => `${start}-${end}`).join(', ');
  return new Map([...ranges].map(([connection, sent]) => [connection, textOf(sent)]));
}

const MAX_SHOWN = 200;

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
