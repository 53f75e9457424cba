/**
 * The Grafana dashboards for each service and for a sale, in addition to the overview (`beltway.json`). `npx vitest run
 * --project unit scripts/deploy/dashboards.test.ts -u` writes them.
 */
const DATASOURCE = { type: 'prometheus', uid: 'prometheus' };
const COLUMNS = 24;

interface Query {
  expr: string;
  legend?: string;
}
interface Panel {
  title: string;
  unit: string;
  queries: Query[];
  /** Show a single number, in red from `redFrom` on. */
  stat?: { redFrom?: number };
}
interface Row {
  title: string;
  panels: Panel[];
}

const graph = (title: string, unit: string, ...queries: Array<[expr: string, legend?: string]>): Panel => ({
  ...{ title, unit },
  queries: queries.map(([expr, legend = '']) => ({ expr, legend })),
});
const number = (title: string, unit: string, expr: string, redFrom?: number): Panel => ({
  ...graph(title, unit, [expr]),
  stat: redFrom === undefined ? {} : { redFrom },
});
const rate = (series: string) => `rate(${series}[$__rate_interval])`;
const quantile = (share: number, by: string, series: string) =>
  `histogram_quantile(${share}, sum by (${by}) (${rate(series)}))`;

const HEALTH = 'route!~"(/api)?/health.*"';

/** The row of panels that every process has. */
const process = (job: string): Row => ({
  title: 'Processes',
  panels: [
    graph('Processor, cores', 'short', [rate(`process_cpu_seconds_total{job="${job}"}`), '{{instance}}']),
    graph(
      'Memory',
      'bytes',
      [`memory_used_bytes{job="${job}"}`, '{{instance}}'],
      [`max(memory_limit_bytes{job="${job}"})`, 'limit'],
    ),
    graph('Event loop delay, 99 %', 's', [`nodejs_eventloop_lag_p99_seconds{job="${job}"}`, '{{instance}}']),
    graph('Starts in an hour', 'short', [`changes(process_start_time_seconds{job="${job}"}[1h])`, '{{instance}}']),
    graph('Parts that are not ready', 'short', [`sum by (part) (1 - ready{job="${job}"})`, '{{part}}']),
  ],
});

const requests = (job: string): Row[] => {
  const times = `http_request_duration_seconds_bucket{job="${job}",route!="/socket.io"}`;
  const answered = `http_requests_total{job="${job}",${HEALTH}}`;
  return [
    {
      title: 'Now',
      panels: [
        number('Instances that answer', 'short', `sum(up{job="${job}"})`),
        number('Alerts that fire', 'short', `count(ALERTS{alertstate="firing",job="${job}"}) or vector(0)`, 1),
        number('Requests a second', 'reqps', `sum(${rate(answered)})`),
        number(
          'Errors',
          'percentunit',
          `(sum(rate(http_requests_total{job="${job}",${HEALTH},status=~"5..",status!="503"}[5m])) or vector(0)) / sum(rate(http_requests_total{job="${job}",${HEALTH}}[5m]))`,
          0.01,
        ),
        number(
          'Turned away',
          'percentunit',
          `(sum(rate(http_requests_total{job="${job}",${HEALTH},status="503"}[5m])) or vector(0)) / sum(rate(http_requests_total{job="${job}",${HEALTH}}[5m]))`,
          0.05,
        ),
        number('Slowest of a hundred', 's', quantile(0.99, 'le', times), 2),
      ],
    },
    {
      title: 'Requests',
      panels: [
        graph('By status', 'reqps', [`sum by (status) (${rate(answered)})`, '{{status}}']),
        graph(
          'Time to answer',
          's',
          [quantile(0.5, 'le', times), 'half'],
          [quantile(0.95, 'le', times), '95 %'],
          [quantile(0.99, 'le', times), '99 %'],
        ),
        graph('Busiest routes', 'reqps', [
          `topk(10, sum by (method, route) (${rate(answered)}))`,
          '{{method}} {{route}}',
        ]),
        graph('Slowest routes, 99 %', 's', [`topk(10, ${quantile(0.99, 'le, route', times)})`, '{{route}}']),
        graph('Failing routes', 'reqps', [
          `topk(10, sum by (route, status) (${rate(`http_requests_total{job="${job}",${HEALTH},status=~"5.."}`)}))`,
          '{{status}} {{route}}',
        ]),
      ],
    },
  ];
};

