import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';
import { logger } from '@beltway/kit/logger';
import { databases } from '../launcher/system.ts';
import { readKustomization, type Manifest } from './manifests.ts';
import { serviceVariables } from './service-variables.ts';

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, 'k8s', 'recipes');
const names = readdirSync(folder).toSorted();
const recipe = (name: string): Manifest[] => readKustomization(join(folder, name)).objects;
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const production = readKustomization(join(root, 'k8s', 'overlays', 'production'));
const services = Object.keys(serviceVariables);
const withDatabase = databases.map(({ name }) => name).filter((name) => services.includes(name));

const all = (objects: Manifest[], kind: string) => objects.filter((one) => one.kind === kind);
const get = (objects: Manifest[], kind: string, name: string) =>
  all(objects, kind).find(({ metadata }) => metadata.name === name)!.spec;
const mostPods = (name: string): number =>
  get(production.objects, 'HorizontalPodAutoscaler', name).maxReplicas as number;

/** Maximum connections that a pod opens: k8s/README.md. */
const connectionsOf = (name: string): number => (['media', 'realtime'].includes(name) ? 10 : 25);

test('each recipe is described, and pins its images', () => {
  const page = read('docs/operations/managed-engines.md');
  for (const name of names) {
    expect(page).toContain(`k8s/recipes/${name}`);
    const objects = recipe(name);
    expect(objects.length).toBeGreaterThan(0);
    const ours = services.map((service) => `beltway/${service}`);
    for (const [, image = ''] of JSON.stringify(objects).matchAll(/"image(?:Name)?":"([^"]+)"/g))
      if (!ours.includes(image)) expect(image).toMatch(/:v?\d+\.\d+/);
  }
});

test('pods in the services’ namespace follow the restricted rules; an outage of one node leaves pods on other nodes', () => {
  for (const name of ['redis', 'monitoring']) {
    for (const { kind, spec } of recipe(name)) {
      if (!['Deployment', 'StatefulSet'].includes(kind)) continue;
      const { securityContext, containers, automountServiceAccountToken: token } = spec.template.spec;
      expect(token).toBe(false);
      expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      for (const container of containers)
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      if (spec.replicas === 1) continue;
      const { app } = spec.template.metadata.labels;
      expect(get(recipe(name), 'PodDisruptionBudget', app)).toEqual({
        maxUnavailable: 1,
        selector: { matchLabels: { app } },
      });
    }
  }
});

describe('PostgreSQL in the cluster', () => {
  const objects = recipe('postgres');
  const cluster = get(objects, 'Cluster', 'postgres');

  test('has a database and a role for each service, and connections for the most pods', () => {
    const made = all(objects, 'Database').map(({ metadata, spec }) => [metadata.name, spec.name, spec.owner]);
    expect(made.toSorted()).toEqual(withDatabase.map((name) => [name, name, name]).toSorted());
    const roles = new Map(
      (cluster.managed.roles as Array<{ name: string; connectionLimit?: number }>).map((r) => [r.name, r]),
    );
    expect([...roles.keys()].toSorted()).toEqual([...withDatabase, 'watch'].toSorted());
    const needed = withDatabase.map((name) => (mostPods(name) + 1) * connectionsOf(name));
    withDatabase.forEach((name, at) =>
      expect(roles.get(name)!.connectionLimit, name).toBeGreaterThanOrEqual(needed[at]!),
    );
    const most = Number(cluster.postgresql.parameters.max_connections);
    expect(most).toBeGreaterThanOrEqual(needed.reduce((sum, one) => sum + one));
  });

  test('is archived, copied nightly, and can be restored from the archive under another name', () => {
    const [plugin] = cluster.plugins;
    expect(plugin).toMatchObject({ isWALArchiver: true, parameters: { barmanObjectName: 'postgres' } });
    expect(get(objects, 'ObjectStore', 'postgres').retentionPolicy).toBe('30d');
    const nightly = get(objects, 'ScheduledBackup', 'postgres');
    expect(nightly).toMatchObject({ method: 'plugin', pluginConfiguration: { name: plugin.name } });
    expect(nightly.schedule.split(' ')).toHaveLength(6);
    expect(recipe('postgres-restore')).toEqual(objects);
    const patch = read('k8s/recipes/postgres-restore/kustomization.yaml');
    for (const part of ['targetTime', 'serverName: postgres }', 'value: postgres-2']) expect(patch).toContain(part);
  });
});

test('Kafka in the cluster has the account, the port and the copies that the production overlay names', () => {
  const objects = recipe('kafka');
  const { kafka } = get(objects, 'Kafka', 'kafka');
  const common = production.configMaps.get('common')!;
  const [listener] = kafka.listeners;
  expect(listener).toMatchObject({ port: 9093, tls: true, authentication: { type: common['KAFKA_SASL'] } });
  const user = get(objects, 'KafkaUser', common['KAFKA_USERNAME']!);
  expect(user.authentication.password.valueFrom.secretKeyRef).toEqual({ name: 'kafka', key: 'KAFKA_PASSWORD' });
  expect(get(objects, 'KafkaNodePool', 'broker').replicas).toBe(Number(common['KAFKA_REPLICATION']));
  expect(kafka.config).toMatchObject({ 'auto.create.topics.enable': false, 'min.insync.replicas': 2 });
});

test('each engine in the cluster admits the pods that use it, and these pods may send to it', () => {
  for (const [engine, port] of [
    ['postgres', 5432],
    ['kafka', 9093],
    ['redis', 6379],
  ] as const) {
    const uses = { matchLabels: { [`beltway/uses-${engine}`]: 'true' } };
    const out = all(recipe(engine), 'NetworkPolicy').filter(
      ({ spec }) => JSON.stringify(spec.podSelector) === JSON.stringify(uses),
    );
    expect(out.map(({ spec }) => [spec.policyTypes, spec.egress[0].ports])).toEqual([[['Egress'], [{ port }]]]);
    expect(JSON.stringify(recipe(engine))).toContain(JSON.stringify({ podSelector: uses }));
  }
});

