// @module-tag tools

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { needsProgram } from '../../helpers/needs.ts';

const SAMPLES = new URL('../../../samples/deploy/', import.meta.url).pathname;

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}

const RULES: readonly Rule[] = parse(readFileSync(join(SAMPLES, 'alerts.yml'), 'utf8')).groups[0].rules;

interface Case {
  /** Series with one sample a minute, in the notation of promtool; looked at after 90 minutes. */
  readonly series: Readonly<Record<string, string>>;
  /** The same without a reason for an alert. */
  readonly quiet: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly summary: string;
}

/** Samples of a histogram in which a share of the observations is above 2 seconds. */
function delays(name: string, late: number, labels = ''): Readonly<Record<string, string>> {
  const [fast, all] = [100 - late, 100];
  return {
    [`${name}_bucket{le="0.5"${labels}}`]: `0+${fast}x120`,
    [`${name}_bucket{le="2"${labels}}`]: `0+${fast}x120`,
    [`${name}_bucket{le="5"${labels}}`]: `0+${all}x120`,
    [`${name}_bucket{le="+Inf"${labels}}`]: `0+${all}x120`,
  };
}

const FAILED = 'rxscribe_jobs_ended_total{type="async",outcome="failed",failure="transcription"}';
const REFUSED_MEDIA = 'rxscribe_jobs_ended_total{type="async",outcome="failed",failure="invalid_media"}';
const DONE = 'rxscribe_jobs_ended_total{type="async",outcome="done"}';
const REQUESTS = 'http_server_request_duration_seconds_count';
const CALLS = 'rxscribe_store_duration_seconds_count';

const CASES: Readonly<Record<string, Case>> = {
  RxscribeProcessDown: {
    series: { 'up{job="rxscribe",instance="api-1:9464"}': '0x120' },
    quiet: { 'up{job="rxscribe",instance="api-1:9464"}': '1x120' },
    labels: { job: 'rxscribe', instance: 'api-1:9464' },
    summary: 'Process api-1:9464 does not answer.',
  },
  RxscribeNoWorkers: {
    series: { 'rxscribe_members{role="api"}': '2x120', 'rxscribe_members{role="worker"}': '0x120' },
    quiet: { 'rxscribe_members{role="all"}': '1x120' },
    summary: 'No process runs jobs.',
  },
  RxscribeStreamsRefused: {
    series: { 'rxscribe_streams_ended_total{code="4013"}': '_x88 7 7 7' },
    quiet: { 'rxscribe_streams_ended_total{code="4013"}': '7x120' },
    summary: '7 streams were refused in 5 minutes, because none had room for them.',
  },
  RxscribeFewFreeStreams: {
    series: {
      'rxscribe_streams_free{instance="a"}': '1x120',
      'rxscribe_streams_free{instance="b"}': '0x120',
      'rxscribe_streams{instance="a",state="running"}': '9x120',
      'rxscribe_streams{instance="b",state="running"}': '10x120',
    },
    quiet: { rxscribe_streams_free: '2x120', 'rxscribe_streams{state="running"}': '10x120' },
    summary: 'Only 5% of the room for streams is free.',
  },
  RxscribeStreamsBehind: {
    series: { 'rxscribe_stream_lag_seconds{instance="a"}': '3.25x120' },
    quiet: { 'rxscribe_stream_lag_seconds{instance="a"}': '1.5x120' },
    labels: { instance: 'a' },
    summary: 'Streams of a are 3.2 s behind what is said.',
  },
  RxscribeFinalsLate: {
    series: delays('rxscribe_stream_final_delay_seconds', 10),
    quiet: delays('rxscribe_stream_final_delay_seconds', 1),
    summary: '5 % of the finals come more than 3.5 s after the words.',
  },
  RxscribeStreamsFail: {
    series: { 'rxscribe_streams_ended_total{code="1011"}': '_x80 1x9' },
    quiet: { 'rxscribe_streams_ended_total{code="1000"}': '0+9x120' },
    summary: '1 streams ended with an internal error in 15 minutes.',
  },
  RxscribeEngineSlow: {
    series: { 'rxscribe_engine_load_ratio{instance="a"}': '0.95x120' },
    quiet: { 'rxscribe_engine_load_ratio{instance="a"}': '0.3x120' },
    labels: { instance: 'a' },
    summary: 'The recogniser of a takes 0.95 s for 1 s of audio.',
  },
  RxscribeJobsWait: {
    series: {
      'rxscribe_jobs_waiting_age_seconds{lane="recordings",instance="a"}': '1800x120',
      'rxscribe_jobs_waiting_age_seconds{lane="recordings",instance="b"}': '1800x120',
    },
    quiet: { 'rxscribe_jobs_waiting_age_seconds{lane="recordings"}': '600x120' },
    labels: { lane: 'recordings' },
    summary: 'A job of lane recordings has waited for 30m 0s.',
  },
  RxscribeJobsFail: {
    series: { [FAILED]: '0+1x120', [DONE]: '0+9x120' },
    quiet: { [REFUSED_MEDIA]: '0+5x120', [DONE]: '0+5x120' },
    summary: '10% of the jobs fail in the service.',
  },
  RxscribeNotificationsGivenUp: {
    series: { 'rxscribe_deliveries_total{outcome="given_up"}': '_x60 3x60' },
    quiet: { 'rxscribe_deliveries_total{outcome="retried"}': '0+9x120' },
    summary: '3 notifications were given up in an hour, after 24 hours of attempts.',
  },
  RxscribeNotificationsWait: {
    series: {
      'rxscribe_deliveries_waiting{instance="a"}': '1200x120',
      'rxscribe_deliveries_waiting{instance="b"}': '1200x120',
    },
    quiet: {
      'rxscribe_deliveries_waiting{instance="a"}': '600x120',
      'rxscribe_deliveries_waiting{instance="b"}': '600x120',
    },
    summary: '1200 notifications wait.',
  },
  RxscribeStoreFails: {
    series: {
      [`${CALLS}{server="objects",outcome="error"}`]: '0+10x120',
      [`${CALLS}{server="objects",outcome="ok"}`]: '0+90x120',
      [`${CALLS}{server="database",outcome="ok"}`]: '0+900x120',
    },
    quiet: {
      [`${CALLS}{server="objects",outcome="error"}`]: '0+1x120',
      [`${CALLS}{server="objects",outcome="ok"}`]: '0+99x120',
    },
    labels: { server: 'objects' },
    summary: '10% of the calls to the objects server fail.',
  },
  RxscribeStoreSlow: {
    series: delays('rxscribe_store_duration_seconds', 10, ',server="database"'),
    quiet: delays('rxscribe_store_duration_seconds', 1, ',server="database"'),
    labels: { server: 'database' },
    summary: '5 % of the calls to the database server take more than 3.5 s.',
  },
  RxscribeDatabaseConnectionsShort: {
    series: { 'rxscribe_database_connections{state="waiting",instance="a"}': '4x120' },
    quiet: {
      'rxscribe_database_connections{state="waiting",instance="a"}': '0x120',
      'rxscribe_database_connections{state="used",instance="a"}': '9x120',
    },
    labels: { instance: 'a' },
    summary: '4 statements of a wait for a connection to the database.',
  },
  RxscribeRequestsFail: {
    series: {
      [`${REQUESTS}{http_response_status_code="503"}`]: '0+5x120',
      [`${REQUESTS}{http_response_status_code="200"}`]: '0+95x120',
    },
    quiet: {
      [`${REQUESTS}{http_response_status_code="404"}`]: '0+50x120',
      [`${REQUESTS}{http_response_status_code="200"}`]: '0+50x120',
    },
    summary: '5% of the requests are answered with 5xx.',
  },
};

