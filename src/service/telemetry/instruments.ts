/** The definition of a metric. */
export interface Definition {
  /** Name of OpenTelemetry; {@link prometheusName} is that of Prometheus. */
  readonly name: string;
  /** Gauges and observed counters are read when somebody collects the metrics. */
  readonly kind: 'counter' | 'histogram' | 'gauge' | 'observedCounter';
  /** Unit as of UCUM; counted things in braces. */
  readonly unit: string;
  readonly description: string;
  readonly attributes: readonly string[];
  /** Boundaries of a histogram. */
  readonly boundaries?: readonly number[];
}

/** Boundaries in seconds of the delay of text behind speech. */
const DELAYS = [0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30];
/** Boundaries in seconds of requests, as of the semantic conventions. */
const REQUESTS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const STORE_CALLS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const JOBS = [0.1, 0.5, 1, 5, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 14_400];

/** The metrics of a service. Attributes are kinds, codes and routes, never contents, names or addresses. */
export const INSTRUMENTS = {
  streams: {
    name: 'rxscribe.streams',
    kind: 'gauge',
    unit: '{stream}',
    description: 'Streams that are open: running, waiting for a recogniser, or draining.',
    attributes: ['state'],
  },
  streamSlots: {
    name: 'rxscribe.streams.slots',
    kind: 'gauge',
    unit: '{stream}',
    description: 'Streams that this process may run at the same time.',
    attributes: [],
  },
  streamsFree: {
    name: 'rxscribe.streams.free',
    kind: 'gauge',
    unit: '{stream}',
    description: 'Further streams that this process can take now.',
    attributes: [],
  },
  streamsEnded: {
    name: 'rxscribe.streams.ended',
    kind: 'counter',
    unit: '{stream}',
    description:
      'Streams that have ended, refused ones included, by close code; 1006 when the client has gone.',
    attributes: ['code'],
  },
  firstPartialDelay: {
    name: 'rxscribe.stream.first_partial.delay',
    kind: 'histogram',
    unit: 's',
    description:
      'Time from the end of the first word of an utterance to its first text, in real-time streams.',
    attributes: [],
    boundaries: DELAYS,
  },
  finalDelay: {
    name: 'rxscribe.stream.final.delay',
    kind: 'histogram',
    unit: 's',
    description: 'Time from the end of the last word of an utterance to its final, in real-time streams.',
    attributes: [],
    boundaries: DELAYS,
  },
  streamLag: {
    name: 'rxscribe.stream.lag',
    kind: 'gauge',
    unit: 's',
    description: 'Time for which audio has waited for its results, in the running stream that is latest.',
    attributes: [],
  },
  engineProcessor: {
    name: 'rxscribe.engine.processor',
    kind: 'observedCounter',
    unit: 's',
    description: 'Processor time of the recogniser, for streams and for recordings.',
    attributes: ['kind'],
  },
  engineAudio: {
    name: 'rxscribe.engine.audio',
    kind: 'observedCounter',
    unit: 's',
    description: 'Audio that was recognised, of streams and of recordings.',
    attributes: ['kind'],
  },
  engineLoad: {
    name: 'rxscribe.engine.load',
    kind: 'gauge',
    unit: '1',
    description: 'Time of decoding that a second of the audio of streams requires, in the last minutes.',
    attributes: [],
  },
  engineBusy: {
    name: 'rxscribe.engine.busy',
    kind: 'gauge',
    unit: '1',
    description: 'Share of the time in which decoders were busy, in the last minute.',
    attributes: [],
  },
  jobsWaiting: {
    name: 'rxscribe.jobs.waiting',
    kind: 'gauge',
    unit: '{job}',
    description: 'Jobs in the queue of a lane, of all processes; counted up to 100,000.',
    attributes: ['lane'],
  },
  jobsWaitingAge: {
    name: 'rxscribe.jobs.waiting.age',
    kind: 'gauge',
    unit: 's',
    description: 'Age of the oldest job in the queue of a lane, of all processes.',
    attributes: ['lane'],
  },
  humanJobsWaiting: {
    name: 'rxscribe.human_jobs.waiting',
    kind: 'gauge',
    unit: '{job}',
    description:
      'Human jobs that wait for a person, claimed by one or not, of all processes; counted up to 100,000.',
    attributes: ['state'],
  },
  humanJobsWaitingAge: {
    name: 'rxscribe.human_jobs.waiting.age',
    kind: 'gauge',
    unit: 's',
    description: 'Age of the oldest human job that waits for a person, of all processes.',
    attributes: [],
  },
  jobsRunning: {
    name: 'rxscribe.jobs.running',
    kind: 'gauge',
    unit: '{job}',
    description: 'Jobs that this process runs.',
    attributes: ['lane'],
  },
  jobsEnded: {
    name: 'rxscribe.jobs.ended',
    kind: 'counter',
    unit: '{job}',
    description: 'Jobs that have ended, by type, outcome and failure.',
    attributes: ['type', 'outcome', 'failure'],
  },
  jobDuration: {
    name: 'rxscribe.job.duration',
    kind: 'histogram',
    unit: 's',
    description:
      'Time that jobs ran until they ended or were left to a person, without their time in the queue.',
    attributes: ['type'],
    boundaries: JOBS,
  },
  deliveries: {
    name: 'rxscribe.deliveries',
    kind: 'counter',
    unit: '{attempt}',
    description: 'Attempts to deliver a notification: delivered, refused, retried or given_up.',
    attributes: ['outcome'],
  },
  deliveriesWaiting: {
    name: 'rxscribe.deliveries.waiting',
    kind: 'gauge',
    unit: '{notification}',
    description: 'Notifications to be delivered, of all processes; counted up to 100,000.',
    attributes: [],
  },
  storeDuration: {
    name: 'rxscribe.store.duration',
    kind: 'histogram',
    unit: 's',
    description: 'Time of calls of the store: statements of the database, and calls for objects.',
    attributes: ['server', 'outcome'],
    boundaries: STORE_CALLS,
  },
  databaseConnections: {
    name: 'rxscribe.database.connections',
    kind: 'gauge',
    unit: '{connection}',
    description: 'Connections to the database server, used or idle, and statements waiting for one.',
    attributes: ['state'],
  },
  members: {
    name: 'rxscribe.members',
    kind: 'gauge',
    unit: '{process}',
    description: 'Processes of the service that are alive.',
    attributes: ['role'],
  },
  requestDuration: {
    name: 'http.server.request.duration',
    kind: 'histogram',
    unit: 's',
    description: 'Duration of HTTP server requests.',
    attributes: [
      'http.request.method',
      'http.route',
      'http.response.status_code',
      'url.scheme',
      'error.type',
    ],
    boundaries: REQUESTS,
  },
} as const satisfies Readonly<Record<string, Definition>>;

/** Words of Prometheus for units. */
const UNIT_WORDS: Readonly<Record<string, string>> = { s: 'seconds', By: 'bytes' };

/**
 * Returns the name of a metric in Prometheus; those of histograms get `_bucket`, `_sum` and `_count` besides.
 *
 * With the unit, by the compatibility specification of OpenTelemetry, as collectors and Prometheus itself translate names;
 * the exporter for Prometheus leaves units out.
 */
export function prometheusName({ name, kind, unit }: Pick<Definition, 'name' | 'kind' | 'unit'>): string {
  const isTotal = kind === 'counter' || kind === 'observedCounter';
  const parts = [name.replaceAll('.', '_'), prometheusUnit({ kind, unit }), isTotal ? 'total' : undefined];
  return parts.filter(part => part !== undefined).join('_');
}

/** Returns the word of Prometheus for a unit; undefined when the name of the metric has none. */
export function prometheusUnit({ kind, unit }: Pick<Definition, 'kind' | 'unit'>): string | undefined {
  return unit === '1' && kind === 'gauge' ? 'ratio' : UNIT_WORDS[unit];
}
