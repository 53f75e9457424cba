import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express from 'express';
import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';
import { healthRoutes } from '@beltway/kit/health';
import { STOP_MS } from '@beltway/kit/serve';
import { nodeFlags } from '../launcher/node-flags.ts';
import { readKustomization, variablesOf, withComponent, type Manifest } from './manifests.ts';
import { compare, serviceVariables } from './service-variables.ts';

const root = join(import.meta.dirname, '..', '..');
const k8s = join(root, 'k8s');

const services = Object.keys(serviceVariables).sort();

/** What Secrets may hold: each must pass the service's own check. */
const SECRET_VALUES: Record<string, string> = {
  DATABASE_URL: 'postgres://name:password@postgres:5432/name',
  REDIS_URL: 'redis://:password@redis:6379',
  SMTP_URL: 'smtp://name:password@smtp:587',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20x',
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_12345678',
  STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_12345678',
  VAPID_PRIVATE_KEY: 'ab'.repeat(32),
};
const secretValue = (name: string) => SECRET_VALUES[name] ?? 'x'.repeat(32);

/** Variables whose value is a secret. */
const IS_SECRET = /TOKEN|SECRET|PASSWORD|_KEY$|_HEADERS$|^(DATABASE|REDIS|SMTP)_URL$/;
/** Secrets that several services hold. */
const SHARED_SECRETS = ['internal', 'redis', 'smtp', 'kafka', 'collector'];
/** The engine behind a variable, and how its port is called in policies and labels. */
const ENGINES = {
  DATABASE_URL: 'postgres',
  KAFKA_BROKERS: 'kafka',
  REDIS_URL: 'redis',
  SMTP_URL: 'smtp',
  S3_URL: 's3',
};

interface Policy {
  podSelector: { matchLabels?: Record<string, string> };
  policyTypes: string[];
  ingress?: Array<{ from?: Array<Peer>; ports: Array<{ port: number }> }>;
  egress?: Array<{ to: Array<Peer>; ports: Array<{ port: number }> }>;
}
interface Peer {
  podSelector?: { matchLabels: Record<string, string> };
}

/** What is wrong with the variables of a service. */
function faults(service: string, environment: Record<string, string>) {
  const { missing, unknown, refused } = compare(service, environment);
  return { missing, unknown, refused };
}

test('variables that are missing, unknown or refused are found', () => {
  const { missing, unknown, refused } = faults('media', { SERVICE_PORT: 'x', COLOR: 'red' });
  expect(missing).toContain('DATABASE_URL');
  expect(unknown).toEqual(['COLOR']);
  expect(refused.join()).toContain('SERVICE_PORT');
});

test('there are manifests for every service, and no others', () => {
  expect(services).toEqual(readdirSync(join(root, 'services')).sort());
});

