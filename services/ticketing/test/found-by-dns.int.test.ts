import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from '@beltway/kit/free-ports';
import { instances, sendTo, type Instances } from '@beltway/kit/instances';
import { eventually } from '@beltway/kit/testing';
import { dnsServer } from '@beltway/kit/testing-dns';
import { call, eventState, guestKey, openDoor, putOnSale, startTicketing, stockOf } from './support.ts';

const SALES = Array.from({ length: 24 }, (_, n) => 42 + n);
const NAME = 'ticketing.test';
let dns: Awaited<ReturnType<typeof dnsServer>>;
beforeEach(async () => void (dns = await dnsServer()));
afterEach(() => dns.close());

/** Ticketing behind a DNS name. `says` resolves it to the instances at 127.0.0.<end>. */
async function behindName() {
  const port = await freePort();
  const found = { urls: [`http://${NAME}:${port}`], lookup: dns.lookup, lookupMs: 50 };
  const ticketing = await startTicketing();
  const start = async (end: number) => ticketing.instance(await openDoor(`127.0.0.${end}`, port), found);
  const says = (...ends: number[]) =>
    dns.names.set(
      NAME,
      ends.map((end) => `127.0.0.${end}`),
    );
  await putOnSale(ticketing, ...SALES.map((id) => eventState(id, 1_000)));
  return { ...ticketing, found, start, says };
}
type Instance = Awaited<ReturnType<Awaited<ReturnType<typeof behindName>>['start']>>;

/**
 * Simulates buyers whose calls a gateway forwards: half of the calls to the instance of the sale, half to any instance.
 * Each buyer holds a ticket with a key and gives the hold back. If a connection breaks, the hold is sent again with the
 * same key.
 */
function load(at: Instances) {
  const failed: unknown[] = [];
  const state = { holds: 0, going: true };
  const send = async (id: number, n: number, path: string, method: string, headers: Record<string, string>) => {
    const first = n % 2 ? at.forKey(id) : at.pick();
    const body = method === 'POST' ? { body: { eventId: id, quantity: 1 } } : {};
    return sendTo(at, (url) => call(url, method, path, { ...body, headers }), { changes: false, first });
  };
  const buyer = async () => {
    while (state.going) {
      const n = state.holds++;
      const id = SALES[n % SALES.length]!;
      const key = guestKey(`buyer-${n}`);
      try {
        const hold = await send(id, n, '/api/holds', 'POST', { 'idempotency-key': key });
        if (hold.status !== 201) failed.push([hold.status, hold.body]);
        const { orderId, accessKey } = hold.body as { orderId: string; accessKey: string };
        const end = await send(id, n + 1, `/api/holds/${orderId}`, 'DELETE', { 'x-order-key': accessKey });
        if (end.status !== 204) failed.push([end.status, end.body]);
      } catch (error) {
        failed.push(error);
      }
    }
  };
  const buyers = Promise.all(Array.from({ length: 8 }, buyer));
  const more = async (count: number) => {
    const from = state.holds;
    await eventually(() => state.holds > from + count, { what: `${count} more holds` });
  };
  const end = async () => {
    state.going = false;
    await buyers;
    return { failed, holds: state.holds };
  };
  return { more, end };
}

/** Waits until all views have the same ready instances, so that all route a sale to the same one. */
const agree = (views: Array<(id: number) => string | undefined>, count: number) =>
  eventually(
    () =>
      SALES.every((id) => new Set(views.map((of) => of(id))).size === 1) &&
      new Set(SALES.map((id) => views[0]!(id))).size === count,
    { what: `${count} owners of the sales, the same for all` },
  );

async function nothingLost({ rows, url }: Awaited<ReturnType<typeof behindName>>, holds: number) {
  expect(await rows(`select from events where type = 'TicketsHeld'`)).toHaveLength(holds);
  for (const id of SALES) expect(await stockOf({ url }, id)).toMatchObject({ sold: 0, held: 0 });
}

test('one instance becomes three and one again under load: no request fails, and sales move to their new owners', async () => {
  const ticketing = await behindName();
  const { start, says, found } = ticketing;
  const one = await start(2);
  says(2);
  const clients = instances({ service: 'ticketing', ...found, probeMs: 50, timeoutMs: 10_000 });
  await clients.started;
  const { more, end } = load(clients);
  await more(50);

  const all: Instance[] = [one, await start(3), await start(4)];
  says(2, 3, 4);
  await agree([clients.forKey, ...all.map(({ urlOf }) => urlOf)], 3);
  await more(20); // finishes requests that were already in progress
  for (const { decided } of all) decided.length = 0;
  await more(200);
  for (const { decided, url } of all) {
    expect(decided.length).toBeGreaterThan(0);
    expect(decided.filter((id) => clients.forKey(Number(id)) !== url)).toEqual([]);
  }

  // DNS still lists a stopped instance for a while, because caches do.
  says(2, 4);
  await Promise.all(all.slice(1).map((instance) => instance.leave(500)));
  await more(50);
  says(2);
  await agree([clients.forKey, one.urlOf], 1);
  await more(50);
  const { failed, holds } = await end();
  clients.stop();
  expect(failed).toEqual([]);
  await nothingLost(ticketing, holds);
});

test('a rolling update under load: one instance after the other is replaced, and no request fails', async () => {
  const ticketing = await behindName();
  const { start, says, found } = ticketing;
  let running: Array<[end: number, instance: Instance]> = [
    [2, await start(2)],
    [3, await start(3)],
  ];
  says(2, 3);
  const clients = instances({ service: 'ticketing', ...found, probeMs: 50, timeoutMs: 10_000 });
  await clients.started;
  const { more, end } = load(clients);
  await more(30);
  for (const next of [4, 5]) {
    // Like a headless Service that also lists pods that are not ready: an instance is listed before it listens and
    // until it has stopped.
    says(...running.map(([one]) => one), next);
    const started = await start(next);
    await eventually(() => clients.idOf(started.url) !== undefined);
    const [[, oldest], ...rest] = running as [[number, Instance], ...typeof running];
    await oldest.leave(500);
    running = [...rest, [next, started]];
    says(...running.map(([one]) => one));
    await more(30);
  }
  await agree([clients.forKey, ...running.map(([, { urlOf }]) => urlOf)], 2);
  const { failed, holds } = await end();
  clients.stop();
  expect(failed).toEqual([]);
  await nothingLost(ticketing, holds);
});

test('if an instance that owns sales is killed and restarts at another IP address, no buyer is refused or holds twice', async () => {
  const ticketing = await behindName();
  const { start, says, found } = ticketing;
  const all: Instance[] = [await start(2), await start(3)];
  says(2, 3);
  const clients = instances({ service: 'ticketing', ...found, probeMs: 50, timeoutMs: 10_000 });
  await clients.started;
  await agree([clients.forKey, ...all.map(({ urlOf }) => urlOf)], 2);
  const { more, end } = load(clients);
  await more(50);
  await all[1]!.stop();
  await more(50);
  const again = await start(4);
  says(2, 4);
  await agree([clients.forKey, all[0]!.urlOf, again.urlOf], 2);
  await more(50);
  const { failed, holds } = await end();
  clients.stop();
  expect(failed).toEqual([]);
  await nothingLost(ticketing, holds);
});
