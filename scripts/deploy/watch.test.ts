import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { exposedMetrics, seriesOf } from './exposed-metrics.ts';
import { serviceVariables } from './service-variables.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Alert {
  alert: string;
  record?: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}
const rules = parse(read('deploy/watch/alerts.yaml')) as { groups: Array<{ name: string; rules: Alert[] }> };
const all = rules.groups.flatMap((group) => group.rules);
const alerts = all.filter(({ record }) => record === undefined);
const recorded = all.flatMap(({ record }) => record ?? []);

interface Panel {
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  datasource?: { uid: string };
  targets?: Array<{ expr: string; datasource: { uid: string } }>;
}
interface Dashboard {
  uid: string;
  title: string;
  panels: Panel[];
}
const folder = 'deploy/watch/grafana/dashboards';
const dashboards = readdirSync(join(root, folder)).map((name) => JSON.parse(read(`${folder}/${name}`)) as Dashboard);
const panels = dashboards.flatMap((dashboard) => dashboard.panels.filter(({ type }) => type !== 'row'));

/** Series that Prometheus itself generates. */
const OF_PROMETHEUS: Record<string, string[]> = { up: [], ALERTS: ['alertstate', 'alertname'] };
/** Labels that Prometheus adds, and the label of a histogram's buckets. */
const ADDED = ['job', 'instance', 'le'];
const KEYWORDS = new Set(['or', 'and', 'unless', 'bool', 'offset', 'by', 'on', 'without', 'ignoring']);

/** The series in an expression, and the labels that it compares or groups by. */
function namesIn(expr: string): { series: string[]; labels: string[] } {
  const labels = [
    ...[...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, inside]) =>
      [...inside!.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label]) => label!),
    ),
    ...[...expr.matchAll(/\b(?:by|on|without|ignoring)\s*\(([^)]*)\)/g)].flatMap(([, inside]) => inside!.split(/,\s*/)),
  ].filter((label) => label !== '');
  const bare = expr
    .replace(/\{[^}]*\}|\[[^\]]*\]/g, '')
    .replace(/\b(?:by|on|without|ignoring)\s*\([^)]*\)/g, '')
    .replace(/\b\d[\w.]*/g, '');
  const words = [...bare.matchAll(/[a-zA-Z_:][\w:]*\b(?!\s*\()/g)].map(([word]) => word);
  return { series: words.filter((word) => !KEYWORDS.has(word)), labels };
}

test('finds series and labels of an expression', () => {
  expect(
    namesIn(
      'sum by (le, job) (rate(a_seconds_bucket{route!~"/x|b_c",job="d"}[5m])) / on (job) e_total > 650e6 or absent(up)',
    ),
  ).toEqual({ series: ['a_seconds_bucket', 'e_total', 'up'], labels: ['route', 'job', 'le', 'job', 'job'] });
});

test.each([
  ['alerts', all.map(({ alert, record, expr }) => [record ?? alert, expr] as const)],
  ['panels', panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const))],
])('%s use only exposed metrics, with existing labels', async (_what, expressions) => {
  const known = new Map(
    Object.entries({ ...OF_PROMETHEUS, ...Object.fromEntries(recorded.map((name) => [name, ['slo']])) }),
  );
  for (const metric of await exposedMetrics()) for (const name of seriesOf(metric)) known.set(name, metric.labels);
  expect(expressions.length).toBeGreaterThan(20);
  for (const [title, expr] of expressions) {
    const { series, labels } = namesIn(expr);
    // The Watchdog always fires, so it reads no series.
    if (title !== 'Watchdog') expect(series.length, title).toBeGreaterThan(0);
    for (const name of series) expect([...known.keys()], title).toContain(name);
    const possible = [...ADDED, ...series.flatMap((name) => known.get(name) ?? [])];
    for (const label of labels) expect(possible, title).toContain(label);
    for (const job of expr.matchAll(/job=~?"([^"]+)"/g))
      for (const one of job[1]!.split('|'))
        expect([...Object.keys(serviceVariables), 'media-live'], title).toContain(one);
  }
});

