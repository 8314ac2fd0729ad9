import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { INSTRUMENTS, prometheusName } from '../../../src/service/telemetry/instruments.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { needsProgram } from '../../helpers/needs.ts';

const SAMPLES = new URL('../../../samples/deploy/', import.meta.url).pathname;
const read = (path: string) => readFileSync(join(SAMPLES, path), 'utf8');

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const panels: readonly Panel[] = JSON.parse(read('grafana/dashboard.json')).panels;
const shown = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const alerted: readonly string[] = parse(read('alerts.yml')).groups[0].rules.map(
  ({ expr }: { expr: string }) => expr,
);
const scaledBy: readonly string[] = readdirSync(join(SAMPLES, 'kubernetes'))
  .flatMap(name => parseAllDocuments(read(`kubernetes/${name}`)).map(document => document.toJS()))
  .filter(({ kind }) => kind === 'ScaledObject')
  .flatMap(({ spec }) =>
    spec.triggers.map((trigger: { metadata: { query: string } }) => trigger.metadata.query),
  );

/** The metrics as Prometheus names them, each with its labels. */
const metrics: ReadonlyMap<string, readonly string[]> = new Map(
  Object.values(INSTRUMENTS).flatMap(definition => {
    const labels = Object.keys(definition.attributes).map(attribute => attribute.replaceAll('.', '_'));
    const name = prometheusName(definition);
    return definition.kind === 'histogram'
      ? [
          [`${name}_bucket`, [...labels, 'le']],
          [`${name}_count`, labels],
          [`${name}_sum`, labels],
        ]
      : [[name, labels]];
  }),
);
/** Labels of Prometheus and of the cluster. */
const TARGET_LABELS = ['instance', 'job', 'namespace'];

/** The metrics of an expression, each with the labels that it is selected by. */
function selectorsOf(
  expr: string,
): readonly { readonly metric: string; readonly labels: readonly string[] }[] {
  return [...expr.matchAll(/\b((?:rxscribe|http_server)_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, metric, matchers = '']) => ({
      metric: metric!,
      labels: [...matchers.matchAll(/(\w+) ?(?:=~|!~|!=|=)/g)].map(([, label]) => label!),
    }),
  );
}

const groupsOf = (expr: string) =>
  [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels]) => labels!.split(', '));

describe.each([
  ['the dashboard', shown],
  ['the alert rules', alerted],
  ['the scaling', scaledBy],
])('%s', (_, expressions) => {
  test('reads metrics that exist, by labels that they have', () => {
    const selectors = expressions.flatMap(selectorsOf);
    expect(selectors.length).toBeGreaterThan(3);
    for (const { metric, labels } of selectors) {
      expect([...metrics.keys()]).toContain(metric);
      expect([...metrics.get(metric)!, ...TARGET_LABELS]).toEqual(expect.arrayContaining([...labels]));
    }
    for (const expr of expressions) {
      const known = selectorsOf(expr).flatMap(({ metric }) => metrics.get(metric)!);
      expect([...known, ...TARGET_LABELS]).toEqual(expect.arrayContaining(groupsOf(expr)));
    }
  });

  test('has expressions that Prometheus can read', { tags: 'tools' }, async context => {
    needsProgram(context, 'promtool');
    const path = join(await temporaryDirectory(), 'rules.yml');
    const rules = expressions.map((expr, index) => ({
      record: `expression:number${index}`,
      expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'),
    }));
    writeFileSync(path, stringify({ groups: [{ name: 'expressions', rules }] }));
    const output = execFileSync('promtool', ['check', 'rules', path], { encoding: 'utf8', stdio: 'pipe' });
    expect(output).toContain(`SUCCESS: ${rules.length} rules found`);
  });
});

describe('the dashboard', () => {
  test('shows every metric of the service', () => {
    const named = new Set(
      shown.flatMap(selectorsOf).map(({ metric }) => metric.replace(/_(bucket|count)$/, '')),
    );
    const all = Object.values(INSTRUMENTS).map(prometheusName);
    expect([...named].toSorted()).toEqual(all.toSorted());
  });

  test('has panels that lie beside each other, with a title and an id of their own', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => [x + (index % w), y + Math.floor(index / w)] as const),
    );
    expect(cells.every(([x]) => x < 24)).toBe(true);
    expect(new Set(cells.map(String)).size).toBe(cells.length);
    for (const { type, targets = [] } of panels) expect(targets.length > 0).toBe(type !== 'row');
  });
});
