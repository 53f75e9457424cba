import { setTimeout as pause } from 'node:timers/promises';
import type { Problem } from '@beltway/contracts/common/basics';
import { eventually } from './support/wait.ts';
import { expect, test } from 'vitest';
import type { Answer } from './support/api.ts';
import { codes, fillCard, fillDetails, pay } from './support/pages.ts';
import { postgresProcess, serviceProcess } from './support/processes.ts';
import { stage } from './support/stage.ts';

const here = stage();

const processOf = (name: string) => {
  const pid = serviceProcess(here.beltway.pid, name);
  if (!pid) throw new Error(`${name} does not run`);
  return pid;
};
const SERVICES = ['identity', 'catalog', 'ticketing', 'payments', 'realtime', 'media', 'sandbox', 'gateway'];

/** Expects a 503 problem+json with a text for people, a code for programs, and a retry time. */
function expectUnavailable({ status, headers, body }: Answer<unknown>) {
  expect({ status, type: headers.get('content-type') }).toEqual({
    status: 503,
    type: 'application/problem+json; charset=utf-8',
  });
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(body as Problem).toMatchObject({ status: 503, code: 'unavailable' });
}

const ready = () =>
  eventually(async () => (await here.api.ask('GET', '/api/health/ready')).status === 200, {
    timeoutMs: 60_000,
    what: 'everything is ready again',
  });

test('the card provider hangs: no orphaned hold remains, browsing continues, and sales resume', async () => {
  const { event } = await here.api.organize({ title: 'Standing Still' });
  const begun = await here.api.intent(event.id, 2);
  const sandbox = processOf('sandbox');
  process.kill(sandbox, 'SIGSTOP');
  try {
    const refused = here.api.ask('POST', '/api/create-ticket-payment-intent', {
      eventId: event.id,
      quantity: 3,
      ticketHolderName: 'Gail Guest',
      ticketHolderEmail: 'gail@example.test',
    });
    const page = await here.visitor();
    await page.goto('/');
    await page.getByRole('heading', { name: 'Standing Still' }).first().waitFor();
    await page.getByRole('heading', { name: 'Standing Still' }).first().click();
    // The page explains the outage, and the same button works later.
    await page.getByRole('link', { name: 'Buy Tickets' }).click();
    await page.getByLabel('Name on the tickets').fill('Pat Patient');
    await page.getByLabel('Email').fill('pat@example.test');
    await page.getByRole('button', { name: /^Continue to payment/ }).click();
    expectUnavailable(await refused);
    await page.getByText('Setup Error', { exact: true }).first().waitFor();
    await page.getByText('Unable to initialize payment. Please try again.').first().waitFor();
    // The hold of the refused API call is released. The earlier hold stays. The page's hold also stays, for the next
    // try.
    await eventually(async () => (await here.api.stock(event.id)).held === 3, { what: 'the hold was given back' });
    process.kill(sandbox, 'SIGCONT');
    await eventually(async () => (await here.api.ask('GET', '/dev/payments/state')).status === 200);
    await page.getByRole('button', { name: /^Continue to payment/ }).click();
    await fillCard(page);
    await pay(page);
    await page.getByRole('heading', { name: 'Your ticket is here' }).waitFor();
  } finally {
    process.kill(sandbox, 'SIGCONT');
  }
  await here.api.confirm(begun);
  expect((await here.api.process(begun)).status).toBe('fulfilled');
  expect(await here.api.stock(event.id)).toMatchObject({ sold: 3, held: 0 });
});