/** A unit test of a rule, as promtool reads it; without an expected summary the rule must be silent. */
function unitTest(rule: Rule, series: Case['series'], { labels = {}, summary }: Partial<Case>): object {
  const { description } = rule.annotations;
  return {
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    alert_rule_test: [
      {
        eval_time: '90m',
        alertname: rule.alert,
        exp_alerts:
          summary === undefined
            ? []
            : [{ exp_labels: { ...rule.labels, ...labels }, exp_annotations: { summary, description } }],
      },
    ],
  };
}

describe('the alert rules', () => {
  test('have each a case below', () => {
    expect(Object.keys(CASES)).toEqual(RULES.map(({ alert }) => alert));
    for (const { labels } of RULES) expect(['critical', 'warning']).toContain(labels.severity);
  });

  test.for(RULES)('$alert fires when it should, and is silent otherwise', async (rule, context) => {
    needsProgram(context, 'promtool');
    const { series, quiet, ...expected } = CASES[rule.alert]!;
    const path = join(await temporaryDirectory(), 'rules.yml');
    writeFileSync(
      path,
      stringify({
        rule_files: [join(SAMPLES, 'alerts.yml')],
        evaluation_interval: '1m',
        tests: [unitTest(rule, series, expected), unitTest(rule, quiet, {})],
      }),
    );
    expect(run('promtool', 'test', 'rules', path)).toMatchObject({ code: 0 });
  });
});

/** Runs a program to its end. */
function run(program: string, ...args: string[]): { readonly code: number; readonly output: string } {
  try {
    return { code: 0, output: execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe' }) };
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
    return { code: status, output: stdout + stderr };
  }
}

describe('the configuration', () => {
  test('of Prometheus is accepted, with its rules', context => {
    needsProgram(context, 'promtool');
    expect(run('promtool', 'check', 'config', join(SAMPLES, 'prometheus.yml'))).toMatchObject({
      code: 0,
      output: expect.stringContaining(`SUCCESS: ${RULES.length} rules found`),
    });
  });

  test('of Alertmanager is accepted, and inhibits alerts that exist', context => {
    needsProgram(context, 'amtool');
    const path = join(SAMPLES, 'alertmanager.yml');
    expect(run('amtool', 'check-config', path)).toMatchObject({ code: 0 });
    const named = [...readFileSync(path, 'utf8').matchAll(/Rxscribe\w+/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(0);
    expect(RULES.map(({ alert }) => alert)).toEqual(expect.arrayContaining(named));
    const routed = run('amtool', 'config', 'routes', 'test', `--config.file=${path}`, 'severity=critical');
    expect(routed).toMatchObject({ code: 0, output: 'mail\n' });
  });
});
