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

/** A case of alertCases.yaml. */
interface Case {
  readonly series: Readonly<Record<string, string>>;
  readonly quiet: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly summary: string;
}

const CASES: Readonly<Record<string, Case>> = parse(
  readFileSync(new URL('alertCases.yaml', import.meta.url), 'utf8'),
);

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
  test('have a case each', () => {
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
