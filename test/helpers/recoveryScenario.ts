import fc from 'fast-check';
import type { TranscribeOptions } from '../../src/client/stream/options.ts';
import type { ConnectionPlan, FaultPlan, FaultTrigger, PlannedFault } from './faultPlan.ts';

/** A source, what happens to its connections, and how a client is to deal with it. */
export interface RecoveryScenario {
  /** Hz; 100 ms are a whole number of frames at each, as are the hundredths of their time grids. */
  readonly sampleRate: number;
  /** Interleaved; the service hears their mean. */
  readonly channels: 1 | 2;
  /** A word or silence for each 100 ms. */
  readonly levels: readonly number[];
  /** Frames of one block after the other, over and over. */
  readonly blockFrames: readonly number[];
  /** Speed of the source, in seconds of audio per second. */
  readonly speed: number;
  /** The source stands still for a while before the audio of a 100 ms. */
  readonly pauses: readonly { readonly beforeLevel: number; readonly ms: number }[];
  /** Levels that nobody hears, because the source is paused there: never the last ones. */
  readonly mutes: readonly Mute[];
  /** Behaviour of positions meanwhile. */
  readonly muteClock: 'run' | 'stop';
  /** The source waits at a gate. */
  readonly waits: boolean;
  /** Faults on the way to each address of the service, the first address first. */
  readonly plans: readonly FaultPlan[];
  readonly options: Partial<TranscribeOptions>;
  /** Seed of the client's random choices. */
  readonly seed: number;
}

/** Speech at real time without a fault, in blocks of 10 ms. */
export const PLAIN_SCENARIO: Omit<RecoveryScenario, 'levels'> = {
  sampleRate: 16_000,
  channels: 1,
  blockFrames: [160],
  speed: 1,
  pauses: [],
  mutes: [],
  muteClock: 'run',
  waits: false,
  plans: [],
  options: {},
  seed: 1,
};

export interface Mute {
  readonly fromLevel: number;
  /** The first that is heard again. */
  readonly toLevel: number;
}

/** The resampler rings after loud audio: below this, less than half a level into the silence behind it. */
const MAX_LEVEL = 250;

/** Words and pauses between utterances of 300 ms and more, with shorter ones inside. */
const levels: fc.Arbitrary<readonly number[]> = fc.oneof(
  { weight: 4, arbitrary: speech(12, 5) },
  // Longer than the longest segment that can be asked for.
  { weight: 1, arbitrary: speech(90, 2) },
);

function speech(maxWords: number, maxUtterances: number): fc.Arbitrary<readonly number[]> {
  // Of few levels the words repeat, of many each loss has a name.
  const level = (most: number) => fc.integer({ min: 1, max: most });
  const words = fc.constantFrom(2, MAX_LEVEL).chain(most =>
    fc.array(fc.oneof({ weight: 6, arbitrary: level(most) }, { weight: 1, arbitrary: fc.constant(0) }), {
      minLength: 1,
      maxLength: maxWords,
    }),
  );
  const pause = fc.integer({ min: 3, max: 12 }).map(length => new Array<number>(length).fill(0));
  return fc
    .array(fc.tuple(words, pause), { minLength: 1, maxLength: maxUtterances })
    .map(utterances => utterances.flat(2));
}

/** Speech outside of the range that is heard. */
const MUTED_LEVEL = 99;

interface Insertion {
  readonly beforeLevel: number;
  readonly count: number;
}

const insertions: fc.Arbitrary<readonly Insertion[]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  {
    weight: 1,
    arbitrary: fc.array(
      fc.record({
        beforeLevel: fc.oneof(fc.constant(0), fc.nat(40)),
        count: fc.oneof(
          { weight: 5, arbitrary: fc.integer({ min: 1, max: 40 }) },
          { weight: 2, arbitrary: fc.integer({ min: 220, max: 400 }) },
        ),
      }),
      { minLength: 1, maxLength: 2 },
    ),
  },
);

/** Levels, and others put between them that nobody hears. */
const mutedLevels: fc.Arbitrary<Pick<RecoveryScenario, 'levels' | 'mutes'>> = fc
  .tuple(levels, insertions)
  .map(([heard, list]) => {
    const all: number[] = [];
    const mutes: Mute[] = [];
    let from = 0;
    for (const { beforeLevel, count } of list.toSorted((a, b) => a.beforeLevel - b.beforeLevel)) {
      const place = Math.min(beforeLevel, heard.length - 1);
      all.push(...heard.slice(from, place));
      mutes.push({ fromLevel: all.length, toLevel: all.length + count });
      all.push(...new Array<number>(count).fill(MUTED_LEVEL));
      from = place;
    }
    return { levels: [...all, ...heard.slice(from)], mutes };
  });

/** Audio of a second has 16 to 96 kB, a final some 200 bytes and up. */
const trigger: fc.Arbitrary<FaultTrigger> = fc.oneof(
  { weight: 3, arbitrary: fc.nat(80_000).map(bytesUp => ({ bytesUp })) },
  { weight: 1, arbitrary: fc.nat(400_000).map(bytesUp => ({ bytesUp })) },
  { weight: 1, arbitrary: fc.nat(3000).map(bytesUp => ({ bytesUp })) },
  { weight: 2, arbitrary: fc.nat(4000).map(bytesDown => ({ bytesDown })) },
  { weight: 2, arbitrary: fc.nat(16).map(messagesDown => ({ messagesDown })) },
);

