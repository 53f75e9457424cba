import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

/** Sample values of Secrets, which must pass the service's own validation. */
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
/** Secrets that several services use. */
const SHARED_SECRETS = ['internal', 'redis', 'smtp', 'kafka', 'collector'];
/** The engine that a variable refers to, by the name of its port in policies and labels. */
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

/** Faults in the variables of a service. */
function faults(service: string, environment: Record<string, string>) {
  const { missing, unknown, refused } = compare(service, environment);
  return { missing, unknown, refused };
}

test('missing, unknown and refused variables are found', () => {
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
  /** The services that this one calls, according to its variables. */
  const calls = (name: string) =>
    services.filter(
      (other) =>
        // Every service has the address of identity, even identity itself. Ticketing forwards commands to its other
        // pods.
        (other !== name || name === 'ticketing') && valueOf(name, `${other.toUpperCase()}_URL`) !== undefined,
    );
  const calledBy = (name: string) => services.filter((other) => calls(other).includes(name));
  const policy = (name: string) => get('NetworkPolicy', name).spec as Policy;
  const apps = (peers: Peer[] = []) => peers.map(({ podSelector }) => podSelector?.matchLabels['app']).sort();

  describe.each(services)('%s', (name) => {
    test('gets exactly the variables that it reads, with valid values', () => {
      const env = Object.fromEntries([...variables.get(name)!.keys()].map((key) => [key, valueOf(name, key)!]));
      expect(faults(name, env)).toEqual({ missing: [], unknown: [], refused: [] });
    });

    test('gets secrets only from Secrets, and only its own', () => {
      for (const [variable, from] of variables.get(name)!) {
        expect('secret' in from, `${variable} comes from a Secret`).toBe(IS_SECRET.test(variable));
        if ('secret' in from) expect([name, ...SHARED_SECRETS]).toContain(from.secret);
      }
    });

    test('is reached at its port, for requests and health checks', async () => {
      const port = listening(name);
      expect(containerOf(name).ports[0]).toEqual({ name: 'http', containerPort: port });
      const { clusterIP, publishNotReadyAddresses, selector, ports } = get('Service', name).spec;
      expect({ selector, ports }).toMatchObject({ selector: { app: name }, ports: [{ targetPort: 'http' }] });
      // A headless Service does not map ports, so its port must be the pod's. Clients that cache DNS answers reach only
      // the gateway, so it is not headless.
      const isFound = calledBy(name).length > 0;
      expect({ clusterIP, publishNotReadyAddresses }).toEqual(
        isFound ? { clusterIP: 'None', publishNotReadyAddresses: true } : {},
      );
      if (isFound) expect(ports).toMatchObject([{ port }]);

      // The probes must use paths that every service has, including the gateway.
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

    test('exposes its metrics only to the namespace of Prometheus, on a port without a Service', () => {
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

    test('reaches the other services at their Services, and only those that it calls', () => {
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

    test('reaches only the engines that its variables name', () => {
      const { labels } = podOf(name).metadata;
      const used = Object.entries(ENGINES).filter(([variable]) => variables.get(name)!.has(variable));
      const says = Object.keys(labels).filter((label) => /uses-(?!internet)/.test(label));
      expect(says.sort()).toEqual(used.map(([, engine]) => `beltway/uses-${engine}`).sort());
    });

    test('has enough time to stop, and a memory limit above its heap', () => {
      const { terminationGracePeriodSeconds: grace } = podOf(name).spec;
      const before = containerOf(name).lifecycle?.preStop.sleep.seconds ?? 0;
      const lameDuck = Number(valueOf(name, 'LAME_DUCK_MS'));
      expect(lameDuck, 'until it is out of the endpoints').toBeGreaterThanOrEqual(3_000);
      expect(grace * 1_000).toBeGreaterThan(before * 1_000 + lameDuck + STOP_MS);
      // A service with a shared port closes it immediately (`serve`), so it must wait first.
      if (valueOf(name, 'SHARE_PORT') === '1') expect(before).toBeGreaterThanOrEqual(3);

      const flag = (key: string) => {
        const given = nodeFlags(name).findLast((one) => one.startsWith(`--${key}=`))!;
        return Number(given.slice(given.indexOf('=') + 1));
      };
      const heapMi = flag('max-old-space-size') + 3 * flag('max-semi-space-size');
      expect(parseInt(containerOf(name).resources.limits.memory)).toBeGreaterThan(heapMi + 64);
    });

    test('stays available: a disruption budget, a spread over nodes, and one owner of the number of pods', () => {
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

  test('every pod follows the restricted rules', () => {
    const templates = objects.filter(({ kind }) => kind === 'CronJob').map(({ spec }) => spec.jobTemplate as Manifest);
    expect(templates.length).toBeGreaterThan(0);
    const kinds = ['Deployment', 'StatefulSet', 'Job'];
    const pods = [...[...objects, ...migrations].filter(({ kind }) => kinds.includes(kind)), ...templates];
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

  test('traffic without a policy is denied, and every engine label has its policy', () => {
    expect(policy('default-deny')).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
    const out = all('NetworkPolicy').flatMap(({ spec }) => ((spec as Policy).egress ? [spec as Policy] : []));
    for (const engine of [...Object.values(ENGINES), 'internet'])
      expect(
        out.filter(({ podSelector }) => podSelector.matchLabels?.[`beltway/uses-${engine}`] === 'true'),
      ).toHaveLength(1);
  });

  test('the first migrations also run under the policies', () => {
    const policies = (of: Manifest[]) =>
      of.filter(({ kind }) => kind === 'NetworkPolicy').map(({ metadata }) => metadata.name);
    expect(policies(migrating).sort()).toEqual(
      policies(objects)
        .filter((name) => !services.includes(name))
        .sort(),
    );
  });

  test('each database is migrated by its service’s image, with its own role', () => {
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

  test('repairs are suspended job templates that run scripts of the images, each with the databases that it reads', () => {
    const repairs = all('CronJob').map(({ metadata, spec }) => {
      const { spec: pod, metadata: labels } = spec.jobTemplate.spec.template;
      const [container] = pod.containers;
      expect([spec.suspend, labels.labels['beltway/uses-postgres']]).toEqual([true, 'true']);
      expect([container.args[0], existsSync(join(root, container.args[1]))]).toEqual(['node', true]);
      const given = [...variablesOf(container, configMaps)].map(([variable, from]) => ({ variable, ...from }));
      return { name: metadata.name, image: container.image, args: container.args.slice(1), given };
    });
    const database = (variable: string, secret: string) => {
      return { variable, secret, key: 'DATABASE_URL', optional: false };
    };
    const audited = ['ticketing', 'payments', 'catalog', 'realtime'];
    const rebuilt = services.filter((name) => existsSync(join(root, 'services', name, 'src', 'rebuild.ts')));
    expect(repairs.find(({ name }) => name === 'audit')).toMatchObject({
      args: ['scripts/audit.ts'],
      given: audited.map((name) => database(`${name.toUpperCase()}_DATABASE_URL`, name)),
    });
    expect(repairs.map(({ name }) => name).toSorted()).toEqual(
      ['audit', ...rebuilt.map((name) => `rebuild-${name}`)].toSorted(),
    );
    for (const name of rebuilt)
      expect(repairs.find((one) => one.name === `rebuild-${name}`)).toEqual({
        name: `rebuild-${name}`,
        image: `beltway/${name}`,
        args: ['scripts/rebuild.ts', name],
        given: [database('DATABASE_URL', name)],
      });
  });

  test('a single file names the images', () => {
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

  test('the live pod of media gets every variable it reads, with valid values, and the other media pods’ variables', () => {
    const env = Object.fromEntries([...variables.keys()].map((key) => [key, valueOf(key)]));
    expect(faults('media', env)).toEqual({ missing: [], unknown: [], refused: [] });
    const others = variablesOf(get('Deployment', 'media').template.spec.containers[0], plain.configMaps);
    const differ = [...variables].filter(([key, value]) => JSON.stringify(others.get(key)) !== JSON.stringify(value));
    expect(differ.map(([key]) => key).sort()).toEqual(['DATA_DIR', 'INGEST_ADDRESS']);
    expect(container.image).toBe('beltway/media');
  });

  test('a single pod has the port and the volume, follows the restricted rules and never runs twice', () => {
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
    // Room for two of the longest recordings plus the free reserve (services/media/src/ingest/ingest.ts).
    expect(parseInt(get('PersistentVolumeClaim', 'streams').resources.requests.storage)).toBeGreaterThanOrEqual(40);
  });

  test('encoders reach only RTMP, the gateway reaches only segments, and the live pod is not among the other media pods', () => {
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
    // The pod calls the same services as the other pods of media, and those services admit it.
    const called = ['media', 'media-live'].map((name) =>
      (get('NetworkPolicy', name) as Policy).egress!.flatMap(({ to }) =>
        to.map(({ podSelector }) => podSelector?.matchLabels['app']),
      ),
    );
    expect(called[1]!.sort()).toEqual(called[0]!.sort());
    expect(get('NetworkPolicy', 'from-media-live').podSelector.matchExpressions[0].values.sort()).toEqual(called[0]);
  });
});
