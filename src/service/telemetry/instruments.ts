import table from './instruments.json' with { type: 'json' };

/** The metrics of a service by kind. Attributes are kinds, codes and routes, never contents, names or addresses. */
export const INSTRUMENTS_BY_KIND = table;

// Not `typeof` the import itself: TypeScript would emit that import in the declarations of the package without its attribute.
type Table = typeof INSTRUMENTS_BY_KIND;

/** Gauges and observed counters are read when the metrics are collected. */
export type InstrumentKind = keyof Table;
type AllInstruments = Table['counter'] & Table['histogram'] & Table['gauge'] & Table['observedCounter'];
export type InstrumentName = keyof AllInstruments;
export type NameOfKind<Kind extends InstrumentKind> = keyof Table[Kind];
export type AttributesOf<Name extends InstrumentName> = {
  readonly [Attribute in keyof AllInstruments[Name]['attributes']]?: string | number;
};

/** The definition of a metric. */
export interface Definition {
  /** Name of OpenTelemetry; {@link prometheusName} is that of Prometheus. */
  readonly name: string;
  /** Unit as of UCUM; counted things in braces. */
  readonly unit: string;
  readonly description: string;
  /** Meanings or values of its attributes, by name. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Boundaries of a histogram. */
  readonly boundaries?: readonly number[];
}

export type Instrument = Definition & { readonly kind: InstrumentKind };

/** The metrics of a service. */
export const INSTRUMENTS = Object.fromEntries(
  Object.entries(table).flatMap(([kind, definitions]) =>
    Object.entries<Definition>(definitions).map(([name, definition]) => [name, { kind, ...definition }]),
  ),
) as Readonly<Record<InstrumentName, Instrument>>;

/** Words of Prometheus for units. */
const UNIT_WORDS: Readonly<Record<string, string>> = { s: 'seconds', By: 'bytes' };

/**
 * Returns the name of a metric in Prometheus; those of histograms get `_bucket`, `_sum` and `_count` besides.
 *
 * With the unit, by the compatibility specification of OpenTelemetry, as collectors and Prometheus itself translate names;
 * the exporter for Prometheus leaves units out.
 */
export function prometheusName({ name, kind, unit }: Pick<Instrument, 'name' | 'kind' | 'unit'>): string {
  const isTotal = kind === 'counter' || kind === 'observedCounter';
  const parts = [name.replaceAll('.', '_'), prometheusUnit({ kind, unit }), isTotal ? 'total' : undefined];
  return parts.filter(part => part !== undefined).join('_');
}

/** Returns the word of Prometheus for a unit; undefined when the name of the metric has none. */
export function prometheusUnit({ kind, unit }: Pick<Instrument, 'kind' | 'unit'>): string | undefined {
  return unit === '1' && kind === 'gauge' ? 'ratio' : UNIT_WORDS[unit];
}
