import type { Figure, Figures } from '../../protocol/admin.ts';
import type { Instruments, Observe } from './createInstruments.ts';
import { type Definition, INSTRUMENTS } from './instruments.ts';
import { present } from './tracing.ts';

/** Metrics of HTTP are too many for figures: a histogram for each route and status. */
const LEFT_OUT: ReadonlySet<string> = new Set(['requestDuration'] satisfies (keyof typeof INSTRUMENTS)[]);
/** Metrics that all processes have in common, which cost a query of the database. */
const SHARED: ReadonlySet<string> = new Set([
  'jobsWaiting',
  'jobsWaitingAge',
  'humanJobsWaiting',
  'humanJobsWaitingAge',
  'deliveriesWaiting',
  'members',
] satisfies (keyof typeof INSTRUMENTS)[]);

/** The metrics of a process, kept for operators who ask the service itself. */
export interface FigureRecorder {
  /** Instruments that write into it. */
  readonly instruments: Instruments;
  /** Returns the figures of this process alone, or those that all processes have in common. */
  read(of: 'process' | 'service'): Promise<Figures>;
}

interface Recorded {
  readonly attributes: Attributes;
  value: number;
  readonly buckets: number[];
}

/** Creates a recorder. */
export function createFigureRecorder(): FigureRecorder {
  const recorded = new Map<string, Map<string, Recorded>>();
  const reads = new Set<{
    readonly names: readonly string[];
    readonly read: (observe: Observe) => void | Promise<void>;
  }>();
  return {
    instruments: {
      add(name, value, attributes) {
        seriesOf(recorded, name, present(attributes)).value += value;
      },
      record(name, value, attributes) {
        if (LEFT_OUT.has(name)) return;
        const series = seriesOf(recorded, name, present(attributes));
        const boundaries = boundariesOf(name);
        const at = boundaries.findIndex(boundary => value <= boundary);
        series.buckets[at < 0 ? boundaries.length : at]! += 1;
        series.value += value;
      },
      observe(names, read) {
        const one = { names, read };
        reads.add(one);
        return () => reads.delete(one);
      },
    },
    async read(of) {
      const values: { readonly name: string; readonly figure: Figure }[] = [];
      const add = (key: string, figure: Figure) => values.push({ name: definitionOf(key).name, figure });
      const figures = () =>
        Object.fromEntries(
          [...Map.groupBy(values, ({ name }) => name)].map(([name, all]) => [
            name,
            all.map(({ figure }) => figure),
          ]),
        );
      for (const { names, read } of reads) {
        if (names.some(name => SHARED.has(name)) !== (of === 'service')) continue;
        // Without those that cannot be read now, as in other exports.
        const observe: Observe = (name, value, attributes) =>
          void add(name, { attributes: present(attributes), value });
        await Promise.resolve(read(observe)).catch(() => {});
      }
      if (of === 'service') return figures();
      for (const [name, all] of recorded) {
        const boundaries = [...boundariesOf(name)];
        for (const { attributes, value, buckets } of all.values()) {
          add(name, {
            attributes,
            value,
            ...(boundaries.length > 0 && { boundaries, buckets: [...buckets] }),
          });
        }
      }
      return figures();
    },
  };
}

type Attributes = Figure['attributes'];

function seriesOf(
  recorded: Map<string, Map<string, Recorded>>,
  name: string,
  attributes: Attributes,
): Recorded {
  const all = recorded.get(name) ?? new Map<string, Recorded>();
  recorded.set(name, all);
  const key = JSON.stringify(attributes);
  const buckets = new Array<number>(boundariesOf(name).length + 1).fill(0);
  const series = all.get(key) ?? { attributes, value: 0, buckets };
  all.set(key, series);
  return series;
}

function definitionOf(name: string): Definition {
  return INSTRUMENTS[name as keyof typeof INSTRUMENTS];
}

function boundariesOf(name: string): readonly number[] {
  return definitionOf(name).boundaries ?? [];
}
