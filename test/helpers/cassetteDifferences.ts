import { alignWords } from '../../src/replay/align/alignWords.ts';
import type { Cassette, CassetteLine, ConnectionLine } from '../../src/replay/cassette/cassette.ts';
import { messageText } from '../../src/replay/cassette/cassetteLines.ts';

const FRAMES = 'frames of the source';
const SAMPLES = 'SHA-256 of the samples';

/** Differences that are listed; more are only counted. */
const MAX_DIFFERENCES = 20;

/**
 * Returns the differences between two cassettes, as text. Cassettes are equal if they differ only by the wall clock:
 * date, versions, addresses, place of the audio, progress, and silence reported by pings. Transcript text is shown,
 * because it is what people look for. A missing or additional line does not shift the others.
 */
export function cassetteDifferences(
  before: Pick<Cassette, 'lines' | 'end'>,
  after: Pick<Cassette, 'lines' | 'end'>,
): readonly string[] {
  const [a, b] = [comparable(before), comparable(after)];
  const kinds = [...new Set([...a.keys(), ...b.keys()])];
  const differences = kinds.flatMap(kind =>
    listDifferences(a.get(kind) ?? [], b.get(kind) ?? []).map(difference => ({ kind, ...difference })),
  );
  const listed = differences
    .slice(0, MAX_DIFFERENCES)
    .map(
      ({ kind, number, before: was, after: is }) =>
        `${isSingle(kind) ? kind : `${kind} ${number}`}: ${shown(was)} became ${shown(is)}`,
    );
  const more = differences.length - listed.length;
  return more > 0 ? [...listed, `and ${more} more`] : listed;
}

/** Returns whether a cassette has one value of this kind. */
function isSingle(kind: string): boolean {
  return kind === FRAMES || kind === SAMPLES || kind.endsWith(', audio sent');
}

/** Returns the values to compare, in order, by kind. */
function comparable({
  lines,
  end,
}: Pick<Cassette, 'lines' | 'end'>): ReadonlyMap<string, readonly unknown[]> {
  const audio = [...sentAudio(lines)].map(
    ([connection, sent]): Piece => [`connection ${connection}, audio sent`, sent],
  );
  const samples: readonly Piece[] = end?.audio ? [[SAMPLES, end.audio.sha256]] : [];
  const pieces = [
    ...lines.flatMap(piecesOf),
    ...audio,
    [FRAMES, end?.frames ?? 'cut off'] as const,
    ...samples,
  ];
  const byKind = Map.groupBy(pieces, ([kind]) => kind);
  return new Map([...byKind].map(([kind, same]) => [kind, same.map(([, value]) => value)]));
}

type Piece = readonly [kind: string, value: unknown];

/** Returns the value of a line to compare; none for a line that is not compared. */
function piecesOf(line: CassetteLine): readonly Piece[] {
  if ('connection' in line) {
    const value = wireValue(line);
    return value ? [[`connection ${line.connection}, ${line.type}`, value]] : [];
  }
  switch (line.type) {
    case 'audio':
      return [['audio format', line.format]];
    case 'gap':
      return [['gap', { start: line.start, frames: line.frames }]];
    case 'query':
      return [['query', { frame: line.frame, query: line.query }]];
    case 'block':
      return [];
    case 'event':
      return line.event.type === 'silence' ? [] : [[`event ${line.event.type}`, line.event]];
    case 'status':
      return line.status.type === 'progress' ? [] : [['status', line.status.type]];
  }
}

function wireValue(line: ConnectionLine): object | undefined {
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
    case 'pad':
      return undefined;
    default:
      return {};
  }
}

/** Returns the audio of each connection as ranges `from-to`, regardless of its frames. */
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

/** A difference between two lists. A value is undefined in the list that lacks it. */
interface ListDifference {
  /** Position from 1 in the first list, or in the second one if only that has the value. */
  readonly number: number;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Maximum number of values aligned between the common head and tail; the others are compared by position. */
const MAX_ALIGNED = 5000;

/** Returns the differences between two lists; a missing or additional value does not shift those after it. */
function listDifferences(before: readonly unknown[], after: readonly unknown[]): readonly ListDifference[] {
  const [left, right] = [before.map(printed), after.map(printed)];
  const head = commonLength(left, right);
  const tail = commonLength(left.slice(head).reverse(), right.slice(head).reverse());
  const between = <T>(values: readonly T[]) => values.slice(head, values.length - tail);
  const [a, b] = [between(left), between(right)];
  const [was, is] = [between(before), between(after)];
  const difference = (at: number | undefined, to: number | undefined): ListDifference => ({
    number: head + (at ?? to ?? 0) + 1,
    before: at === undefined ? undefined : was[at],
    after: to === undefined ? undefined : is[to],
  });
  const differences = alignWords(a.slice(0, MAX_ALIGNED), b.slice(0, MAX_ALIGNED))
    .filter(({ type }) => type !== 'hit')
    .map(step =>
      difference(
        'reference' in step ? step.reference : undefined,
        'hypothesis' in step ? step.hypothesis : undefined,
      ),
    );
  for (let at = MAX_ALIGNED; at < Math.max(a.length, b.length); at++) {
    if (a[at] !== b[at]) differences.push(difference(at, at));
  }
  return differences;
}

function commonLength(left: readonly string[], right: readonly string[]): number {
  const first = left.findIndex((text, index) => text !== right[index]);
  return first === -1 ? left.length : first;
}

/** Prints a value so that equal values give equal text, whatever the order of their fields. */
function printed(value: unknown): string {
  return JSON.stringify(value, (_, field: unknown) =>
    typeof field === 'object' && field !== null && !Array.isArray(field)
      ? Object.fromEntries(Object.entries(field).sort(([a], [b]) => (a < b ? -1 : 1)))
      : field,
  );
}
