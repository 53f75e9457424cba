import { setTimeout as pause } from 'node:timers/promises';
import type { Hold } from '@beltway/contracts/ticketing/tickets';
import { expect, test } from 'vitest';
import { codes, fillCard, fillDetails, pay } from './support/pages.ts';
import { instanceProcess, isReady, processesOf } from './support/processes.ts';
import { stage } from './support/stage.ts';
import { eventually } from './support/wait.ts';

const here = stage({ env: { BELTWAY_REPLICAS: 'gateway:2,ticketing:2' } });

const processOf = (name: string) => instanceProcess(here.beltway.dataDir, name);
const kill = (name: string) => {
  const pid = processOf(name);
  if (!pid) throw new Error(`${name} does not run`);
  process.kill(pid, 'SIGKILL');
  return pid;
};
const runsAgain = (name: string, old: number) =>
  eventually(() => ![undefined, old].includes(processOf(name)), { timeoutMs: 60_000, what: `${name} runs again` });

/**
 * Holds tickets like an API client, with one idempotency key. Retries for up to 40 s, after a refusal or after 3 s
 * without a response.
 */
async function hold(eventId: number, quantity: number, refusals: number[] = []): Promise<Hold> {
  const patient = { timeoutMs: 60_000 };
  const made = () => here.api.ask<{ key: string }>('POST', '/api/order-keys', undefined, { timeoutMs: 3_000 });
  const key = {
    'idempotency-key': await eventually(async () => (await made()).body.key, {
      ...patient,
      what: 'a key for an order',
    }),
  };
  return eventually(
    async () => {
      const answer = await here.api.ask<Hold>(
        'POST',
        '/api/holds',
        { eventId, quantity },
        { headers: key, timeoutMs: 3_000 },
      );
      if (answer.status === 201) return answer.body;
      refusals.push(answer.status);
      return undefined;
    },
    { ...patient, what: 'a hold' },
  );
}

test('two instances of ticketing are killed in turn during sales: the other serves buyers, and no acknowledged hold is lost', async () => {
  const { event } = await here.api.organize({ title: 'Two Of Us', totalTickets: 10_000 });
  const promised: Hold[] = [];
  const refusals: number[] = [];
  let buying = true;
  const buyer = async () => {
    while (buying) {
      promised.push(await hold(event.id, 1, refusals));
      await pause(20); // at a person's pace, not as fast as possible
    }
  };
  const people = Promise.all([buyer(), buyer(), buyer(), buyer()]);
  const soldMore = (what: string) => {
    const before = promised.length;
    return eventually(() => promised.length > before + 10, { timeoutMs: 60_000, what });
  };
  for (const name of ['ticketing', 'ticketing-2']) {
    await soldMore(`people buy while ${name} runs`);
    const old = kill(name);
    await soldMore(`people buy after ${name} was killed`);
    await runsAgain(name, old);
  }
  buying = false;
  await people;
  // Every refusal that made a buyer retry was a 503.
  expect(refusals.filter((status) => status !== 503)).toEqual([]);
  expect(new Set(promised.map(({ orderId }) => orderId)).size).toBe(promised.length);
  for (const order of promised) expect((await here.api.order(order)).status).toBe('held');
  expect(await here.api.stock(event.id)).toMatchObject({ held: promised.length, sold: 0 });
});

test('an instance of ticketing hangs: the other instance sells in the meantime', async () => {
  const { event } = await here.api.organize({ title: 'Stand Still', totalTickets: 100 });
  for (const name of ['ticketing', 'ticketing-2']) {
    const frozen = processOf(name)!;
    process.kill(frozen, 'SIGSTOP');
    try {
      await hold(event.id, 3);
    } finally {
      process.kill(frozen, 'SIGCONT');
    }
  }
  await eventually(async () => (await here.api.stock(event.id)).held === 6, { timeoutMs: 60_000, what: '6 are held' });
});

test('two gateways and two instances of ticketing are killed in turn while a page is open: the purchase continues', async () => {
  const { event } = await here.api.organize({ title: 'Open Page' });
  const page = await here.visitor();
  await page.goto(`/event/${event.id}`);
  await page.getByText('50 of 50 available').waitFor();
  const killed = [kill('gateway'), kill('ticketing')];
  await page.getByRole('link', { name: 'Buy Tickets' }).click();
  await fillDetails(page, 'Ines Stance', 'ines@example.test', 2);
  await runsAgain('gateway', killed[0]!);
  await runsAgain('ticketing', killed[1]!);
  await areReady();
  kill('gateway-2');
  kill('ticketing-2');
  await fillCard(page);
  await pay(page);
  await page.getByRole('heading', { name: 'Your 2 tickets are here' }).waitFor();
  await expect.poll(() => codes(page).count()).toBe(2);
  expect(await here.api.mailTo('ines@example.test')).toBeDefined();
  expect(await here.api.mailsTo('ines@example.test')).toHaveLength(1);
  expect(await here.api.stock(event.id)).toMatchObject({ sold: 2, held: 0 });
});

/**
 * Checks each instance separately, because on the gateways' shared port a running gateway may respond in place of the
 * killed gateway.
 */
const areReady = () =>
  eventually(
    async () => {
      const instances = processesOf(here.beltway.dataDir).filter(({ service }) =>
        ['gateway', 'ticketing'].includes(service),
      );
      const answers = await Promise.all(instances.map((instance) => isReady(instance)));
      return answers.length === 4 && answers.every(Boolean);
    },
    { timeoutMs: 60_000, what: 'every instance is ready' },
  );
