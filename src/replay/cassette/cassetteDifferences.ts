import type { Cassette, CassetteLine } from './cassette.ts';
import { listDifferences } from './listDifferences.ts';
import { messageText } from './messageText.ts';

export interface DifferenceOptions {
  /** Where in the audio each message came, and how the audio was cut to frames, count as well. Default false. */
  readonly places?: boolean;
}

const FRAMES = 'frames of the source';
const SAMPLES = 'SHA-256 of the samples';

/** So many are told; who has more has seen enough, and how many they are. */
const MAX_DIFFERENCES = 20;

/**
 * What makes two cassettes different; none when they are equal apart from the wall clock: date, versions, addresses, where
 * the audio lies, progress, and what pings told of silence. Words are shown, since they are what is looked for. What is
 * missing, or came in addition, shifts nothing behind it.
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
  const kinds = [...new Set([...a.keys(), ...b.keys()])];
  const differences = kinds.flatMap(kind =>
    listDifferences(a.get(kind) ?? [], b.get(kind) ?? []).map(
      ({ number, before: was, after: is }) =>
        () =>
          `${isSingle(kind) ? kind : `${kind} ${number}`}: ${shown(was)} became ${shown(is)}`,
    ),
  );
  const told = differences.slice(0, MAX_DIFFERENCES).map(tell => tell());
  const more = differences.length - told.length;
  return more > 0 ? [...told, `and ${more} more`] : told;
}

/** Of which a cassette has one. */
function isSingle(kind: string): boolean {
  return kind === FRAMES || kind === SAMPLES || kind.endsWith(', audio sent');
}

/** All that counts, in order, by its kind. */
function comparable(
  { lines, end }: Pick<Cassette, 'lines' | 'end'>,
  { places = false }: DifferenceOptions,
): ReadonlyMap<string, readonly unknown[]> {
  const pieces = new Map<string, unknown[]>();
  const add = (kind: string, value: unknown) => {
    const values = pieces.get(kind);
    if (values) values.push(value);
    else pieces.set(kind, [value]);
  };
  for (const line of lines) {
    const piece = pieceOf(line, places);
    if (piece) add(...piece);
  }
  for (const [connection, sent] of sentAudio(lines)) add(`connection ${connection}, audio sent`, sent);
  add(FRAMES, end?.frames ?? 'cut off');
  if (end?.audio) add(SAMPLES, end.audio.sha256);
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
