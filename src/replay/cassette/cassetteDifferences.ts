import { alignWords } from '../align/alignWords.ts';
import type { Cassette, CassetteLine } from './cassette.ts';
import { messageText } from './cassetteLines.ts';

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

/** A place where two lists are different; what only one of them has became nothing, or was nothing. */
export interface ListDifference {
  /** From 1: of the first list, or of the second where only that has it. */
  readonly number: number;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Between what both lists begin with and what they end with, so many are put side by side: the rest by its numbers. */
const MAX_ALIGNED = 5000;

/** What is different in two lists: one value more or less does not shift those behind it. */
export function listDifferences(
  before: readonly unknown[],
  after: readonly unknown[],
): readonly ListDifference[] {
  const [left, right] = [before.map(printed), after.map(printed)];
  const head = commonLength(left, right);
  const tail = commonLength(left.slice(head).reverse(), right.slice(head).reverse());
  const between = (texts: readonly string[]) => texts.slice(head, texts.length - tail);
  const [a, b] = [between(left), between(right)];
  const difference = (at: number | undefined, to: number | undefined): ListDifference => ({
    number: head + (at ?? to ?? 0) + 1,
    ...(at !== undefined && at < a.length && { before: before[head + at] }),
    ...(to !== undefined && to < b.length && { after: after[head + to] }),
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

/** Equal values in equal words, in whatever order their fields are. */
function printed(value: unknown): string {
  return JSON.stringify(value, (_, field: unknown) =>
    typeof field === 'object' && field !== null && !Array.isArray(field)
      ? Object.fromEntries(Object.entries(field).sort(([a], [b]) => (a < b ? -1 : 1)))
      : field,
  );
}