test('PostgreSQL is killed three times: clear refusals until it is back, automatic recovery, no acknowledged write lost', async () => {
  const { organizer, event } = await here.api.organize({ title: 'Lights Out', totalTickets: 100_000 });
  const begun = await here.api.intent(event.id, 2, 'begun@example.test');
  const before = SERVICES.map((name) => [name, processOf(name)]);
  const page = await here.visitor();
  await page.goto(`/event/${event.id}`);
  await page.getByText('100,000 of 100,000 available').waitFor();

  const promised: Array<{ orderId: string; accessKey: string }> = [];
  const refused: Array<Answer<unknown>> = [];
  let buying = true;
  const buyer = async () => {
    while (buying) {
      const answer = await here.api.ask<{ orderId: string; accessKey: string }>('POST', '/api/holds', {
        eventId: event.id,
        quantity: 1,
      });
      if (answer.status === 201) promised.push(answer.body);
      else refused.push(answer);
      await pause(20); // at a person's pace, not as fast as possible
    }
  };
  const browser = async () => {
    while (buying) {
      // Served from the cache, whichever service is down.
      expect((await here.api.ask('GET', `/api/events/${event.id}`)).status).toBe(200);
      await pause(20);
    }
  };
  const turnedAway: Array<Answer<unknown>> = [];
  const owner = async () => {
    while (buying) {
      const answer = await here.api.ask('GET', `/api/orders/${begun.orderId}`, undefined, {
        headers: { 'x-order-key': begun.accessKey },
      });
      if (answer.status !== 200) turnedAway.push(answer);
      await pause(20);
    }
  };
  const people = Promise.all([buyer(), buyer(), buyer(), browser(), owner()]);
  try {
    for (let kills = 0; kills < 3; kills++) {
      const server = await eventually(() => postgresProcess(here.beltway.dataDir));
      process.kill(server, 'SIGKILL');
      const again = () => ![undefined, server].includes(postgresProcess(here.beltway.dataDir));
      await eventually(again, { timeoutMs: 60_000, what: 'PostgreSQL runs again' });
      const said = promised.length;
      await eventually(() => promised.length > said + 4, { timeoutMs: 60_000, what: 'holds are made again' });
    }
  } finally {
    buying = false;
  }
  await people;
  // Without refusals, the test would prove nothing. Only the total counts, because an outage lasts a second or two, and
  // the owner's requests may miss an outage.
  expect(turnedAway.length).toBeGreaterThan(0);
  for (const answer of [...refused, ...turnedAway]) expectUnavailable(answer);
  await ready();
  expect(SERVICES.map((name) => [name, processOf(name)])).toEqual(before);

  for (const order of promised) expect((await here.api.order(order)).status).toBe('held');
  // A hold may exist although its response was interrupted. An acknowledged hold is never missing.
  const { held } = await here.api.stock(event.id);
  expect(held).toBeGreaterThanOrEqual(promised.length + 2);
  expect(held).toBeLessThanOrEqual(promised.length + 2 + refused.length);

  await here.api.confirm(begun);
  expect((await here.api.process(begun)).status).toBe('fulfilled');
  await here.api.mailTo('begun@example.test');
  // Waits until all bus consumers have caught up: the organizer's figures and the open page.
  await eventually(
    async () => {
      const [own] = await here.api.call<Array<{ soldTickets: number }>>(
        'GET',
        `/api/users/${organizer.user.id}/events`,
        undefined,
        { token: organizer.token },
      );
      return own?.soldTickets === 2;
    },
    { timeoutMs: 60_000, what: 'the sale is known to the catalog' },
  );
  await page.getByText('99,998 of 100,000 available').waitFor();
});

test('ticketing is killed in the middle of a purchase: it restarts automatically, and the purchase continues', async () => {
  const { event } = await here.api.organize({ title: 'Second Wind' });
  const page = await here.visitor();
  await page.goto(`/ticket-checkout?eventId=${event.id}`);
  await fillDetails(page, 'Sal Steady', 'sal@example.test', 2);
  const old = processOf('ticketing');
  process.kill(old, 'SIGKILL');
  expectUnavailable(
    await here.api.ask('POST', '/api/create-ticket-payment-intent', {
      eventId: event.id,
      quantity: 1,
      ticketHolderName: 'Gail Guest',
      ticketHolderEmail: 'gail@example.test',
    }),
  );
  // The card is charged while ticketing is down.
  await fillCard(page);
  await pay(page);
  await page.getByRole('heading', { name: 'Your 2 tickets are here' }).waitFor();
  await expect.poll(() => codes(page).count()).toBe(2);
  expect(processOf('ticketing')).not.toBe(old);
  await here.api.mailTo('sal@example.test');
  expect(await here.api.stock(event.id)).toMatchObject({ sold: 2, held: 0 });
  await ready();
});
