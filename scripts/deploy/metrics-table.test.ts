import { format } from 'oxfmt';
import { expect, test } from 'vitest';
import { exposedMetrics, type Exposed } from './exposed-metrics.ts';

const WHO: Record<string, string> = {
  all: 'all',
  services: 'all but the gateway',
};

const row = ({ name, labels, type, help, by }: Exposed): string =>
  `| \`${name}\` | ${labels.map((label) => `\`${label}\``).join(', ')} | ${type} | ${WHO[by] ?? by} | ${help} |`;

const page = (metrics: Exposed[]): string => `# Metrics

Generated from the registered metrics; \`npx vitest run --project unit scripts/deploy/metrics-table.test.ts -u\` updates it.

Each process answers \`GET /metrics\` on \`METRICS_PORT\` of \`HOST\` in Prometheus' format, also while it starts, drains or is
overloaded. No public route leads there ([decision 59](../decisions/0059-metrics-have-a-port-and-the-access-log-no-paths.md)).
Under \`npm start\` each process also has such a port on 127.0.0.1: \`grep metrics .data/processes.json\`.

Units are seconds and bytes, money is in cents. \`route\` is the pattern of a path, never the path. Gauges that are read from a
database (\`ticketing_*\`, \`payments_*\`, \`mails_*\`, \`jobs_*\`, \`log_follower_*\`, \`consumer_lag_messages\`) are the same on every instance: use
\`max\`, not \`sum\`. While the database is down they are missing.

| Metric | Labels | Kind | Shown by | Means |
| ------ | ------ | ---- | -------- | ---- |
${metrics.map(row).join('\n')}
`;

test('docs/operations/metrics.md has each registered metric', async () => {
  const ours = (await exposedMetrics()).filter(({ name }) => !/^(nodejs|process)_/.test(name));
  const { code } = await format('metrics.md', page(ours), { printWidth: 120, proseWrap: 'always' });
  await expect(code).toMatchFileSnapshot('../../docs/operations/metrics.md');
});

test('names, units and labels follow the conventions of Prometheus', async () => {
  for (const { name, type, labels, help } of await exposedMetrics()) {
    if (/^(nodejs|process)_/.test(name)) continue;
    expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
    expect(name.endsWith('_total'), name).toBe(type === 'counter');
    expect(name).not.toMatch(/_(ms|milliseconds|minutes|kb|dollars)\b/);
    if (type === 'histogram') expect(name).toMatch(/_(seconds|bytes|commands)$/);
    expect(help.length, name).toBeGreaterThan(10);
    // A label that a client can set would have an unbounded number of values.
    for (const label of labels) expect(label).not.toMatch(/^(path|url|user|address|ip|id|key)$/);
  }
});
