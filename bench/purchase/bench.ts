import type { Bench } from '../support/bench.ts';
import { countCosts } from '../support/costs.ts';
import { cpuSeconds } from '../support/cpu.ts';
import { median, percentile } from '../support/statistics.ts';
import { analyze, standBack, startSystem, tokensOf } from '../support/system.ts';
import { openBuyer, type Bought, type Shop } from './buyer.ts';
import { differences } from './check.ts';

const BUYERS = 64;
/**
 * Number of users. Each user buys only a few times per run, because every purchase reads all of its user's tickets.
 */
const USERS = 1_500;
/** A purchase is six requests and a dozen messages. Node needs this long to compile the hot code in six processes. */
const WARM_UP_SECONDS = 40;

export const bench: Bench = {
  about: `whole purchases over the public door: hold, intent, card, tickets in my-tickets; ${BUYERS} buyers at once`,
  defaults: { rounds: 3, seconds: 10 },

  async run(options) {
    const { rounds, seconds, isShort, say } = options;
    const beltway = await startSystem(options);
    const { api } = beltway;
    const tokens = await tokensOf(api, isShort ? BUYERS : USERS);
    const { event } = await api.organize({ totalTickets: 1_000_000 });
    const { payments } = await api.call<{ payments: { publishableKey: string; apiBase: string } }>(
      'GET',
      '/api/config',
    );
    const shop: Shop = {
      port: beltway.port,
      publishableKey: payments.publishableKey,
      confirmBase: payments.apiBase,
      eventId: event.id,
    };

    const bought: Bought[] = [];
    let turn = 0;
    /** Buys until the time is over; counts purchases that were completed within it. */
    const round = async (lasting: number) => {
      const times: number[] = [];
      const start = performance.now();
      const end = start + lasting * 1_000;
      const one = async () => {
        const buyer = openBuyer(shop);
        try {
          for (let from = performance.now(); from < end;) {
            bought.push(await buyer.buy(tokens[turn % tokens.length]!, (turn++ % 3) + 1));
            const now = performance.now();
            if (now < end) times.push(now - from);
            from = now;
          }
        } finally {
          buyer.close();
        }
      };
      await Promise.all(Array.from({ length: BUYERS }, one));
      return { times, perSecond: times.length / lasting };
    };

    standBack();
    await round(isShort ? 1 : WARM_UP_SECONDS);
    await analyze(beltway);
    const rates: number[] = [];
    const slowest: number[] = [];
    const warm = bought.length;
    const costs = await countCosts(beltway);
    for (let number = 1; number <= rounds; number++) {
      const before = cpuSeconds(beltway.pid);
      const count = bought.length;
      const { times, perSecond } = await round(seconds);
      const cpu = ((cpuSeconds(beltway.pid) - before) / (bought.length - count)) * 1_000;
      rates.push(perSecond);
      slowest.push(percentile(times, 0.99));
      say(
        `round ${number}: ${perSecond.toFixed(0)} purchases/s, p50 ${percentile(times, 0.5).toFixed(0)} ` +
          `p99 ${slowest.at(-1)!.toFixed(0)} ms, ${cpu.toFixed(1)} server CPU seconds per 1,000`,
      );
    }

    const each = await costs(bought.length - warm);
    say(`each purchase: ${JSON.stringify(each)}`);
    const wrong = await differences(beltway.ticketing, event.id, bought);
    const { ok, checks } = await api.invariants();
    if (!ok) wrong.push(`invariants: ${JSON.stringify(checks)}`);
    say(`${bought.length} purchases, ${bought.reduce((sum, { quantity }) => sum + quantity, 0)} tickets`);
    wrong.forEach((line) => say(`NOT EXACT: ${line}`));
    return {
      perSecond: Math.round(median(rates)),
      p99Ms: Math.round(median(slowest)),
      each,
      exact: wrong.length === 0,
    };
  },
};
