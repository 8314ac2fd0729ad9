import { randomUUID } from 'node:crypto';
import { DiagLogLevel, diag, type MeterProvider as MeterProviderApi, metrics } from '@opentelemetry/api';
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type AggregationTemporalitySelector,
  DataPointType,
  type IMetricReader,
  InstrumentType,
  MeterProvider,
  type MetricData,
  MetricReader,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import type { FastifyBaseLogger } from 'fastify';
import packageJson from 'rxscribe/package.json' with { type: 'json' };
import { safeLogger } from '../../service/log/safeLogger.ts';
import { prometheusUnit } from '../../service/telemetry/instruments.ts';

/** The metrics of a service that runs by itself. */
export interface Telemetry extends AsyncDisposable {
  readonly meterProvider: MeterProviderApi;
  /** Returns the metrics in the text format of Prometheus. */
  metricsText(): Promise<string>;
}

/**
 * Sets up the metrics of a service: the text for Prometheus, and exports by OTLP when the standard environment variables
 * name a receiver. An SDK that the operator has registered stays, and then makes all exports itself.
 */
export async function openTelemetry(env: NodeJS.ProcessEnv, logger: FastifyBaseLogger): Promise<Telemetry> {
  const text = new TextReader();
  const readers: IMetricReader[] = [text];
  if (exportsByOtlp(env, logger) && !hasProvider()) {
    readers.push(await otlpReader(env));
    reportFaults(safeLogger(logger));
  }
  const provider = new MeterProvider({ resource: resource(), readers });
  const serializer = new PrometheusSerializer(undefined, false, undefined, false, true);
  const read = async () => {
    const { resourceMetrics } = await text.collect();
    const scopeMetrics = resourceMetrics.scopeMetrics.map(({ scope, metrics: found }) => ({
      scope,
      metrics: found.map(withUnitInName),
    }));
    return serializer.serialize({ ...resourceMetrics, scopeMetrics });
  };
  let reading: Promise<string> | undefined;
  return {
    meterProvider: provider,
    metricsText() {
      // One of two simultaneous reads would get no gauges.
      reading ??= read().finally(() => {
        reading = undefined;
      });
      return reading;
    },
    // A receiver that is gone must not keep a service from stopping.
    [Symbol.asyncDispose]: () => provider.shutdown({ timeoutMillis: SHUTDOWN_TIMEOUT_MS }).catch(() => {}),
  };
}

const SHUTDOWN_TIMEOUT_MS = 5000;

/** Reads metrics when they are asked for. */
class TextReader extends MetricReader {
  constructor() {
    super({ aggregationTemporalitySelector: currentGauges(() => AggregationTemporality.CUMULATIVE) });
  }

  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

/**
 * Returns the temporality of each kind of instrument. Gauges are delta, so that they have present values only: otherwise the
 * SDK repeats the last value of a gauge that is no longer reported, such as one of an unreachable database.
 */
function currentGauges(select: AggregationTemporalitySelector): AggregationTemporalitySelector {
  return type => (type === InstrumentType.OBSERVABLE_GAUGE ? AggregationTemporality.DELTA : select(type));
}

/** Returns a metric with its unit in its name, which the serializer leaves out. */
function withUnitInName(metric: MetricData): MetricData {
  const { descriptor, dataPointType } = metric;
  const kind = dataPointType === DataPointType.GAUGE ? 'gauge' : 'counter';
  const unit = prometheusUnit({ kind, unit: descriptor.unit });
  const name = unit === undefined ? descriptor.name : `${descriptor.name}_${unit}`;
  return { ...metric, descriptor: { ...descriptor, name, unit: unit ?? '' } };
}

/** Returns whether an SDK has registered a provider of metrics. */
function hasProvider(): boolean {
  const provider = new MeterProvider();
  const isFirst = metrics.setGlobalMeterProvider(provider);
  if (isFirst) metrics.disable();
  return !isFirst;
}

/** Returns the resource of the metrics: this service, with the attributes that the `OTEL_*` variables set. */
function resource(): Resource {
  return defaultResource()
    .merge(
      resourceFromAttributes({
        'service.name': 'rxscribe',
        'service.version': packageJson.version,
        'service.instance.id': randomUUID(),
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }));
}

/** Returns whether metrics are to be exported by OTLP. */
function exportsByOtlp(env: NodeJS.ProcessEnv, logger: FastifyBaseLogger): boolean {
  const endpoint = env.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const exporters = (env.OTEL_METRICS_EXPORTER || 'otlp').split(',').map(name => name.trim());
  if (!endpoint || env.OTEL_SDK_DISABLED === 'true' || !exporters.includes('otlp')) return false;
  const protocol = env.OTEL_EXPORTER_OTLP_METRICS_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL || PROTOCOL;
  if (protocol === PROTOCOL) return true;
  logger.warn(
    `Metrics are not exported: the protocol of OTLP must be '${PROTOCOL}', not '${protocol}'. ` +
      'Set OTEL_EXPORTER_OTLP_METRICS_PROTOCOL and OTEL_EXPORTER_OTLP_METRICS_ENDPOINT, or register an SDK of your own.',
  );
  return false;
}

const PROTOCOL = 'http/protobuf';

/** The exporter reads the other variables itself: headers, timeout, compression, certificates, temporality. */
async function otlpReader(env: NodeJS.ProcessEnv): Promise<IMetricReader> {
  const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-proto');
  const exporter = new OTLPMetricExporter();
  exporter.selectAggregationTemporality = currentGauges(exporter.selectAggregationTemporality.bind(exporter));
  const exportIntervalMillis = milliseconds(env.OTEL_METRIC_EXPORT_INTERVAL) ?? 60_000;
  const timeout = milliseconds(env.OTEL_METRIC_EXPORT_TIMEOUT) ?? 30_000;
  return new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis,
    exportTimeoutMillis: Math.min(timeout, exportIntervalMillis),
  });
}

/** Returns a number of milliseconds; undefined for anything else, which counts as not set. */
function milliseconds(text: string | undefined): number | undefined {
  const value = Number(text || Number.NaN);
  return Number.isInteger(value) && value > 0 ? value : undefined;
}

/** Logs exports that fail. */
function reportFaults(logger: FastifyBaseLogger): void {
  const warn = (message: string) => {
    // Figures that cannot be read are left out; their source logs the reason.
    if (!message.includes('collection errors')) {
      logger.warn(`Metrics cannot be exported: ${reasonIn(message)}.`);
    }
  };
  diag.setLogger(
    { error: warn, warn, info() {}, debug() {}, verbose() {} },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}

/** Returns the message of an error, which the SDK reports as JSON. */
function reasonIn(text: string): string {
  try {
    return String(JSON.parse(text).message);
  } catch {
    return text;
  }
}