describe('alerts', () => {
  const runbook = read('docs/operations/runbook.md');
  const entries = [...runbook.matchAll(/^### (\w+)$/gm)].map(([, name]) => name!);

  test('each has a severity, a summary and an entry in the runbook; the runbook has no other entries', () => {
    for (const { alert, labels, annotations } of alerts) {
      expect(alert === 'Watchdog' ? ['none'] : ['critical', 'warning'], alert).toContain(labels.severity);
      expect(annotations.summary, alert).toMatch(/\.$/);
      expect(annotations.runbook).toBe(`docs/operations/runbook.md#${alert.toLowerCase()}`);
    }
    expect(entries).toEqual(alerts.map(({ alert }) => alert));
  });

  test('each entry has meaning, check and remedy, with existing metrics', async () => {
    const names = (await exposedMetrics()).flatMap((metric) => [metric.name, ...seriesOf(metric)]);
    for (const entry of runbook.split(/^### /m).slice(1)) {
      const [name = ''] = entry.split('\n');
      for (const part of [/\*\*Means\.\*\*/, /\*\*See\.?\*\*/, /\*\*(Do\.|do)\*\*/]) expect(entry, name).toMatch(part);
      expect(entry, name).toMatch(/```sh\n/);
      // A grep pattern may match several metrics by the beginning of their names.
      for (const [, pattern = ''] of entry.matchAll(/^metrics \w+ \| grep (?:-c |-E )?'([^']+)'/gm)) {
        const found = names.filter((one) => new RegExp(pattern.replace(/\\?[{ ].*$/, '')).test(one));
        expect(found.length, `${name}: ${pattern}`).toBeGreaterThan(0);
      }
    }
  });

  test('each has a promtool test in which it fires, and a promtool test in which it does not', () => {
    const { tests } = parse(read('deploy/watch/alerts.test.yaml')) as {
      tests: Array<{ alert_rule_test: Array<{ alertname: string; exp_alerts: unknown[] }> }>;
    };
    const tested = tests.flatMap((one) => one.alert_rule_test);
    for (const { alert } of alerts) {
      const of = tested.filter(({ alertname }) => alertname === alert);
      expect(of.map(({ exp_alerts }) => exp_alerts.length > 0).sort(), alert).toEqual(
        alert === 'Watchdog' ? [true] : [false, true],
      );
    }
    expect(new Set(tested.map(({ alertname }) => alertname)).size).toBe(alerts.length);
  });
});

describe('dashboards', () => {
  test('have unique identifiers and titles', () => {
    for (const key of ['uid', 'title'] as const)
      expect(new Set(dashboards.map((dashboard) => dashboard[key])).size).toBe(dashboards.length);
  });

  test('have panels that use the provisioned Prometheus, without overlapping', () => {
    const { datasources } = parse(read('deploy/watch/grafana/datasources.yaml')) as {
      datasources: Array<{ uid: string; url: string }>;
    };
    for (const { title, datasource, targets = [] } of panels)
      for (const { uid } of [datasource!, ...targets.map((target) => target.datasource)])
        expect(uid, title).toBe(datasources[0]!.uid);
    for (const dashboard of dashboards) {
      const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
        Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
      );
      expect(new Set(cells).size, dashboard.title).toBe(cells.length);
    }
  });
});

describe('docker compose --profile watch', () => {
  interface Watching {
    profiles: string[];
    volumes: string[];
    networks: string[];
    ports?: string[];
  }
  const compose = parse(read('docker-compose.yml'), { merge: true }) as {
    services: Record<string, Watching & { environment?: Record<string, unknown> }>;
  };
  const { prometheus, grafana } = compose.services as { prometheus: Watching; grafana: Watching };

  test('Prometheus scrapes every service, by its name, at its metrics port', () => {
    const { scrape_configs: jobs, rule_files: files } = parse(read('deploy/watch/prometheus.yml')) as {
      rule_files: string[];
      scrape_configs: Array<{
        job_name: string;
        dns_sd_configs: Array<{ names: string[]; type: string; port: number }>;
      }>;
    };
    expect(jobs.map(({ job_name }) => job_name).sort()).toEqual(
      [...Object.keys(serviceVariables), 'probe', 'engines'].sort(),
    );
    for (const { job_name: name, dns_sd_configs: found } of jobs) {
      const port = Number(compose.services[name]!.environment!['METRICS_PORT']);
      const names = name === 'gateway' ? [name, 'gateway-2'] : [name];
      expect(found).toEqual([expect.objectContaining({ names, type: 'A', port })]);
      expect(compose.services[name]!.networks).toContain('services');
    }
    expect(prometheus.networks).toContain('services');
    expect(prometheus.volumes).toContain('./deploy/watch/prometheus.yml:/etc/prometheus/prometheus.yml:ro');
    for (const file of files) expect(prometheus.volumes).toContain(`./deploy/watch/alerts.yaml:${file}:ro`);
  });

  test('alerts reach Alertmanager, whose example receiver is the mail catcher; Watchdog has its own receiver', () => {
    interface Route {
      receiver: string;
      matchers?: string[];
      routes?: Route[];
    }
    const { alerting } = parse(read('deploy/watch/prometheus.yml')) as {
      alerting: { alertmanagers: Array<{ static_configs: Array<{ targets: string[] }> }> };
    };
    expect(alerting.alertmanagers[0]!.static_configs[0]!.targets).toEqual(['alertmanager:9093']);
    const { global, route, receivers } = parse(read('deploy/watch/alertmanager.yml')) as {
      global: { smtp_smarthost: string };
      route: Route;
      receivers: Array<{ name: string; email_configs?: unknown[] }>;
    };
    const manager = compose.services['alertmanager']!;
    expect(manager.volumes).toContain('./deploy/watch/alertmanager.yml:/etc/alertmanager/alertmanager.yml:ro');
    expect(manager.networks).toEqual(['services', 'watch']);
    expect(compose.services['mail']!.networks).toContain('services');
    expect(global.smtp_smarthost).toBe('mail:1025');
    expect(receivers.find(({ name }) => name === route.receiver)!.email_configs).toHaveLength(1);
    const names = receivers.map(({ name }) => name);
    for (const { receiver } of route.routes!) expect(names).toContain(receiver);
    expect(route.routes!.find(({ matchers }) => matchers!.join().includes('Watchdog'))!.receiver).toBe('watchdog');
  });

  test('Grafana finds Prometheus and the dashboard, and is reachable only on this machine, with a password', () => {
    const { providers } = parse(read('deploy/watch/grafana/dashboards.yaml')) as {
      providers: Array<{ options: { path: string } }>;
    };
    expect(grafana.volumes).toContain(`./deploy/watch/grafana/dashboards:${providers[0]!.options.path}:ro`);
    expect(read('deploy/watch/grafana/datasources.yaml')).toContain('http://prometheus:9090');
    expect(grafana.networks.some((network) => prometheus.networks.includes(network))).toBe(true);
    expect(grafana.networks).not.toContain('services');
    expect(grafana.ports).toEqual(['127.0.0.1:3300:3000']);
    expect([prometheus.profiles, grafana.profiles, prometheus.ports]).toEqual([['watch'], ['watch'], undefined]);
  });
});

describe('signals of autoscalers', () => {
  interface Patch {
    target: { kind: string; name: string };
    patch: string;
  }
  const { patches } = parse(read('k8s/components/signals/kustomization.yaml')) as { patches: Patch[] };
  const signals = patches.map(({ target, patch }) => {
    const [{ op, path, value }] = parse(patch) as [
      {
        op: string;
        path: string;
        value: { type: string; pods: { metric: { name: string }; target: { averageValue: string } } };
      },
    ];
    return { target, op, path, type: value.type, metric: value.pods.metric.name, each: value.pods.target.averageValue };
  });
  const adapter = parse(read('deploy/watch/prometheus-adapter.yaml')) as { rules: Array<{ seriesQuery: string }> };

  test('are exposed metrics, added to the autoscaler of their service', async () => {
    const metrics = new Map((await exposedMetrics()).map((metric) => [metric.name, metric]));
    expect(signals.length).toBeGreaterThan(4);
    for (const { target, op, path, type, metric, each } of signals) {
      expect([target.kind, op, path, type]).toEqual(['HorizontalPodAutoscaler', 'add', '/spec/metrics/-', 'Pods']);
      expect(read(`k8s/base/${target.name}.yaml`)).toContain(
        `kind: HorizontalPodAutoscaler\nmetadata: { name: ${target.name} }`,
      );
      expect(metrics.get(metric)?.type, metric).toBe('gauge');
      expect(['all', 'services', target.name], metric).toContain(metrics.get(metric)?.by);
      expect(Number(each)).toBeGreaterThan(0);
    }
  });

  test('are exactly the adapter’s rules, each used once', () => {
    const named = adapter.rules.flatMap(({ seriesQuery }) =>
      /__name__=~?"\^?\(?([\w|]+)\)?\$?"/.exec(seriesQuery)![1]!.split('|'),
    );
    expect(named.sort()).toEqual(signals.map(({ metric }) => metric).sort());
  });

  test('have the labels by which the adapter finds their pods', () => {
    const { scrape_configs: jobs } = parse(read('deploy/watch/prometheus.kubernetes.yml')) as {
      scrape_configs: Array<{ relabel_configs: Array<{ target_label?: string }> }>;
    };
    const labels = jobs[0]!.relabel_configs.flatMap(({ target_label: label }) => label ?? []);
    expect(labels).toEqual(expect.arrayContaining(['namespace', 'pod']));
  });
});
