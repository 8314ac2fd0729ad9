import { Value } from 'typebox/value';
import { ASSEMBLY_AI } from './assemblyAi.ts';
import { AZURE } from './azure.ts';
import { DEEPGRAM } from './deepgram.ts';
import type { Heard } from './heard.ts';

const FORMATS = [...DEEPGRAM, ...ASSEMBLY_AI, ...AZURE];

/**
 * Returns the finals and partials in a result or a message of another service: Deepgram, AssemblyAI or Azure, recognised by
 * its fields. Undefined for any other value.
 *
 * @param fail is called with the fault of a value of a known format that lacks something
 */
export function heardIn(json: unknown, fail: (fault: string) => never): readonly Heard[] | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const format = FORMATS.find(each => each.isFormat(json));
  if (!format) return undefined;
  if (Value.Check(format.schema, json)) return format.read(json);
  const [first] = Value.Errors(format.schema, json);
  return fail(
    `expected a result of ${format.name}, found that ${first?.instancePath || 'it'} ${first?.message}`,
  );
}

/** Makes partials of finals that a later final of the same turn replaces. */
export function lastOfTurns(heard: readonly Heard[]): readonly Heard['event'][] {
  const last = new Map(heard.map(({ turn, event }) => [turn, event]));
  return heard.map(({ turn, event }) =>
    turn === undefined || last.get(turn) === event || event.type === 'partial'
      ? event
      : {
          type: 'partial',
          ts: event.ts,
          endTs: event.endTs,
          elements: event.elements.filter(each => each.type === 'text'),
        },
  );
}
