import { metrics } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openTelemetry } from '../../../src/cli/local/telemetry.ts';
import { createInstruments } from '../../../src/service/telemetry/createInstruments.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startHttpService } from '../../helpers/httpService.ts';
import { capturedLog } from '../../helpers/observedService.ts';

/** Opens the telemetry of a process with these variables. */
async function open(variables: Readonly<Record<string, string>>) {
  // The exporter reads the environment of the process.
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const log = capturedLog();
  const telemetry = await openTelemetry(process.env, log.logger);
  return { telemetry, log, instruments: createInstruments(telemetry.meterProvider) };
}

describe('metrics', () => {
  test('are exported by OTLP with the variables of the standard, and the rest when the service stops', async () => {
    const collector = await startHttpService(() => ({ bytes: new Uint8Array() }));
    const { telemetry, instruments } = await open({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=ours',
      OTEL_METRIC_EXPORT_INTERVAL: '50',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    });
    instruments.add('streamsEnded', 1, { code: 1000 });
    await eventually(() => expect(collector.requests.length).toBeGreaterThan(1));
    instruments.add('deliveries', 1, { outcome: 'delivered' });
    await telemetry[Symbol.asyncDispose]();
    const { method, url, headers, body } = collector.requests.at(-1)!;
    expect([method, url, headers['x-tenant'], headers['content-type']]).toEqual([
      'POST',
      '/v1/metrics',
      'ours',
      'application/x-protobuf',
    ]);
    // Texts are as they are in a protobuf message, each behind its length.
    const message = body.toString('latin1');
    expect(message).toMatch(/service\.name.{4}rxscribe/s);
    expect(message).toMatch(/deployment\.environment\.name.{4}test/s);
    for (const name of ['rxscribe.streams.ended', 'rxscribe.deliveries']) expect(message).toContain(name);
  });

  test('are the same for all who read them at the same time', async () => {
    const { telemetry, instruments } = await open({});
    const stop = instruments.observe(['streams'], observe => observe('streams', 3, { state: 'running' }));
    const texts = await Promise.all([1, 2, 3].map(() => telemetry.metricsText()));
    for (const text of texts) expect(text).toContain('rxscribe_streams{state="running"} 3\n');
    stop();
    expect(await telemetry.metricsText()).not.toContain('rxscribe_streams{');
    await telemetry[Symbol.asyncDispose]();
  });

  test('have the name of the service that the operator chose', async () => {
    const { telemetry } = await open({ OTEL_SERVICE_NAME: 'captions-eu' });
    expect(await telemetry.metricsText()).toContain('service_name="captions-eu"');
    await telemetry[Symbol.asyncDispose]();
  });

  test.each([
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', ["must be 'http/protobuf', not 'grpc'"]],
    ['OTEL_METRICS_EXPORTER', 'none', []],
    ['OTEL_SDK_DISABLED', 'true', []],
  ])('are not exported with %s=%s, but there to be read', async (name, value, warnings) => {
    const collector = await startHttpService(() => ({}));
    const { telemetry, instruments, log } = await open({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      [name]: value,
    });
    instruments.add('streamsEnded', 2, { code: 1000 });
    expect(await telemetry.metricsText()).toContain('rxscribe_streams_ended_total{code="1000"} 2\n');
    await telemetry[Symbol.asyncDispose]();
    expect(collector.requests).toEqual([]);
    expect(log.lines().map(({ msg }) => msg)).toEqual(warnings.map(text => expect.stringContaining(text)));
  });

  test('that cannot be exported are reported, without the query of the address', async () => {
    const collector = await startHttpService(() => ({ status: 403, json: {} }));
    const { telemetry, instruments, log } = await open({
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${collector.url}/in?key=private-key`,
    });
    instruments.add('streamsEnded', 1, { code: 1000 });
    await telemetry[Symbol.asyncDispose]();
    expect(log.lines()).toContainEqual(
      expect.objectContaining({ level: 40, msg: expect.stringMatching(/^Metrics cannot be exported: /) }),
    );
    expect(log.text()).not.toContain('private-key');
  });

  test('go to the SDK of the operator too, which then exports alone', async () => {
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
    const own = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter })] });
    metrics.setGlobalMeterProvider(own);
    onTestFinished(() => metrics.disable());
    const collector = await startHttpService(() => ({}));
    const { telemetry, instruments } = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    expect(metrics.getMeterProvider()).toBe(own);
    instruments.add('streamsEnded', 1, { code: 4013 });
    await own.forceFlush();
    const names = exporter
      .getMetrics()
      .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(scope => scope.metrics))
      .map(({ descriptor }) => descriptor.name);
    expect(names).toEqual(['rxscribe.streams.ended']);
    expect(await telemetry.metricsText()).toContain('rxscribe_streams_ended_total{code="4013"} 1\n');
    await telemetry[Symbol.asyncDispose]();
    expect(collector.requests).toEqual([]);
  });
});