const database = (job: string): Row => ({
  title: 'Database and log',
  panels: [
    graph('Connections in use', 'short', [
      `sum by (pool) (pg_pool_connections{job="${job}"} - pg_pool_connections_idle{job="${job}"})`,
      '{{pool}}',
    ]),
    graph('Callers that wait for one', 'short', [`sum by (pool) (pg_pool_waiting{job="${job}"})`, '{{pool}}']),
    graph('Wait for one, 99 %', 's', [
      quantile(0.99, 'le, pool', `pg_pool_wait_seconds_bucket{job="${job}"}`),
      '{{pool}}',
    ]),
    graph('Commands a second', 'ops', [
      `sum by (category) (${rate(`event_store_commands_total{job="${job}"}`)})`,
      '{{category}}',
    ]),
    graph('Commands that wait', 'short', [
      `sum by (category) (event_store_commands_waiting{job="${job}"})`,
      '{{category}}',
    ]),
    graph('Decision to commit, 99 %', 's', [
      quantile(0.99, 'le, category', `event_store_append_duration_seconds_bucket{job="${job}"}`),
      '{{category}}',
    ]),
  ],
});

const messages = (job: string): Row => ({
  title: 'Messages and jobs',
  panels: [
    graph('Behind its log', 's', [`max by (follower) (log_follower_seconds{job="${job}"})`, '{{follower}}']),
    graph('Behind the bus', 'short', [
      `max by (group, topic) (consumer_lag_messages{job="${job}"})`,
      '{{group}} {{topic}}',
    ]),
    graph('Messages handled', 'ops', [
      `sum by (group, outcome) (${rate(`consumed_messages_total{job="${job}"}`)})`,
      '{{group}} {{outcome}}',
    ]),
    graph('Parked in an hour', 'short', [
      `sum by (group, type) (increase(dead_letters_total{job="${job}"}[1h]))`,
      '{{group}} {{type}}',
    ]),
    graph(
      'Jobs',
      'short',
      [`max by (queue) (jobs_waiting{job="${job}"})`, '{{queue}} waiting'],
      [`max by (queue) (jobs_failed{job="${job}"})`, '{{queue}} given up'],
    ),
    graph('Job due for longest', 's', [`max by (queue) (jobs_waiting_seconds{job="${job}"})`, '{{queue}}']),
    graph('Runs of jobs', 'ops', [
      `sum by (queue, outcome) (${rate(`job_runs_total{job="${job}"}`)})`,
      '{{queue}} {{outcome}}',
    ]),
  ],
});

const HOLDS = graph(
  'Open holds',
  'short',
  ['max(ticketing_holds_open)', 'holds'],
  ['max(ticketing_tickets_held)', 'tickets'],
);
const OVERDUE = graph('Hold to be released', 's', ['max(ticketing_hold_overdue_seconds)', 'overdue']);
const DECIDED = graph('Where sale commands are decided', 'ops', [
  `sum by (at) (${rate('sale_commands_total')})`,
  '{{at}}',
]);
const UNFULFILLED = graph(
  'Paid, not fulfilled',
  'short',
  ['max(payments_unfulfilled)', 'payments'],
  ['max(payments_unfulfilled_seconds)', 'seconds of the first'],
);
const PROVIDER = graph('Calls to the card provider', 'ops', [
  `sum by (call, outcome) (${rate('provider_calls_total')})`,
  '{{call}} {{outcome}}',
]);
const PROVIDER_TIME = graph('Card provider, 95 %', 's', [
  quantile(0.95, 'le, call', 'provider_call_duration_seconds_bucket'),
  '{{call}}',
]);

