import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { serveVariables } from '../../helpers/serveVariables.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;
const DIRECTORY = join(ROOT, 'samples/deploy/kubernetes');

// biome-ignore lint/suspicious/noExplicitAny: the types are checked by the compiler, below
type Resource = any;

const kustomization = parse(readFileSync(join(DIRECTORY, 'kustomization.yaml'), 'utf8'));
const files = readdirSync(DIRECTORY).filter(name => name !== 'kustomization.yaml');
const resources: readonly Resource[] = files.flatMap(name =>
  parseAllDocuments(readFileSync(join(DIRECTORY, name), 'utf8')).map(document => {
    expect(document.errors).toEqual([]);
    return document.toJS();
  }),
);

function ofKind(kind: string): readonly Resource[] {
  const found = resources.filter(resource => resource.kind === kind);
  expect(found.length).toBeGreaterThan(0);
  return found;
}

const podOf = (deployment: Resource) => deployment.spec.template.spec;
const containerOf = (deployment: Resource) => podOf(deployment).containers[0];

/** The deployments whose pods a selector finds. */
function selected(labels: Readonly<Record<string, string>>): readonly Resource[] {
  return ofKind('Deployment').filter(deployment =>
    Object.entries(labels).every(([name, value]) => deployment.spec.template.metadata.labels[name] === value),
  );
}

/** Returns the port of a pod that has a name. */
function portNamed(deployment: Resource, name: string): number | undefined {
  return containerOf(deployment).ports.find((port: Resource) => port.name === name)?.containerPort;
}

/** The kinds of the manifests, as the types of Kubernetes and of its extensions name them. */
const KINDS: Readonly<Record<string, string>> = {
  ConfigMap: 'core/v1',
  ServiceAccount: 'core/v1',
  Service: 'core/v1',
  Deployment: 'apps/v1',
  PodDisruptionBudget: 'policy/v1',
  NetworkPolicy: 'networking/v1',
  Ingress: 'networking/v1',
};

const EXTENSIONS = `
import type { ObjectMeta, LabelSelector } from 'kubernetes-types/meta/v1';
import type { HorizontalPodAutoscalerBehavior } from 'kubernetes-types/autoscaling/v2';
interface ScaledObject {
  apiVersion: 'keda.sh/v1alpha1'; kind: 'ScaledObject'; metadata: ObjectMeta;
  spec: {
    scaleTargetRef: { name: string }; minReplicaCount: number; maxReplicaCount: number; pollingInterval: number;
    fallback: { failureThreshold: number; replicas: number; behavior: 'static' | 'currentReplicas' | 'currentReplicasIfHigher' };
    advanced: { horizontalPodAutoscalerConfig: { behavior: HorizontalPodAutoscalerBehavior } };
    triggers: {
      type: 'prometheus'; metricType: 'AverageValue' | 'Value';
      metadata: { serverAddress: string; query: string; threshold: string; ignoreNullValues: 'true' | 'false' };
    }[];
  };
}
interface PodMonitor {
  apiVersion: 'monitoring.coreos.com/v1'; kind: 'PodMonitor'; metadata: ObjectMeta;
  spec: { jobLabel: string; selector: LabelSelector; podMetricsEndpoints: { port: string; interval: string }[] };
}
`;

