import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { pino } from 'pino';
import { openTelemetry, type Telemetry } from '../../src/cli/local/telemetry.ts';
import type { Service } from '../../src/service/app.ts';
import { type LimitedServiceOptions, startLimitedService } from './limitedService.ts';
import { scriptedServiceOptions, TEST_TOKEN } from './testService.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read it as they expect it
type LogLine = Readonly<Record<string, any>>;

/** A log in memory. */
export function capturedLog() {
  const lines: string[] = [];
  const logger = pino({ level: 'trace' }, { write: line => void lines.push(line) });
  return {
    logger,
    text: () => lines.join(''),
    lines: (): readonly LogLine[] => lines.map(line => JSON.parse(line)),
  };
}

/** A service with its log, its metrics and its listener for operators. */
export interface ObservedService extends Service {
  readonly log: ReturnType<typeof capturedLog>;
  readonly telemetry: Telemetry;
  /** Returns the value of a sample, by its name and labels as in the text; undefined when there is none. */
  sample(name: string): Promise<number | undefined>;
}

/** Starts a service as `rxscribe serve` does, with jobs in memory unless asked otherwise. The caller closes it. */
export async function startObservedService(
  options: Partial<LimitedServiceOptions> = {},
): Promise<ObservedService> {
  const log = capturedLog();
  const telemetry = await openTelemetry({}, log.logger);
  const { meterProvider, metricsText } = telemetry;
  const service = await startLimitedService({
    ...scriptedServiceOptions(),
    ...{ adminPort: 0, token: TEST_TOKEN, allowPrivateAddresses: true },
    ...{ logger: log.logger, meterProvider, metricsText },
    ...options,
  });
  const close = async () => {
    await service.close();
    await telemetry[Symbol.asyncDispose]();
  };
  const sample = async (name: string) => {
    const line = (await telemetry.metricsText()).split('\n').find(each => each.startsWith(`${name} `));
    return line === undefined ? undefined : Number(line.slice(name.length + 1));
  };
  return { ...service, log, telemetry, sample, close, [Symbol.asyncDispose]: close };
}

/** Registers the SDK of an operator who collects traces. Call `stop()` after the tests. */
export function collectTraces() {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return {
    spans: () => exporter.getFinishedSpans(),
    stop() {
      trace.disable();
      context.disable();
      propagation.disable();
    },
  };
}