const plannedFault: fc.Arbitrary<PlannedFault> = fc
  .tuple(
    fc.oneof<fc.Arbitrary<PlannedFault>[]>(
      fc.constantFrom({ kind: 'cut' }, { kind: 'end' }),
      fc.constantFrom({ kind: 'cut' }, { kind: 'truncate' }),
      fc.constantFrom({ kind: 'halfOpen' }, { kind: 'swallowUp' }, { kind: 'swallowDown' }),
      fc.integer({ min: 1, max: 300 }).map(ms => ({ kind: 'delay', ms })),
      fc.record({
        kind: fc.constantFrom('stallUp' as const, 'stallDown' as const),
        ms: fc.integer({ min: 100, max: 40_000 }),
      }),
      fc.integer({ min: 8000, max: 400_000 }).map(bytesPerSecond => ({ kind: 'throttle', bytesPerSecond })),
      // Going away and restarting, of the registry of RFC 6455; the others are of the interface.
      fc.constantFrom(1001, 1012, 4010, 4013).map(code => ({ kind: 'closeCode', code })),
    ),
    fc.option(trigger, { nil: undefined, freq: 12 }),
  )
  .map(([fault, after]) => ({ ...fault, ...(after && { after }) }));

const connectionPlan: fc.Arbitrary<ConnectionPlan> = fc.oneof(
  { weight: 8, arbitrary: fc.array(plannedFault, { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'refuse' as const }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(500, 502, 503).map(status => ({ kind: 'httpStatus' as const, status })),
  },
);

const faultPlan: fc.Arbitrary<FaultPlan> = fc.array(connectionPlan, { minLength: 1, maxLength: 6 });

/** Timeouts that a stream of some seconds meets, short waits, and no limit of an outage. */
const options: fc.Arbitrary<Partial<TranscribeOptions>> = fc.record(
  {
    skipPostprocessing: fc.constant(true),
    resume: fc
      .constantFrom(1, 50, 400)
      .map(baseDelayMs => ({ baseDelayMs, maxDelayMs: 2 * baseDelayMs, firstConnectionSeconds: 7200 })),
    pingIntervalMs: fc.constantFrom(50, 300, 2000),
    // The longest are more than the service waits for audio.
    pongTimeoutMs: fc.constantFrom(400, 1500, 20_000),
    connectTimeoutMs: fc.constant(2000),
    readyTimeoutMs: fc.constant(2000),
    finalTimeoutMs: fc.constantFrom(2000, 20_000),
    maxSegmentDurationSeconds: fc.constantFrom(5, 7, 30),
    startTs: fc.constantFrom(0, 12.34, 4000),
    catchUp: fc.constantFrom({ speed: 2, burstSeconds: 0.5 }, { speed: 8, burstSeconds: 1 }),
    memorySeconds: fc.constantFrom(0.5, 60),
    // More than any scenario has that is heard, and less than some have that is not.
    maxBufferedSeconds: fc.constant(21),
    overflow: fc.constantFrom('fail' as const, 'dropOldest' as const),
    sessionSeconds: fc.constantFrom(0.7, 2.5, 10_000),
    idle: fc.constantFrom('keepAlive' as const, 'close' as const),
  },
  {
    requiredKeys: [
      ...(['skipPostprocessing', 'resume', 'pingIntervalMs', 'pongTimeoutMs'] as const),
      ...(['connectTimeoutMs', 'readyTimeoutMs', 'finalTimeoutMs'] as const),
    ],
  },
);

const rest = fc.record({
  sampleRate: fc.oneof(
    { weight: 2, arbitrary: fc.constant(16_000) },
    { weight: 1, arbitrary: fc.constantFrom(8000, 22_050, 32_000, 44_100, 48_000) },
  ),
  channels: fc.constantFrom(1, 1, 2),
  muteClock: fc.constantFrom('run', 'stop'),
  waits: fc.boolean(),
  blockFrames: fc.array(fc.oneof(fc.integer({ min: 100, max: 9000 }), fc.integer({ min: 100, max: 800 })), {
    minLength: 1,
    maxLength: 4,
  }),
  speed: fc.constantFrom(1, 1, 4, 16, Number.POSITIVE_INFINITY),
  pauses: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    {
      weight: 1,
      arbitrary: fc.array(fc.record({ beforeLevel: fc.nat(40), ms: fc.integer({ min: 100, max: 20_000 }) }), {
        minLength: 1,
        maxLength: 1,
      }),
    },
  ),
  plans: fc.array(faultPlan, { minLength: 1, maxLength: 3 }),
  options,
  seed: fc.nat(),
});

export const recoveryScenario: fc.Arbitrary<RecoveryScenario> = fc
  .tuple(mutedLevels, rest)
  .map(([speech, others]) => ({ ...speech, ...others }));