describe('the manifests', () => {
  test('have the fields of their kinds, and no others', { timeout: 300_000 }, () => {
    // Below the package, so that the compiler finds the types.
    mkdirSync(join(ROOT, 'dist'), { recursive: true });
    const directory = mkdtempSync(join(ROOT, 'dist', 'manifests-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const imports = Object.entries(KINDS).map(
      ([kind, module]) => `import type { ${kind} } from 'kubernetes-types/${module}';`,
    );
    const values = resources.map(
      (resource, index) =>
        `export const r${index}: ${resource.kind} = ${JSON.stringify(resource, undefined, 1)};`,
    );
    writeFileSync(join(directory, 'manifests.ts'), [...imports, EXTENSIONS, ...values].join('\n'));
    writeFileSync(
      join(directory, 'tsconfig.json'),
      JSON.stringify({
        extends: '../../tsconfig.json',
        compilerOptions: {
          rootDir: '../..',
          noEmit: true,
          types: [],
          module: 'esnext',
          moduleResolution: 'bundler',
        },
        include: ['manifests.ts'],
        exclude: [],
      }),
    );
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    let output = '';
    try {
      execFileSync(process.execPath, [compiler, '-p', directory], { encoding: 'utf8', stdio: 'pipe' });
    } catch (error) {
      output = (error as { stdout: string }).stdout;
    }
    expect(output).toBe('');
  });

  test('are all named by the kustomization, and have names of their own', () => {
    const text = readFileSync(join(DIRECTORY, 'kustomization.yaml'), 'utf8');
    const named = [...text.matchAll(/^ {2}(?:# )?- (\w+\.yaml)$/gm)].map(([, name]) => name);
    expect(named.toSorted()).toEqual(files.toSorted());
    for (const name of kustomization.resources) expect(files).toContain(name);
    const names = resources.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
    for (const { metadata } of resources) expect(metadata.namespace).toBeUndefined();
  });

  test('have no secret in them', () => {
    expect(resources.map(({ kind }) => kind)).not.toContain('Secret');
    for (const { data } of ofKind('ConfigMap')) {
      expect(Object.keys(data).filter(name => /TOKEN|SECRET|PASSWORD|KEY|DATABASE/.test(name))).toEqual([]);
    }
  });
});

describe('what a manifest refers to', () => {
  test('is the pods of one deployment', () => {
    for (const deployment of ofKind('Deployment')) {
      const { name } = deployment.metadata;
      const names = (labels: Readonly<Record<string, string>>) =>
        selected(labels).map(({ metadata }) => metadata.name);
      expect(names(deployment.spec.selector.matchLabels)).toEqual([name]);
      expect(names(podOf(deployment).topologySpreadConstraints[0].labelSelector.matchLabels)).toEqual([name]);
      const budget = ofKind('PodDisruptionBudget').find(({ metadata }) => metadata.name === name);
      expect(names(budget.spec.selector.matchLabels)).toEqual([name]);
      const scaled = ofKind('ScaledObject').filter(({ spec }) => spec.scaleTargetRef.name === name);
      expect(scaled.length).toBe(1);
      expect(containerOf(deployment).env).toContainEqual({ name: 'RXSCRIBE_ROLE', value: name });
    }
    for (const { spec } of ofKind('PodMonitor')) expect(selected(spec.selector.matchLabels).length).toBe(2);
    for (const { spec } of ofKind('NetworkPolicy')) {
      expect(selected(spec.podSelector.matchLabels).length).toBeGreaterThan(0);
    }
  });

  test('is a port that exists', () => {
    const [service] = ofKind('Service');
    const [api] = selected(service.spec.selector);
    for (const { targetPort } of service.spec.ports) expect(portNamed(api, targetPort)).toBe(8080);
    for (const { spec } of ofKind('Ingress')) {
      for (const { path, backend } of spec.rules[0].http.paths) {
        expect([path, backend.service.name]).toEqual(['/', service.metadata.name]);
        expect(service.spec.ports.map((port: Resource) => port.name)).toContain(backend.service.port.name);
      }
      expect(spec.tls[0].hosts).toEqual([spec.rules[0].host]);
      expect(ofKind('ConfigMap')[0].data.RXSCRIBE_PUBLIC_URL).toBe(`https://${spec.rules[0].host}`);
    }
    for (const deployment of ofKind('Deployment')) {
      const { startupProbe, livenessProbe, readinessProbe } = containerOf(deployment);
      for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe]) {
        expect(portNamed(deployment, httpGet.port)).toBe(8080);
        expect(httpGet.path).toMatch(/^\/health\/(live|ready)$/);
      }
      const [{ data }] = ofKind('ConfigMap');
      expect(String(portNamed(deployment, 'metrics'))).toBe(data.RXSCRIBE_ADMIN_PORT);
    }
    for (const { spec } of ofKind('NetworkPolicy')) {
      for (const { port } of (spec.ingress ?? []).flatMap((rule: Resource) => rule.ports)) {
        for (const pod of selected(spec.podSelector.matchLabels)) {
          expect(portNamed(pod, port)).toBeDefined();
        }
      }
    }
    for (const { port } of ofKind('PodMonitor')[0].spec.podMetricsEndpoints) expect(port).toBe('metrics');
  });

  test('is a configuration, an account or a volume that exists, or the one secret', () => {
    for (const deployment of ofKind('Deployment')) {
      const { envFrom, volumeMounts, image } = containerOf(deployment);
      expect(envFrom).toEqual([
        { configMapRef: { name: ofKind('ConfigMap')[0].metadata.name } },
        { secretRef: { name: 'rxscribe' } },
      ]);
      expect(podOf(deployment).serviceAccountName).toBe(ofKind('ServiceAccount')[0].metadata.name);
      const volumes = podOf(deployment).volumes.map(({ name }: Resource) => name);
      expect(volumeMounts.map(({ name }: Resource) => name)).toEqual(volumes);
      expect(kustomization.images.map(({ name }: Resource) => name)).toContain(image);
    }
  });

  test('is an option of the service', () => {
    const [{ data }] = ofKind('ConfigMap');
    const named = [
      ...Object.keys(data),
      ...ofKind('Deployment').flatMap(deployment =>
        containerOf(deployment).env.map((each: Resource) => each.name),
      ),
    ].filter(name => name.startsWith('RXSCRIBE_'));
    expect(named.length).toBeGreaterThan(4);
    expect(serveVariables()).toEqual(expect.arrayContaining(named));
  });
});

describe('the pods', () => {
  test('have more time to end than the drain takes', () => {
    const [{ data }] = ofKind('ConfigMap');
    for (const deployment of ofKind('Deployment')) {
      const sleep = containerOf(deployment).lifecycle?.preStop.sleep.seconds ?? 0;
      const needed = sleep + Number(data.RXSCRIBE_DRAIN_SECONDS);
      // What is saved after the drain, and connections that do not answer.
      expect(podOf(deployment).terminationGracePeriodSeconds).toBeGreaterThanOrEqual(needed + 20);
    }
  });

  test('run without rights, on a file system that is read-only but for two volumes', () => {
    for (const deployment of ofKind('Deployment')) {
      expect(podOf(deployment)).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 1000,
          seccompProfile: { type: 'RuntimeDefault' },
        },
      });
      const { securityContext, resources: limits, volumeMounts } = containerOf(deployment);
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(limits.limits).toEqual(limits.requests);
      expect(volumeMounts.map(({ mountPath }: Resource) => mountPath)).toEqual(['/data', '/tmp']);
    }
  });

  test('are never all gone at once', () => {
    for (const { spec } of ofKind('Deployment')) {
      expect(spec.replicas).toBeGreaterThan(1);
      expect(spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    }
    for (const { spec } of ofKind('ScaledObject')) {
      expect(spec.minReplicaCount).toBeGreaterThan(1);
      expect(spec.fallback.replicas).toBeGreaterThanOrEqual(spec.minReplicaCount);
    }
  });
});