/** The panels that only one service has. */
const OWN: Record<string, Panel[]> = {
  gateway: [
    graph('Response cache', 'ops', [`sum by (by) (${rate('response_cache_answers_total')})`, '{{by}}']),
    graph('What it keeps', 'bytes', ['response_cache_bytes', '{{instance}}']),
    graph('What it fetches', 'ops', [`sum(${rate('response_cache_fetches_total')})`, 'fetches']),
    graph('First screens', 'ops', [`sum by (result) (${rate('first_screens_total')})`, '{{result}}']),
    graph('WebSockets', 'short', ['sum by (instance) (websockets_open)', '{{instance}}']),
    graph('Answers that wait for readers', 'bytes', ['sum by (instance) (unread_bytes)', '{{instance}}']),
    graph('Closed, as they did not read', 'ops', [`sum(${rate('unread_connections_closed_total')})`, 'connections']),
    graph('Errors in browsers, ten minutes', 'short', ['sum(increase(client_errors_total[10m]))', 'errors']),
    graph('Dead letters that wait', 'short', ['max by (group, type) (dead_letters_waiting)', '{{group}} {{type}}']),
  ],
  identity: [
    graph('Sign-ins that wait for a hash', 'short', ['sum by (instance) (password_hashes_under_way)', '{{instance}}']),
  ],
  catalog: [],
  ticketing: [
    ...[HOLDS, OVERDUE, DECIDED],
    graph('Held, dollars', 'short', ['max(ticketing_held_cents) / 100', 'held']),
    graph('Tickets to be drawn', 'short', ['sum by (instance) (paper_jobs_waiting)', '{{instance}}']),
  ],
  payments: [
    ...[UNFULFILLED, PROVIDER, PROVIDER_TIME],
    graph(
      'Money on its way, dollars',
      'short',
      ['max(payments_unfulfilled_cents) / 100', 'paid, not fulfilled'],
      ['max(payments_refunds_due_cents) / 100', 'to go back'],
      ['max(payments_owed_back_cents) / 100', 'owed back by organizers'],
    ),
    graph('Refund that waits longest', 's', ['max(payments_refunds_due_seconds)', 'refund']),
    graph('Share that waits longest', 's', ['max(payments_owed_back_seconds)', 'share']),
    graph('Alerts for people', 'short', ['max(payments_alerts_open)', 'open']),
  ],
  media: [
    graph('Pictures that wait', 'short', ['sum by (instance) (image_jobs_waiting)', '{{instance}}']),
    graph('Processes that make pictures', 'short', ['sum by (instance) (image_workers)', '{{instance}}']),
  ],
  realtime: [graph('Browsers connected', 'short', ['sum by (instance) (realtime_connections)', '{{instance}}'])],
};

const serviceRows = (job: string): Row[] => [
  ...requests(job),
  ...(OWN[job]!.length > 0 ? [{ title: 'Its own work', panels: OWN[job]! }] : []),
  ...(job === 'gateway' ? [] : [database(job), messages(job)]),
  process(job),
];

/** Rows for the first minutes of a popular sale, in the order of a purchase. */
const SALE: Row[] = [
  {
    title: 'Now',
    panels: [
      number('Requests a second', 'reqps', `sum(${rate(`http_requests_total{job="gateway",${HEALTH}}`)})`),
      number(
        'Turned away',
        'percentunit',
        `(sum(rate(http_requests_total{job="gateway",${HEALTH},status="503"}[1m])) or vector(0)) / sum(rate(http_requests_total{job="gateway",${HEALTH}}[1m]))`,
        0.05,
      ),
      number('Tickets held', 'short', 'max(ticketing_tickets_held)'),
      number('Commands that wait', 'short', 'sum(event_store_commands_waiting{category="sale"})', 2_000),
      number('Paid, nothing given for', 's', 'max(payments_unfulfilled_seconds)', 300),
      number('Busiest event loop', 's', 'max(nodejs_eventloop_lag_p99_seconds)', 0.5),
    ],
  },
  {
    title: 'The door',
    panels: [
      graph('Answers', 'reqps', [
        `sum by (status) (${rate(`http_requests_total{job="gateway",${HEALTH}}`)})`,
        '{{status}}',
      ]),
      graph('Time to answer, 99 %', 's', [
        `topk(5, ${quantile(0.99, 'le, route', 'http_request_duration_seconds_bucket{job="gateway",route!="/socket.io"}')})`,
        '{{route}}',
      ]),
      graph('Response cache', 'ops', [`sum by (by) (${rate('response_cache_answers_total')})`, '{{by}}']),
    ],
  },
  {
    title: 'Holds',
    panels: [
      HOLDS,
      graph('Sale commands a second', 'ops', [
        `sum by (instance) (${rate('event_store_commands_total{category="sale"}')})`,
        '{{instance}}',
      ]),
      graph('Commands that wait', 'short', [
        'sum by (instance) (event_store_commands_waiting{category="sale"})',
        '{{instance}}',
      ]),
      graph('Commands in a group', 'short', [
        `sum(${rate('event_store_group_commands_sum{category="sale"}')}) / sum(${rate('event_store_group_commands_count{category="sale"}')})`,
        'commands',
      ]),
      graph('Decision to commit', 's', [
        quantile(0.99, 'le', 'event_store_append_duration_seconds_bucket{category="sale"}'),
        '99 %',
      ]),
      graph('Conflicts between instances', 'ops', [
        `sum(${rate('event_store_conflicts_total{category="sale"}')})`,
        'conflicts',
      ]),
      ...[DECIDED, OVERDUE],
    ],
  },
  {
    title: 'Payments and tickets',
    panels: [
      ...[PROVIDER, PROVIDER_TIME, UNFULFILLED],
      graph('Behind the bus', 'short', [
        'max by (group) (consumer_lag_messages{job=~"ticketing|payments"})',
        '{{group}}',
      ]),
      graph('Mails that wait', 's', ['max by (queue) (jobs_waiting_seconds{job="ticketing"})', '{{queue}}']),
      graph('Callers that wait for a connection', 'short', [
        'sum by (job, pool) (pg_pool_waiting{job=~"ticketing|payments"})',
        '{{job}} {{pool}}',
      ]),
    ],
  },
  {
    title: 'Machines',
    panels: [
      graph('Processor, cores', 'short', [`sum by (job) (${rate('process_cpu_seconds_total')})`, '{{job}}']),
      graph('Event loop delay, 99 %', 's', ['max by (job) (nodejs_eventloop_lag_p99_seconds)', '{{job}}']),
      graph(
        'Connections of PostgreSQL',
        'short',
        ['postgres_connections', 'used'],
        ['postgres_connections_max', 'most'],
      ),
    ],
  },
];

