import { randomUUID } from 'node:crypto';
import type { Event } from '@beltway/contracts/catalog/events';
import { eventually } from '@beltway/kit/testing';
import type { Bench } from '../support/bench.ts';
import { openConnection, requestOf } from '../support/connection.ts';
import { startSystem, type Running } from '../support/system.ts';
import { CANARY, startReaders, type Truth } from './readers.ts';

const READERS = 64;
const MISSES = 1_000;
const TICKETS = 100;
const DOWN_SECONDS = 60;
const CHANGE_EVERY_MS = 400;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const catalogOf = (system: Running) => system.processes().find(({ service }) => service === 'catalog');

/** Number of API GETs that the catalog has answered so far. */
async function readsOf(system: Running): Promise<number> {
  const text = await (await fetch(catalogOf(system)!.metrics!)).text();
  const lines = text.matchAll(/^http_requests_total\{method="GET",route="\/api[^"]*",status="\d+"\} (\d+)$/gm);
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Number of fetches that the gateway makes from the catalog while `work` runs. */
async function fetchesDuring(system: Running, work: () => Promise<unknown>): Promise<number> {
  const before = await readsOf(system);
  await work();
  await pause(200);
  return (await readsOf(system)) - before;
}

/**
 * Number of fetches in excess of one fetch per key and second, with a thousand concurrent misses and with readers of
 * three keys.
 */
async function extraFetches(system: Running, rounds: number, resume: () => void, stop: () => void): Promise<number> {
  const crowd = Array.from({ length: MISSES }, () => openConnection(system.port));
  let extra = 0;
  for (let round = 0; round < rounds; round++) {
    const path = `/api/events?q=${CANARY}less+${round}`;
    const started = performance.now();
    const fetches = await fetchesDuring(system, () =>
      Promise.all(crowd.map((one) => one.send(requestOf('GET', path, [])))),
    );
    extra += Math.max(0, fetches - Math.ceil((performance.now() - started) / 1_000));
  }
  crowd.forEach((one) => one.close());
  const started = performance.now();
  const fetches = await fetchesDuring(system, async () => {
    resume();
    await pause(5_000);
    stop();
    await pause(500);
  });
  return extra + Math.max(0, fetches - 3 * (Math.ceil((performance.now() - started) / 1_000) + 1));
}

/** Kills the catalog whenever it runs, until the returned function is called. */
function keepDown(system: Running): () => void {
  const kill = () => {
    const pid = catalogOf(system)?.pid;
    try {
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
    } catch {
      // The catalog was not running.
    }
  };
  kill();
  const timer = setInterval(kill, 50);
  return () => clearInterval(timer);
}

export const bench: Bench = {
  about: `${READERS} readers while events are published, edited and sold out, and while the catalog is killed`,
  defaults: { rounds: 5, seconds: 20 },
  short: { seconds: 3, size: 3 },

  async run(options) {
    const { rounds, seconds, size = DOWN_SECONDS, say, onEnd } = options;
    const system = await startSystem(options);
    const { api, port } = system;
    const organizer = await api.register('Ola Organizer', 'business');
    const tokens: string[] = [];
    for (let n = 0; n < 8; n++) tokens.push((await api.register(`Canary ${n}`)).token);
    const given = { contactEmail: `${CANARY}@example.test`, hasTickets: false, ticketSalesEnabled: false };
    const { id: eventId } = await api.launch(organizer.token, {
      ...given,
      hasTickets: true,
      ticketSalesEnabled: true,
      totalTickets: TICKETS,
      title: 'Edited 0',
    });
    tokens.push(organizer.token);

    const truth: Truth = { eventId, edits: [], published: [], isDown: false };
    const readers = startReaders(port, tokens, truth, READERS);
    onEnd(readers.end);

    let edit = 0;
    for (const until = performance.now() + seconds * 1_000; performance.now() < until; await pause(CHANGE_EVERY_MS)) {
      const title = `Edited ${++edit}`;
      await api.call('PATCH', `/api/events/${eventId}`, { title }, { token: organizer.token });
      truth.edits.push({ edit, at: performance.now() });
      if (edit % 3 !== 0) continue;
      const { id } = await api.launch(organizer.token, { ...given, title: `Night ${edit}` });
      truth.published.push({ id, at: performance.now() });
    }
    for (let held = 0; held < TICKETS; held += 10)
      await api.call(
        'POST',
        '/api/holds',
        { eventId, quantity: 10 },
        { token: tokens[0]!, headers: { 'idempotency-key': randomUUID() } },
      );
    await eventually(
      async () => {
        const answer = await fetch(new URL(`/api/events/${eventId}`, catalogOf(system)!.url));
        return ((await answer.json()) as Event).heldTickets === TICKETS;
      },
      { timeoutMs: 10_000, what: 'the catalog knows that all are held' },
    );
    truth.soldOutAt = performance.now();
    await pause(4_000);
    readers.pause();
    say(`${edit} edits and ${truth.published.length} events in ${seconds} s, read ${readers.counts.reads} times`);

    await pause(1_200);
    const extra = await extraFetches(system, rounds, readers.resume, readers.pause);

    readers.resume();
    await pause(1_000);
    truth.isDown = true;
    const comeBack = keepDown(system);
    onEnd(comeBack);
    await pause(size * 1_000);
    truth.isDown = false;
    readers.pause();
    await pause(500);
    comeBack();
    say(`catalog down for ${size} s, with ${readers.counts.downReads} reads`);
    await eventually(async () => (await api.ask('GET', '/api/events?q=after')).status === 200, {
      timeoutMs: 60_000,
      what: 'the catalog is back',
    });
    readers.resume();
    await pause(3_000);
    await readers.end();

    const { counts } = readers;
    counts.examples.forEach((line) => say(`NOT EXACT: ${line}`));
    const figures = {
      stale: counts.stale,
      private: counts.private,
      extraFetches: extra,
      unanswered: counts.unanswered,
    };
    return {
      ...figures,
      reads: counts.reads,
      readsWhileDown: counts.downReads,
      exact: Object.values(figures).every((count) => count === 0) && counts.reads > 0 && counts.downReads > 0,
    };
  },
};
