import { startPeer } from '../peers/start.ts';
import type { Bench } from '../support/bench.ts';
import { countCosts, type Costs } from '../support/costs.ts';
import { digits, median, ratioOf } from '../support/statistics.ts';
import { standBack, startSystem, tokensOf } from '../support/system.ts';
import { differences, logDifferences } from './check.ts';
import { holdRequests } from './holds.ts';
import { refusals, touched } from './refusals.ts';
import { sellOut, type Round, type Side } from './sides.ts';

const CONNECTIONS = 256;
const USERS = 300;
const WARM_UP_ROUNDS = 2;
/**
 * Each side runs for about this time before each measured round (except in short mode), because it was idle while the
 * other side ran.
 */
const RUN_IN_SECONDS = 3;
/** Number of tickets in the first round, which measures the rate of each side. */
const FIRST = { ours: 2_000, peer: 400 };

export const bench: Bench = {
  about: 'POST /api/holds until sold out and beyond, 256 connections, against Express + http-proxy-middleware + Prisma',
  defaults: { rounds: 5, seconds: 6 },

  async run(options) {
    const { rounds, seconds, isShort, say } = options;
    const beltway = await startSystem(options);
    const jwks = await fetch(
      new URL('/.well-known/jwks.json', beltway.processes().find(({ service }) => service === 'identity')!.url),
    );
    const peer = await startPeer({ adminUrl: beltway.adminUrl, jwks: await jwks.text() }, options);
    const tokens = await tokensOf(beltway.api, isShort ? USERS / 10 : USERS);
    const organizer = await beltway.api.register('Ola Organizer', 'business');
    say(`${tokens.length} signed-in buyers, ${CONNECTIONS} connections`);
    const postgres = beltway.processes().find(({ service }) => service === 'postgres')!.pid;
    let peerEvent = 0;

    const sides: Record<'ours' | 'peer', Side> = {
      ours: {
        port: beltway.port,
        pids: [beltway.pid],
        database: beltway.ticketing,
        open: async (capacity) => (await beltway.api.launch(organizer.token, { totalTickets: capacity })).id,
        check: async (id, capacity, promised) => [
          ...(await differences(beltway.ticketing, id, capacity, promised)),
          ...(await logDifferences(beltway.ticketing, id, promised)),
        ],
      },
      peer: {
        port: peer.port,
        pids: [...peer.pids, postgres],
        database: peer.database,
        open: async (capacity) => {
          await peer.database.query(
            'insert into availability (event_id, organizer_id, capacity, price_cents, version) values ($1, 1, $2, 2500, 0)',
            [++peerEvent, capacity],
          );
          return peerEvent;
        },
        check: (id, capacity, promised) => differences(peer.database, id, capacity, promised),
      },
    };

    standBack();
    const capacities = isShort ? { ours: 500, peer: 100 } : { ...FIRST };
    const measured: Record<'ours' | 'peer', Round[]> = { ours: [], peer: [] };
    const wrong: string[] = [];
    let each: Costs | undefined;
    // Rounds numbered 0 or less are warm-up rounds; they also measure the rate of each side. From the second round on,
    // the capacity is chosen from the side's previous rate, so that the tickets sell out in about half of the round's
    // time.
    for (let round = 1 - WARM_UP_ROUNDS; round <= rounds; round++) {
      for (const name of ['ours', 'peer'] as const) {
        const capacity = Math.max(Math.round(capacities[name]), 50);
        if (round > 0 && !isShort) {
          const some = Math.max(Math.round((capacity * RUN_IN_SECONDS * 2) / seconds), 50);
          await sellOut(sides[name], { tokens, capacity: some, connections: CONNECTIONS, beyond: 0 });
        }
        // Both the costs and the CPU time include the refusals after the sale sells out in the same round.
        const costs = name === 'ours' && round === rounds ? await countCosts(beltway) : undefined;
        const one = await sellOut(sides[name], { tokens, capacity, connections: CONNECTIONS, beyond: seconds / 2 });
        capacities[name] = (one.perSecond * seconds) / 2;
        each = (await costs?.(capacity)) ?? each;
        wrong.push(...one.wrong.map((line) => `${name}: ${line}`));
        if (round > 0) measured[name].push(one);
        say(
          `${round <= 0 ? 'warm-up' : `round ${round}`}: ${name.padEnd(5)} ${capacity} tickets at ${Math.round(one.perSecond)}/s, ` +
            `p50 ${one.p50Ms.toFixed(1)} p99 ${one.p99Ms.toFixed(1)} ms, then ${Math.round(one.refusals)} refusals/s`,
        );
      }
    }
    for (const name of ['ours', 'peer'] as const) {
      const of = (pick: (one: Round) => number) => median(measured[name].map(pick));
      say(
        `${name.padEnd(5)} ${Math.round(of((one) => one.perSecond))}/s, p99 ${of((one) => one.p99Ms).toFixed(1)} ms, ` +
          `${of((one) => one.cpu).toFixed(3)} server CPU seconds per 1,000 holds, including the round's refusals`,
      );
    }

    say(`cost per hold in the last round: ${JSON.stringify(each)}`);
    const soldOut = await sides.ours.open(1);
    const next = holdRequests(tokens, soldOut);
    await sellOut({ ...sides.ours, open: async () => soldOut }, { tokens, capacity: 1, connections: 1, beyond: 0.1 });
    const after = await refusals(beltway.ticketing, {
      port: beltway.port,
      connections: CONNECTIONS,
      seconds: isShort ? 1 : 5,
      next,
    });
    say(
      `sold out: ${after.refused} refusals at ${Math.round(after.perSecond)}/s, p99 ${after.p99Ms.toFixed(1)} ms, ` +
        `${after.extra} more transactions in ticketing's database than when idle`,
    );
    if (touched(after)) wrong.push('refusals touched the database');
    const { ok, checks } = await beltway.api.invariants();
    if (!ok) wrong.push(`invariants: ${JSON.stringify(checks)}`);
    wrong.forEach((line) => say(`NOT EXACT: ${line}`));
    const pick = (name: 'ours' | 'peer', what: 'perSecond' | 'p99Ms') => measured[name].map((one) => one[what]);
    return {
      ratios: {
        'express-prisma': ratioOf(pick('ours', 'perSecond'), pick('peer', 'perSecond')),
        p99: digits(ratioOf(pick('peer', 'p99Ms'), pick('ours', 'p99Ms'))),
      },
      each,
      exact: wrong.length === 0,
    };
  },
};