describe('monitoring', () => {
  const objects = recipe('monitoring');

  test('scrapes the metrics port of every service, under its name', () => {
    const { jobLabel, selector, podMetricsEndpoints } = get(objects, 'PodMonitor', 'beltway');
    expect(jobLabel).toBe('app');
    expect(selector.matchExpressions[0].values.toSorted()).toEqual(
      [...services, 'media-live', 'probe', 'engines'].toSorted(),
    );
    expect(podMetricsEndpoints[0].port).toBe('metrics');
  });

  test('has the same alerts as deploy/watch/alerts.yaml', async () => {
    const body = read('deploy/watch/alerts.yaml')
      .replace(/^#.*\n/gm, '')
      .replace(/^(?=.)/gm, '  ');
    const text = `# deploy/watch/alerts.yaml; \`npx vitest run --project unit scripts/deploy/recipes.test.ts -u\` updates it.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata: { name: beltway }
spec:
${body}`;
    await expect(text).toMatchFileSnapshot('../../k8s/recipes/monitoring/rules.yaml');
    expect(parse(text)).toMatchObject({ spec: parse(read('deploy/watch/alerts.yaml')) as object });
  });

  test('runs the probe and the engine watch with scripts of the image, and with the same variables as in Compose', () => {
    const compose = parse(read('docker-compose.yml'), { merge: true }) as {
      services: Record<string, { command: string[]; environment: Record<string, string> }>;
    };
    for (const name of ['probe', 'engines']) {
      const [container] = get(objects, 'Deployment', name).template.spec.containers;
      const { command, environment } = compose.services[name]!;
      expect([container.image, container.args]).toEqual(['beltway/gateway', command]);
      expect(existsSync(join(root, command[1]!))).toBe(true);
      const given = container.env.map((one: { name: string }) => one.name);
      // Not compared: disks, backups and the probe's event are specific to a server, and a region has a default.
      const here = /^(WATCH_|PROBE_EVENT|S3_REGION)/;
      expect(given).toEqual(expect.arrayContaining(Object.keys(environment).filter((key) => !here.test(key))));
    }
  });
});

test('logs are shipped with the fields that our log lines have', async () => {
  const lines: string[] = [];
  const log = logger('ticketing', 'info', { write: (line: string) => void lines.push(line) } as never);
  log.child({ requestId: 'abc' }).info('sold');
  const line = JSON.parse(lines[0]!) as Record<string, unknown>;
  const pipeline = parse(read('k8s/recipes/logs/pipeline.yaml')) as {
    parsers: Array<{ time_key: string; time_format: string }>;
    pipeline: { outputs: Array<{ labels: string; structured_metadata: string }> };
  };
  const [{ labels, structured_metadata: metadata }] = pipeline.pipeline.outputs as [never];
  const fields = [...`${labels},${metadata}`.matchAll(/\$(\w+)/g)].map(([, field]) => field!);
  expect(fields.toSorted()).toEqual(['level', 'name', 'requestId']);
  for (const field of [...fields, pipeline.parsers[0]!.time_key]) expect(Object.keys(line)).toContain(field);
  expect(line['time']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(pipeline.parsers[0]!.time_format).toBe('%Y-%m-%dT%H:%M:%S.%LZ');
});

describe('the quota of the namespace', () => {
  const UNITS: Record<string, number> = { '': 1, m: 0.001, Mi: 2 ** 20, Gi: 2 ** 30 };
  const amount = (text: string): number => {
    const [, value = '', unit = ''] = /^([\d.]+)(\D*)$/.exec(text)!;
    return Number(value) * UNITS[unit]!;
  };
  interface Resources {
    requests?: Record<string, string>;
    limits?: Record<string, string>;
  }
  const total: Record<string, number> = { pods: 0 };
  const add = (pods: number, containers: Array<{ resources: Resources }>) => {
    total['pods']! += pods;
    for (const { resources } of containers)
      for (const kind of ['requests', 'limits'] as const)
        for (const of of ['cpu', 'memory'])
          total[`${kind}.${of}`] = (total[`${kind}.${of}`] ?? 0) + pods * amount(resources[kind]![of]!);
  };

  test('is enough for the most pods, a rollout, migrations, repairs and the engines, and not for twice as much', () => {
    for (const { kind, metadata, spec } of production.objects) {
      if (kind === 'Deployment') add(mostPods(metadata.name) + 1, spec.template.spec.containers);
      if (kind === 'CronJob') add(1, spec.jobTemplate.spec.template.spec.containers);
    }
    for (const { kind, spec } of readKustomization(join(root, 'k8s/overlays/production/migrations')).objects)
      if (kind === 'Job') add(1, spec.template.spec.containers);
    for (const name of ['redis', 'monitoring'])
      for (const { kind, spec } of recipe(name))
        if (['Deployment', 'StatefulSet'].includes(kind)) add(spec.replicas + 1, spec.template.spec.containers);
    const { instances, resources } = get(recipe('postgres'), 'Cluster', 'postgres');
    add(instances + 1, [{ resources }]);
    for (const { spec } of all(recipe('kafka'), 'KafkaNodePool')) add(spec.replicas, [spec]);

    const { hard } = get(recipe('limits'), 'ResourceQuota', 'beltway');
    for (const [name, needed] of Object.entries(total)) {
      expect(amount(hard[name]), name).toBeGreaterThanOrEqual(needed);
      expect(amount(hard[name]), name).toBeLessThan(2 * needed);
    }
  });
});