describe.each(['dev', 'production'])('overlay %s', (overlay) => {
  const folder = join(k8s, 'overlays', overlay);
  const { objects, configMaps } = readKustomization(folder);
  const migrating = readKustomization(join(folder, 'migrations')).objects;
  const migrations = migrating.filter(({ kind }) => kind === 'Job');
  const all = (kind: string) => objects.filter((one) => one.kind === kind);
  const get = (kind: string, name: string): Manifest => {
    const found = all(kind).filter(({ metadata }) => metadata.name === name);
    expect(
      found.map(({ metadata }) => metadata.name),
      `${kind} ${name}`,
    ).toEqual([name]);
    return found[0]!;
  };
  const podOf = (name: string) => get('Deployment', name).spec.template;
  const containerOf = (name: string) => podOf(name).spec.containers[0];
  const variables = new Map(services.map((name) => [name, variablesOf(containerOf(name), configMaps)]));
  const valueOf = (name: string, variable: string): string | undefined => {
    const found = variables.get(name)!.get(variable);
    return found && ('value' in found ? found.value : secretValue(variable));
  };
  const listening = (name: string) => Number(valueOf(name, name === 'gateway' ? 'PORT' : 'SERVICE_PORT'));
  /** Services that this one calls, by its variables. */
  const calls = (name: string) =>
    services.filter(
      (other) =>
        // Every service has the address of identity, itself too; ticketing forwards commands to its other pods.
        (other !== name || name === 'ticketing') && valueOf(name, `${other.toUpperCase()}_URL`) !== undefined,
    );
  const calledBy = (name: string) => services.filter((other) => calls(other).includes(name));
  const policy = (name: string) => get('NetworkPolicy', name).spec as Policy;
  const apps = (peers: Peer[] = []) => peers.map(({ podSelector }) => podSelector?.matchLabels['app']).sort();

  describe.each(services)('%s', (name) => {
    test('gets each variable that it reads, each right, and no other', () => {
      const env = Object.fromEntries([...variables.get(name)!.keys()].map((key) => [key, valueOf(name, key)!]));
      expect(faults(name, env)).toEqual({ missing: [], unknown: [], refused: [] });
    });

    test('gets secrets from Secrets, and only its own', () => {
      for (const [variable, from] of variables.get(name)!) {
        expect('secret' in from, `${variable} comes from a Secret`).toBe(IS_SECRET.test(variable));
        if ('secret' in from) expect([name, ...SHARED_SECRETS]).toContain(from.secret);
      }
    });

    test('is reached, and asked for its health, where it listens', async () => {
      const port = listening(name);
      expect(containerOf(name).ports[0]).toEqual({ name: 'http', containerPort: port });
      const { clusterIP, publishNotReadyAddresses, selector, ports } = get('Service', name).spec;
      expect({ selector, ports }).toMatchObject({ selector: { app: name }, ports: [{ targetPort: 'http' }] });
      // A headless Service moves no port. Only the gateway is reached by who does not ask DNS again and again.
      const isFound = calledBy(name).length > 0;
      expect({ clusterIP, publishNotReadyAddresses }).toEqual(
        isFound ? { clusterIP: 'None', publishNotReadyAddresses: true } : {},
      );
      if (isFound) expect(ports).toMatchObject([{ port }]);

      // The paths that every service answers, the gateway too.
      const server = createServer(express().use(healthRoutes({}, name))).listen(0, '127.0.0.1');
      await once(server, 'listening');
      try {
        const { startupProbe, livenessProbe, readinessProbe } = containerOf(name);
        for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe]) {
          expect(httpGet.port).toBe('http');
          const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${httpGet.path}`;
          expect((await fetch(url)).status, httpGet.path).toBe(200);
        }
        expect(readinessProbe.httpGet.path).toMatch(/ready$/);
        expect(livenessProbe.httpGet.path, 'a service whose database is away is not killed').toMatch(/live$/);
      } finally {
        server.close();
      }
    });

    test('shows its metrics to the namespace of Prometheus, on a port that no Service leads to', () => {
      const port = Number(valueOf(name, 'METRICS_PORT'));
      expect(containerOf(name).ports).toEqual([
        { name: 'http', containerPort: listening(name) },
        { name: 'metrics', containerPort: port },
      ]);
      expect(port).not.toBe(listening(name));
      expect(podOf(name).metadata.annotations).toMatchObject({
        'prometheus.io/scrape': 'true',
        'prometheus.io/port': String(port),
      });
      const leadThere = all('Service').filter(({ spec }) => JSON.stringify(spec.ports).includes(String(port)));
      expect(leadThere).toEqual([]);
      const { podSelector, ingress } = get('NetworkPolicy', 'metrics').spec;
      expect(podSelector.matchExpressions[0].values).toContain(name);
      expect(ingress).toEqual([
        {
          from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
          ports: [{ port }],
        },
      ]);
    });

    test('finds the others at their Services, and is let through to them alone', () => {
      for (const other of calls(name)) {
        const { hostname, port } = new URL(valueOf(name, `${other.toUpperCase()}_URL`)!);
        expect({ hostname, port: Number(port) }).toEqual({
          hostname: other,
          port: get('Service', other).spec.ports[0].port,
        });
      }
      const { podSelector, policyTypes, egress = [], ingress = [] } = policy(name);
      expect(podSelector).toEqual({ matchLabels: { app: name } });
      expect(policyTypes).toEqual([
        ...(ingress.length > 0 ? ['Ingress'] : []),
        ...(egress.length > 0 ? ['Egress'] : []),
      ]);
      expect(apps(egress.flatMap(({ to }) => to))).toEqual(calls(name));
      for (const { ports } of egress)
        expect(calls(name).map((other) => ports.some(({ port }) => port === listening(other)))).not.toContain(false);
      expect(apps(ingress.flatMap(({ from = [{}] }) => from))).toEqual(calledBy(name));
      for (const { ports } of ingress) expect(ports).toEqual([{ port: listening(name) }]);
    });

    test('reaches the engines that its variables name, and no other', () => {
      const { labels } = podOf(name).metadata;
      const used = Object.entries(ENGINES).filter(([variable]) => variables.get(name)!.has(variable));
      const says = Object.keys(labels).filter((label) => /uses-(?!internet)/.test(label));
      expect(says.sort()).toEqual(used.map(([, engine]) => `beltway/uses-${engine}`).sort());
    });

    test('may take as long to stop as it does, and is killed by no limit of memory before its heap is full', () => {
      const { terminationGracePeriodSeconds: grace } = podOf(name).spec;
      const before = containerOf(name).lifecycle?.preStop.sleep.seconds ?? 0;
      const lameDuck = Number(valueOf(name, 'LAME_DUCK_MS'));
      expect(lameDuck, 'until it is out of the endpoints').toBeGreaterThanOrEqual(3_000);
      expect(grace * 1_000).toBeGreaterThan(before * 1_000 + lameDuck + STOP_MS);
      // A port that is shared is left at once (`serve`).
      if (valueOf(name, 'SHARE_PORT') === '1') expect(before).toBeGreaterThanOrEqual(3);

      const flag = (key: string) => {
        const given = nodeFlags(name).findLast((one) => one.startsWith(`--${key}=`))!;
        return Number(given.slice(given.indexOf('=') + 1));
      };
      const heapMi = flag('max-old-space-size') + 3 * flag('max-semi-space-size');
      expect(parseInt(containerOf(name).resources.limits.memory)).toBeGreaterThan(heapMi + 64);
    });

    test('has what keeps it up: a budget for disruptions, a spread, one owner of its number of pods', () => {
      expect(get('PodDisruptionBudget', name).spec).toEqual({
        maxUnavailable: 1,
        selector: { matchLabels: { app: name } },
      });
      expect(podOf(name).spec.topologySpreadConstraints).toHaveLength(2);
      get('ServiceAccount', name);
      const scaled = all('HorizontalPodAutoscaler').filter(({ spec }) => spec.scaleTargetRef.name === name);
      expect(scaled).toHaveLength(get('Deployment', name).spec.replicas === undefined ? 1 : 0);
    });
  });

  test('every pod is held to the restricted rules', () => {
    const pods = [...objects, ...migrations].filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job'].includes(kind));
    expect(pods.length).toBeGreaterThan(services.length);
    for (const { spec } of pods) {
      const { securityContext, containers, volumes, hostNetwork, automountServiceAccountToken } = spec.template.spec;
      expect({ hostNetwork, automountServiceAccountToken }).toEqual({ automountServiceAccountToken: false });
      expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      expect(JSON.stringify(volumes)).not.toContain('hostPath');
      expect(containers).toHaveLength(1);
      expect(containers[0].securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      });
      expect(Object.keys(containers[0].resources.limits).sort()).toEqual(['cpu', 'ephemeral-storage', 'memory']);
    }
    expect(get('Namespace', 'beltway').metadata.labels).toMatchObject({
      'pod-security.kubernetes.io/enforce': 'restricted',
    });
  });

  test('what no policy allows is denied, and every label for an engine has its policy', () => {
    expect(policy('default-deny')).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
    const out = all('NetworkPolicy').flatMap(({ spec }) => ((spec as Policy).egress ? [spec as Policy] : []));
    for (const engine of [...Object.values(ENGINES), 'internet'])
      expect(
        out.filter(({ podSelector }) => podSelector.matchLabels?.[`beltway/uses-${engine}`] === 'true'),
      ).toHaveLength(1);
  });

  test('the first migrations of all run under the policies too', () => {
    const policies = (of: Manifest[]) =>
      of.filter(({ kind }) => kind === 'NetworkPolicy').map(({ metadata }) => metadata.name);
    expect(policies(migrating).sort()).toEqual(
      policies(objects)
        .filter((name) => !services.includes(name))
        .sort(),
    );
  });

  test('each database is migrated by its service’s image, as its own role', () => {
    const withDatabase = services.filter((name) => 'DATABASE_URL' in serviceVariables[name]!);
    expect(migrations.map(({ metadata }) => metadata.name).sort()).toEqual(
      withDatabase.map((name) => `migrate-${name}`),
    );
    for (const name of withDatabase) {
      const { metadata, spec } = migrations.find((job) => job.metadata.name === `migrate-${name}`)!.spec.template;
      const { image, args } = spec.containers[0];
      expect({ image, args }).toEqual({ image: containerOf(name).image, args: ['migrate'] });
      expect(metadata.labels['beltway/uses-postgres']).toBe('true');
      expect([...variablesOf(spec.containers[0], configMaps)]).toEqual([
        ['DATABASE_URL', variables.get(name)!.get('DATABASE_URL')],
      ]);
    }
  });

  test('one file says which images run', () => {
    const { images } = parse(readFileSync(join(folder, 'images', 'kustomization.yaml'), 'utf8')) as {
      images: Array<{ name: string; newTag: string }>;
    };
    expect(images.map(({ name }) => name).sort()).toEqual(services.map((name) => containerOf(name).image));
    expect(new Set(images.map(({ newTag }) => newTag)).size).toBe(1);
    for (const part of ['.', 'migrations']) {
      const text = readFileSync(join(folder, part, 'kustomization.yaml'), 'utf8');
      const { components, patches = [] } = parse(text) as { components: string[]; patches?: Array<{ patch: string }> };
      expect(components).toEqual([part === '.' ? 'images' : '../images']);
      for (const { patch } of patches) expect(patch).toMatch(/^- \{.*imagePullPolicy.*\}$/);
    }
  });
});

describe.each(['dev', 'production'])('overlay %s with live streams', (overlay) => {
  const plain = readKustomization(join(k8s, 'overlays', overlay));
  const { objects, configMaps } = withComponent(plain, join(k8s, 'components', 'live'));
  const get = (kind: string, name: string) =>
    objects.find((one) => one.kind === kind && one.metadata.name === name)!.spec;
  const deployment = get('Deployment', 'media-live');
  const { metadata, spec: pod } = deployment.template;
  const [container] = pod.containers;
  const variables = variablesOf(container, configMaps);
  const valueOf = (name: string): string => {
    const found = variables.get(name)!;
    return 'value' in found ? found.value : secretValue(name);
  };

  test('media takes them in with every variable it reads, each right, and those of the other pods beside', () => {
    const env = Object.fromEntries([...variables.keys()].map((key) => [key, valueOf(key)]));
    expect(faults('media', env)).toEqual({ missing: [], unknown: [], refused: [] });
    const others = variablesOf(get('Deployment', 'media').template.spec.containers[0], plain.configMaps);
    const differ = [...variables].filter(([key, value]) => JSON.stringify(others.get(key)) !== JSON.stringify(value));
    expect(differ.map(([key]) => key).sort()).toEqual(['DATA_DIR', 'INGEST_ADDRESS']);
    expect(container.image).toBe('beltway/media');
  });

  test('one pod has the port and the volume, is held to the restricted rules and is not started twice', () => {
    expect([deployment.replicas, deployment.strategy.type]).toEqual([1, 'Recreate']);
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container.volumeMounts).toContainEqual({ name: 'streams', mountPath: valueOf('DATA_DIR') });
    expect(pod.volumes).toContainEqual({ name: 'streams', persistentVolumeClaim: { claimName: 'streams' } });
    // Two of the longest recordings beside what stays free (services/media/src/ingest/ingest.ts).
    expect(parseInt(get('PersistentVolumeClaim', 'streams').resources.requests.storage)).toBeGreaterThanOrEqual(40);
  });

  test('encoders reach RTMP alone, the gateway segments alone, and nobody finds it among the other pods of media', () => {
    const rtmp = get('Service', 'rtmp');
    const port = Number(valueOf('INGEST_ADDRESS').split(':')[1]);
    expect(rtmp).toMatchObject({ selector: { app: metadata.labels.app }, ports: [{ port }] });
    expect(container.ports).toContainEqual({ name: rtmp.ports[0].targetPort, containerPort: port });
    expect(metadata.labels.app).not.toBe('media');
    const live = new URL(configMaps.get('gateway')!['LIVE_URL']!);
    expect([live.hostname, Number(live.port)]).toEqual(['media-live', Number(valueOf('SERVICE_PORT'))]);
    expect(get('Service', live.hostname).selector).toEqual({ app: metadata.labels.app });
    const { ingress } = get('NetworkPolicy', 'media-live') as Policy;
    const open = ingress!.filter(({ from }) => from === undefined);
    expect(open).toEqual([{ ports: [{ port }] }]);
    expect(ingress).toContainEqual({
      from: [{ podSelector: { matchLabels: { app: 'gateway' } } }],
      ports: [{ port: Number(live.port) }],
    });
    // It calls whom the other pods of media call, and they let it in.
    const called = ['media', 'media-live'].map((name) =>
      (get('NetworkPolicy', name) as Policy).egress!.flatMap(({ to }) =>
        to.map(({ podSelector }) => podSelector?.matchLabels['app']),
      ),
    );
    expect(called[1]!.sort()).toEqual(called[0]!.sort());
    expect(get('NetworkPolicy', 'from-media-live').podSelector.matchExpressions[0].values.sort()).toEqual(called[0]);
  });
});