/** Places panels from left to right: six numbers or three graphs side by side. */
function place(rows: Row[]): object[] {
  const panels: object[] = [];
  let y = 0;
  const add = (panel: object) => panels.push({ id: panels.length + 1, ...panel });
  for (const row of rows) {
    add({ type: 'row', title: row.title, collapsed: false, gridPos: { h: 1, w: COLUMNS, x: 0, y }, panels: [] });
    y += 1;
    const [w, h] = row.panels[0]!.stat ? [4, 4] : [8, 7];
    const perLine = COLUMNS / w;
    row.panels.forEach((panel, at) =>
      add(grafana(panel, { h, w, x: (at % perLine) * w, y: y + Math.floor(at / perLine) * h })),
    );
    y += Math.ceil(row.panels.length / perLine) * h;
  }
  return panels;
}

function grafana({ title, unit, queries, stat }: Panel, gridPos: object): object {
  const { redFrom } = stat ?? {};
  const steps = [
    { color: 'green', value: null },
    { color: 'red', value: redFrom },
  ];
  return {
    ...{ type: stat ? 'stat' : 'timeseries', title, datasource: DATASOURCE, gridPos },
    fieldConfig: {
      defaults: { unit, min: 0, ...(redFrom !== undefined && { thresholds: { mode: 'absolute', steps } }) },
      overrides: [],
    },
    targets: queries.map(({ expr, legend }, at) => ({
      ...{ refId: String.fromCharCode(65 + at), expr, legendFormat: legend, datasource: DATASOURCE },
    })),
    ...(stat && { options: { reduceOptions: { calcs: ['lastNotNull'] }, colorMode: 'background' } }),
  };
}

const file = (uid: string, title: string, rows: Row[], from: string): string => {
  const links = [{ type: 'dashboards', tags: ['beltway'], asDropdown: true, title: 'Dashboards' }];
  const head = {
    ...{ uid, title, tags: ['beltway'], timezone: 'browser', schemaVersion: 39, version: 1, refresh: '30s' },
    ...{ time: { from, to: 'now' }, editable: true, links, annotations: { list: [] }, templating: { list: [] } },
  };
  // One panel per line, so that a change is one line.
  const panels = place(rows).map((panel) => `  ${JSON.stringify(panel)}`);
  return `${JSON.stringify(head).slice(0, -1)},"panels":[\n${panels.join(',\n')}\n]}\n`;
};

const title = (name: string) => name[0]!.toUpperCase() + name.slice(1);

/** The text of each file in `deploy/watch/grafana/dashboards`, by its name. */
export const dashboards = (): Map<string, string> =>
  new Map([
    ['sale.json', file('beltway-sale', 'A sale', SALE, 'now-30m')],
    ...Object.keys(OWN).map((name): [string, string] => [
      `service-${name}.json`,
      file(`beltway-${name}`, title(name), serviceRows(name), 'now-3h'),
    ]),
  ]);
