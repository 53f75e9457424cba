import { rendezvous } from '@beltway/kit/rendezvous';
import type { Bench, Options } from '../support/bench.ts';
import { httpLoad } from '../support/http-load.ts';
import { median, ratioOf } from '../support/statistics.ts';
import { standBack, startSystem, tokensOf, type Running } from '../support/system.ts';
import { differences, logDifferences } from '../sell-out/check.ts';
import { holdRequests } from '../sell-out/holds.ts';

const CONNECTIONS = 256;
const AMPLE = 1_000_000;
/** Each of two instances gets half of the requests, so the warm-up takes twice as long. */
const WARM_UP_SECONDS = 8;
const ORDER = /"orderId":"([0-9a-f-]{36})"/;

interface Stage {
  running: Running;
  tokens: string[];
  /** With two instances, each sale is routed to a different instance. */
  sales: [number, number];
  promised: Map<number, string[]>;
}

/** A system with two sales; with two instances of ticketing, each instance gets one sale. */
async function stage(options: Options, env: Record<string, string>): Promise<Stage> {
  const running = await startSystem({ ...options, say: () => undefined }, env);
  const { api } = running;
  const tokens = await tokensOf(api, 100);
  const organizer = await api.register('Ola Organizer', 'business');
  const open = async () => (await api.launch(organizer.token, { totalTickets: AMPLE })).id;
  const urls = running.processes().flatMap(({ service, url }) => (service === 'ticketing' ? [url] : []));
  const nodeOf = rendezvous(urls.sort());
  const first = await open();
  let second = await open();
  while (urls.length > 1 && nodeOf(second) === nodeOf(first)) second = await open();
  return { running, tokens, sales: [first, second], promised: new Map([first, second].map((id) => [id, []])) };
}

/** Holds per second for these sales together; any status other than 201 is an error. */
async function measure({ running, tokens, promised }: Stage, sales: number[], seconds: number): Promise<number> {
  const requests = sales.map((id) => holdRequests(tokens, id));
  let turn = 0;
  const { perSecond, statuses } = await httpLoad({
    port: running.port,
    connections: CONNECTIONS,
    seconds,
    next: () => requests[turn++ % requests.length]!(),
    counts: ({ status, body }) => {
      if (status !== 201) return false;
      const text = body.toString('latin1');
      const [, orderId = 'none'] = ORDER.exec(text) ?? [];
      promised.get(Number(/"eventId":(\d+)/.exec(text)?.[1]))!.push(orderId);
      return true;
    },
  });
  const others = Object.entries(statuses).filter(([status]) => status !== '201');
  if (others.length > 0) throw new Error(`holds were answered ${JSON.stringify(statuses)}`);
  return perSecond;
}

const check = async ({ running, promised }: Stage): Promise<string[]> => {
  const { ok, checks } = await running.api.invariants();
  const all = await Promise.all(
    [...promised].map(async ([id, orders]) => [
      ...(await differences(running.ticketing, id, AMPLE, orders)),
      ...(await logDifferences(running.ticketing, id, orders)),
    ]),
  );
  return ok ? all.flat() : [...all.flat(), `invariants: ${JSON.stringify(checks)}`];
};

export const bench: Bench = {
  about: 'two ticketing instances against one, through the gateway: one hot sale, two hot sales, and with routing off',
  defaults: { rounds: 5, seconds: 4 },

  async run(options) {
    const { rounds, seconds, isShort, say } = options;
    const one = await stage(options, {});
    const two = await stage(options, { BELTWAY_REPLICAS: 'ticketing:2' });
    const rates = { one: [] as number[], two: [] as number[], oneBoth: [] as number[], twoBoth: [] as number[] };
    standBack();
    for (const warmUp of [one, two]) await measure(warmUp, warmUp.sales, isShort ? 1 : WARM_UP_SECONDS);
    for (let round = 1; round <= rounds; round++) {
      rates.one.push(await measure(one, [one.sales[0]], seconds));
      rates.two.push(await measure(two, [two.sales[0]], seconds));
      rates.oneBoth.push(await measure(one, one.sales, seconds));
      rates.twoBoth.push(await measure(two, two.sales, seconds));
      const [a, b, c, d] = Object.values(rates).map((all) => Math.round(all.at(-1)!));
      say(
        `round ${round}: one hot sale ${a}/s by one instance, ${b}/s by two; two hot sales ${c}/s by one, ${d}/s by two`,
      );
    }
    const fighting = await stage(options, { BELTWAY_REPLICAS: 'ticketing:2', BELTWAY_SALE_ROUTING: 'off' });
    const fight = await measure(fighting, [fighting.sales[0]], seconds);
    say(`without routing: ${Math.round(fight)}/s, ${(fight / median(rates.one)).toFixed(2)} of one instance`);

    const wrong: string[] = [];
    for (const [name, done] of Object.entries({ one, two, fighting }))
      wrong.push(...(await check(done)).map((line) => `${name}: ${line}`));
    wrong.forEach((line) => say(`NOT EXACT: ${line}`));
    return {
      ratios: { 'hot-sale': ratioOf(rates.two, rates.one), 'two-sales': ratioOf(rates.twoBoth, rates.oneBoth) },
      exact: wrong.length === 0,
    };
  },
};
