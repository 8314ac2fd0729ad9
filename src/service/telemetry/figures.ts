import { defined } from '../../base/defined.ts';
import type { Figure, Figures } from '../../protocol/admin.ts';
import type { Instruments, Observe } from './createInstruments.ts';
import { type AttributesOf, INSTRUMENTS, type InstrumentName } from './instruments.ts';

/** The metrics of a process, kept for operators who ask the service itself. */
export type FigureRecorder = ReturnType<typeof createFigureRecorder>;

/** The value of a counter or histogram for one set of attributes. */
interface Series {
  readonly name: InstrumentName;
  readonly attributes: Figure['attributes'];
  value: number;
  readonly boundaries?: readonly number[];
  readonly buckets: number[];
}

interface Reading {
  readonly names: readonly InstrumentName[];
  readonly read: (observe: Observe) => void | Promise<void>;
}

/** Creates a recorder. */
export function createFigureRecorder() {
  const recorded = new Map<string, Series>();
  const readings = new Set<Reading>();

  function seriesOf<Name extends InstrumentName>(name: Name, attributes?: AttributesOf<Name>): Series {
    const given = defined({ ...attributes }) as Figure['attributes'];
    const key = JSON.stringify([name, given]);
    const { boundaries } = INSTRUMENTS[name];
    const buckets = new Array<number>((boundaries?.length ?? 0) + 1).fill(0);
    const series = recorded.get(key) ?? { name, attributes: given, value: 0, boundaries, buckets };
    recorded.set(key, series);
    return series;
  }

  const instruments: Instruments = {
    add(name, value, attributes) {
      seriesOf(name, attributes).value += value;
    },
    record(name, value, attributes) {
      // Too many for figures: a histogram for each route and status.
      if (name === 'requestDuration') return;
      const series = seriesOf(name, attributes);
      const { boundaries = [], buckets } = series;
      const at = boundaries.findIndex(boundary => value <= boundary);
      buckets[at < 0 ? boundaries.length : at]! += 1;
      series.value += value;
    },
    observe(names, read) {
      const reading = { names, read };
      readings.add(reading);
      return () => readings.delete(reading);
    },
  };
  return {
    /** Instruments that write into this recorder. */
    instruments,
    /** Returns the figures of this process alone, or those that all processes have in common. */
    async read(of: 'process' | 'service'): Promise<Figures> {
      const figures: Record<string, Figure[]> = {};
      const add = (name: InstrumentName, figure: Figure) => {
        const key = INSTRUMENTS[name].name;
        figures[key] = [...(figures[key] ?? []), figure];
      };
      for (const { names, read } of readings) {
        if (names.some(name => INSTRUMENTS[name].isShared) !== (of === 'service')) continue;
        // Metrics that cannot be read now are left out, as in other exports.
        const observe: Observe = (name, value, attributes) =>
          void add(name, { attributes: defined({ ...attributes }) as Figure['attributes'], value });
        await Promise.resolve(read(observe)).catch(() => {});
      }
      if (of === 'service') return figures;
      for (const { name, attributes, value, boundaries, buckets } of recorded.values()) {
        add(name, {
          attributes,
          value,
          ...(boundaries && { boundaries: [...boundaries], buckets: [...buckets] }),
        });
      }
      return figures;
    },
  };
}
