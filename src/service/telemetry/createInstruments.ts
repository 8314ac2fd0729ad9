import {
  type BatchObservableCallback,
  type Meter,
  type MeterProvider,
  type MetricOptions,
  metrics,
} from '@opentelemetry/api';
import packageJson from 'rxscribe/package.json' with { type: 'json' };
import { type AttributesOf, type Definition, INSTRUMENTS_BY_KIND, type NameOfKind } from './instruments.ts';

/** Name of the instrumentation scope of metrics and traces. */
export const SCOPE = 'rxscribe';

type ObservedName = NameOfKind<'gauge'> | NameOfKind<'observedCounter'>;

/** Reports the current value of a metric. */
export type Observe = <Each extends ObservedName>(
  name: Each,
  value: number,
  attributes?: AttributesOf<Each>,
) => void;

/** The instruments by which a service writes its metrics. */
export interface Instruments {
  /** Adds to a counter. */
  add<Each extends NameOfKind<'counter'>>(name: Each, value: number, attributes?: AttributesOf<Each>): void;
  /** Records a value of a histogram. */
  record<Each extends NameOfKind<'histogram'>>(
    name: Each,
    value: number,
    attributes?: AttributesOf<Each>,
  ): void;
  /**
   * Reads metrics at each collection.
   *
   * @param read reports nothing when it rejects
   * @returns a function that ends it
   */
  observe(names: readonly ObservedName[], read: (observe: Observe) => void | Promise<void>): () => void;
}

/** Instruments of a service without a collector of metrics. */
export const noInstruments: Instruments = { add() {}, record() {}, observe: () => () => {} };

/**
 * Creates the instruments. They write to the global provider of `@opentelemetry/api`, which is that of the operator, and to
 * another one.
 */
export function createInstruments(provider?: MeterProvider): Instruments {
  const providers = new Set([metrics.getMeterProvider(), ...(provider ? [provider] : [])]);
  const all = [...providers].map(each => instrumentsOf(each.getMeter(SCOPE, packageJson.version)));
  return {
    add(...call) {
      for (const each of all) each.add(...call);
    },
    record(...call) {
      for (const each of all) each.record(...call);
    },
    observe(...call) {
      const ends = all.map(each => each.observe(...call));
      return () => {
        for (const end of ends) end();
      };
    },
  };
}

function instrumentsOf(meter: Meter): Instruments {
  const { counter, histogram, gauge, observedCounter } = INSTRUMENTS_BY_KIND;
  const counters = created(counter, (name, options) => meter.createCounter(name, options));
  const histograms = created(histogram, (name, options) => meter.createHistogram(name, options));
  const observed = {
    ...created(gauge, (name, options) => meter.createObservableGauge(name, options)),
    ...created(observedCounter, (name, options) => meter.createObservableCounter(name, options)),
  };
  return {
    add: (name, value, attributes) => counters[name].add(value, attributes),
    record: (name, value, attributes) => histograms[name].record(value, attributes),
    observe(names, read) {
      const instruments = names.map(name => observed[name]);
      const callback: BatchObservableCallback = result =>
        read((name, value, attributes) => result.observe(observed[name], value, attributes));
      meter.addBatchObservableCallback(callback, instruments);
      return () => meter.removeBatchObservableCallback(callback, instruments);
    },
  };
}

/** Creates the instruments of a kind, by their keys. */
function created<Key extends string, T>(
  definitions: Readonly<Record<Key, Definition>>,
  create: (name: string, options: MetricOptions) => T,
): Readonly<Record<Key, T>> {
  const instruments = Object.entries<Definition>(definitions).map(([key, definition]) => {
    const { name, unit, description, boundaries } = definition;
    const advice = boundaries && { explicitBucketBoundaries: [...boundaries] };
    return [key, create(name, { unit, description, advice })];
  });
  return Object.fromEntries(instruments);
}
