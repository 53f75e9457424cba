import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { answer, fakeApi, problem, type FakeCall } from '../../testing/fake-api.ts';
import { sessionFixture } from '../../testing/fixtures.ts';
import { ORDER_ID, orderFixture } from '../../testing/orders.ts';
import { renderAt } from '../../testing/render.tsx';

beforeEach(() => sessionStore.set(sessionFixture({ role: 'admin' })));
afterEach(() => vi.unstubAllGlobals());

const open = (tab: string, answers: Record<string, unknown>) => {
  const calls = fakeApi(answers);
  renderAt(tab ? `/ops?tab=${tab}` : '/ops');
  return calls;
};
const opsCalls = (calls: FakeCall[]) => calls.filter(({ path }) => path.startsWith('/api/ops'));
const LETTER_ID = '0b0e7a5c-1111-8111-8111-111111111111';

test('the page is for admins only, and requests nothing for others', async () => {
  sessionStore.set(sessionFixture({ role: 'business' }));
  const calls = open('', {});
  expect(await screen.findByRole('heading', { name: 'For admins only' })).toBeTruthy();
  expect(opsCalls(calls)).toEqual([]);
});

test('an admin without codes at sign-in is led to turning them on', async () => {
  sessionStore.set(sessionFixture({ role: 'user', codesRequired: true }));
  const calls = open('', {});
  expect(await screen.findByRole('heading', { name: 'Turn on codes at sign-in first' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Go to your account' }).getAttribute('href')).toBe('/account');
  expect(opsCalls(calls)).toEqual([]);
});

test('a former admin sees why nothing is shown', async () => {
  const detail = 'Your account isn’t allowed to do this.';
  open('', { 'GET /api/ops/services': () => problem(403, 'forbidden', { detail }) });
  expect(await screen.findByText('Your account isn’t allowed to do this.')).toBeTruthy();
});

const status = (service: string, more: object = {}) => ({
  ...{ service, version: '1.2.0', commit: 'abcdef0123456789', startedAt: '2030-07-01T00:00:00.000Z' },
  ...{ uptimeSeconds: 93_784, ready: true, failed: {}, followers: [], groups: [] },
  ...more,
});

test('services: each instance with version, uptime and lag; an instance that does not respond is marked', async () => {
  open('', {
    'GET /api/ops/services': {
      at: '2030-07-02T15:30:00.000Z',
      services: [
        {
          service: 'ticketing',
          instances: [
            {
              address: '10.0.0.1:4000',
              problem: null,
              status: status('ticketing', {
                followers: [
                  { name: 'relay', events: 1, seconds: 125 },
                  { name: 'mail', events: 0, seconds: 0 },
                ],
                groups: [
                  { group: 'ticketing.catalog', messages: 0 },
                  { group: 'ticketing.payments', messages: null },
                ],
              }),
            },
            { address: '10.0.0.2:4000', problem: 'It does not answer.', status: null },
          ],
        },
        {
          service: 'media',
          instances: [
            {
              address: '10.0.0.3:4000',
              problem: null,
              status: status('media', {
                ready: false,
                failed: { database: 'no answer in 2000 ms' },
                version: null,
                commit: null,
              }),
            },
          ],
        },
      ],
    },
  });
  const first = within(await screen.findByRole('article', { name: 'ticketing, 10.0.0.1:4000' }));
  for (const words of [
    'Ready',
    '1.2.0 (abcdef012345)',
    '1 d 2 h',
    'relay: 1 event, 2 min',
    'ticketing.payments: unknown',
  ])
    expect(first.getByText(words)).toBeTruthy();
  expect(first.queryByText(/mail|ticketing\.catalog/)).toBeNull();
  const second = within(screen.getByRole('article', { name: 'ticketing, 10.0.0.2:4000' }));
  expect(second.getByText('No response')).toBeTruthy();
  expect(second.getByText('It does not answer.')).toBeTruthy();
  const third = within(screen.getByRole('article', { name: 'media, 10.0.0.3:4000' }));
  for (const words of ['Not ready', 'unknown', 'database: no answer in 2000 ms', 'no consumers'])
    expect(third.getByText(words)).toBeTruthy();
  expect(screen.getByText('Instances').nextSibling?.textContent).toBe('3');
});

const JOBS = 'GET /api/ops/jobs';
const RETRY = 'POST /api/ops/jobs/retry';
const job = (key: string, more: object = {}) => ({
  ...{ key, attempts: 20, cause: 'Error: <script>alert(1)</script>' },
  ...{ queuedAt: '2030-07-02T05:30:00.000Z', failedAt: '2030-07-02T15:30:00.000Z' },
  ...more,
});
const queue = (...jobs: object[]) => ({ service: 'identity', queue: 'account-mail', failed: jobs.length, jobs });

test('jobs: each queue with its jobs and causes; a job is retried after a confirmation, and the list reloads', async () => {
  let failed = [job('one'), job('two', { attempts: 1 })];
  const calls = open('jobs', {
    [JOBS]: () => ({ queues: failed.length > 0 ? [queue(...failed)] : [], missing: [] }),
    [RETRY]: () => {
      failed = failed.slice(1);
      return { count: 1 };
    },
  });
  const card = within(await screen.findByRole('region', { name: 'account-mail in identity' }));
  expect(card.getByText('2 jobs')).toBeTruthy();
  expect(card.getAllByText('Error: <script>alert(1)</script>')).toHaveLength(2);
  expect(document.querySelector('main script')).toBeNull();
  expect(card.getByText(/^Tried once since/)).toBeTruthy();
  await userEvent.click(card.getByRole('button', { name: 'Run again: one' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Run this job again?' }));
  expect(calls.some(({ path }) => path.endsWith('/retry'))).toBe(false);
  await userEvent.click(dialog.getByRole('button', { name: 'Run again' }));
  expect(await screen.findByText('1 job runs again')).toBeTruthy();
  await waitFor(() => expect(card.queryByText('one')).toBeNull());
  expect(card.getByText('1 job')).toBeTruthy();
  const retries = calls.filter(({ path }) => path.endsWith('/retry'));
  expect(retries.map(({ body }) => body)).toEqual([{ service: 'identity', queue: 'account-mail', key: 'one' }]);
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Jobs'));
});

test('jobs: a whole queue is retried; only the oldest jobs are listed; missing services are named', async () => {
  let isFailed = true;
  const calls = open('jobs', {
    [JOBS]: () => ({
      queues: isFailed ? [{ ...queue(job('one')), failed: 75 }] : [],
      missing: ['media', 'realtime'],
    }),
    [RETRY]: () => {
      isFailed = false;
      return { count: 75 };
    },
  });
  expect(await screen.findByText('Showing the oldest 1.')).toBeTruthy();
  expect(screen.getByText('media and realtime didn’t respond. Their parts are missing here.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Run all again…' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Run all jobs in this queue again?' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Run again' }));
  expect(await screen.findByText('75 jobs run again')).toBeTruthy();
  expect(await screen.findByRole('heading', { name: 'No failed jobs' })).toBeTruthy();
  const retries = calls.filter(({ path }) => path.endsWith('/retry'));
  expect(retries.map(({ body }) => body)).toEqual([{ service: 'identity', queue: 'account-mail' }]);
});

const LETTERS = 'GET /api/ops/dead-letters';
const letter = (more: object = {}) => ({
  ...{ id: LETTER_ID, group: 'ticketing.catalog', type: 'catalog.event-published', key: 'event-7', messageId: 'm1' },
  ...{ at: '2030-07-02T15:30:00.000Z', attempts: 5, cause: 'Error: <script>alert(1)</script>', state: 'waiting' },
  ...{ outline: '{ title: "hidden" }', settledAt: null, replayable: true },
  ...more,
});
const letters = (...items: object[]) => ({
  items,
  groups: [{ group: 'ticketing.catalog', waiting: items.length, hasMore: false }],
  nextCursor: null,
});

test('dead letters: a cause is escaped; replay asks for confirmation and is sent once', async () => {
  let waiting = true;
  const replay = `POST /api/ops/dead-letters/${LETTER_ID}/replay`;
  const calls = open('dead-letters', {
    [LETTERS]: () => (waiting ? letters(letter()) : letters()),
    [replay]: () => {
      waiting = false;
      return letter({ state: 'replayed', settledAt: '2030-07-02T16:00:00.000Z' });
    },
  });
  const card = within(await screen.findByRole('article', { name: 'catalog.event-published in ticketing.catalog' }));
  expect(card.getByText('Error: <script>alert(1)</script>')).toBeTruthy();
  expect(document.querySelector('main script')).toBeNull();
  await userEvent.click(card.getByRole('button', { name: 'Replay…' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Replay this dead letter?' }));
  expect(calls.some(({ path }) => path.endsWith('/replay'))).toBe(false);
  await userEvent.click(dialog.getByRole('button', { name: 'Replay' }));
  expect(await screen.findByText('Sent to its group again')).toBeTruthy();
  expect(await screen.findByRole('heading', { name: 'All caught up' })).toBeTruthy();
  expect(calls.filter(({ path }) => path.endsWith('/replay'))).toHaveLength(1);
  expect(screen.queryByRole('dialog')).toBeNull();
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Dead letters'));
});

test('dead letters: another admin’s concurrent action is shown in the dialog, and the list reloads', async () => {
  let waiting = true;
  open('dead-letters', {
    [LETTERS]: () => (waiting ? letters(letter()) : letters()),
    [`POST /api/ops/dead-letters/${LETTER_ID}/discard`]: () => {
      waiting = false;
      return problem(409, 'already-replayed', { detail: 'This dead letter was already replayed.' });
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Discard…' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Discard this dead letter?' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Discard' }));
  expect(await dialog.findByText('This dead letter was already replayed.')).toBeTruthy();
  await waitFor(() => expect(screen.getByText('All caught up')).toBeTruthy());
  expect(dialog.getByText('This dead letter was already replayed.')).toBeTruthy();
  await userEvent.click(dialog.getByRole('button', { name: 'Keep it' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('dead letters: only a press loads the full message, because each view is recorded', async () => {
  const calls = open('dead-letters', {
    [LETTERS]: letters(letter({ replayable: false })),
    [`POST /api/ops/dead-letters/${LETTER_ID}/look`]: {
      ...{ cause: 'Error: a bug', stack: ['at x.ts:1'], message: '{ "title": "Jazz" }', isCut: true },
    },
  });
  const show = await screen.findByRole('button', { name: 'Show it all' });
  expect(screen.queryByRole('button', { name: 'Replay…' })).toBeNull();
  expect(calls.some(({ path }) => path.endsWith('/look'))).toBe(false);
  await userEvent.click(show);
  expect(await screen.findByText('{ "title": "Jazz" }')).toBeTruthy();
  expect(screen.getByText('The rest of the message is cut off.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Hide it' }));
  expect(screen.queryByText('{ "title": "Jazz" }')).toBeNull();
  expect(calls.filter(({ path }) => path.endsWith('/look'))).toHaveLength(1);
});

test('dead letters: filters by state and group, and loads the next page', async () => {
  const calls = open('dead-letters', {
    [LETTERS]: ({ path }: FakeCall) => ({
      ...letters(letter({ id: path.includes('cursor') ? LETTER_ID.replace('0', '9') : LETTER_ID })),
      nextCursor: path.includes('cursor') ? null : 'next-1',
    }),
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Show more' }));
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(2));
  await userEvent.selectOptions(screen.getByLabelText('Group'), 'ticketing.catalog');
  await userEvent.selectOptions(screen.getByLabelText('Show'), 'all');
  await waitFor(() => expect(calls.at(-1)!.path).toBe('/api/ops/dead-letters?state=all&group=ticketing.catalog'));
});

const check = (name: string, more: object = {}) => ({ name, ok: true, violations: 0, examples: [], ...more });

test('invariants: nothing is checked before a press; then the results are shown with their time', async () => {
  const calls = open('invariants', {
    'GET /api/ops/invariants/last': { last: null, isRunning: false },
    'POST /api/ops/invariants/check': {
      ...{ ok: false, at: '2030-07-02T15:30:00.000Z' },
      checks: [
        check('the stock'),
        check('the ledger', { ok: false, violations: 2, examples: ['7', '8'] }),
        check('the provider', { ok: false, unchecked: 'It is away.' }),
      ],
    },
  });
  expect(await screen.findByRole('heading', { name: 'Not checked yet' })).toBeTruthy();
  expect(calls.some(({ method }) => method === 'POST')).toBe(false);
  await userEvent.click(screen.getByRole('button', { name: 'Check now' }));
  expect(await screen.findByText('2 wrong')).toBeTruthy();
  for (const words of ['Holds', '7, 8', 'Not checked', 'It is away.']) expect(screen.getByText(words)).toBeTruthy();
  expect(screen.getByText(/2 of 3 are violated/).textContent).toContain('Checked 07/02/2030');
});

test('invariants: a check that comes too soon shows when to retry, and the last result stays', async () => {
  open('invariants', {
    'GET /api/ops/invariants/last': {
      last: { ok: true, at: '2030-07-02T15:30:00.000Z', checks: [check('the stock')] },
      isRunning: false,
    },
    'POST /api/ops/invariants/check': () => problem(429, 'too-many-requests', {}, { 'retry-after': '20' }),
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Check now' }));
  expect(await screen.findByText(/Try again in 20 seconds/)).toBeTruthy();
  expect(screen.getByText('the stock')).toBeTruthy();
});

const order = {
  ...{ orderId: ORDER_ID, orderNumber: '4F7K-2M9Q', eventId: 7, eventTitle: 'Jazz', quantity: 2, amountCents: 5100 },
  ...{ status: 'fulfilled', heldAt: '2030-07-02T15:30:00.000Z' },
};
const found = (more: object = {}) => ({
  items: [{ id: ORDER_ID, order, payment: null }],
  missing: [],
  nextCursor: null,
  ...more,
});
const search = async (q: string) => {
  await userEvent.type(await screen.findByLabelText('Search for'), q);
  await userEvent.click(screen.getByRole('button', { name: 'Search' }));
};

test('history: a timeline names service and event, and hides the buyer until requested', async () => {
  const managed = `GET /api/orders/${ORDER_ID}/managed`;
  const { tickets: _tickets, claimable: _claimable, extendable: _extendable, ...ordered } = orderFixture();
  const calls = open('history', {
    'POST /api/ops/search': found(),
    [`POST /api/ops/timelines/${ORDER_ID}`]: {
      ...{ id: ORDER_ID, order, payment: null, missing: ['payments'], cut: [] },
      steps: [
        { at: '2030-07-02T15:30:00.000Z', service: 'ticketing', type: 'TicketsHeld', text: '2 tickets held.' },
        { at: '2030-07-02T15:31:00.000Z', service: 'identity', type: 'AdminActed', text: 'Ada looked.' },
      ],
    },
    [managed]: {
      ...{ order: ordered, tickets: [], payment: null, paymentUnavailable: false, refunds: [], history: [], mails: [] },
    },
  });
  await search('4F7K-2M9Q');
  const result = within(await screen.findByRole('article', { name: 'Order 4F7K-2M9Q' }));
  expect(opsCalls(calls).map(({ path, body }) => [path, body])).toEqual([['/api/ops/search', { q: '4F7K-2M9Q' }]]);
  await userEvent.click(result.getByRole('button', { name: 'Show the history' }));
  const steps = within(await result.findByRole('list', { name: 'History' })).getAllByRole('listitem');
  expect(steps.map((step) => step.textContent)).toEqual([
    expect.stringMatching(/2 tickets held\.ticketingTicketsHeld$/),
    expect.stringMatching(/Ada looked\.identityAdminActed$/),
  ]);
  expect(result.getByText('payments didn’t respond. Its part is missing here.')).toBeTruthy();
  expect(calls.some(({ path }) => path.endsWith('/managed'))).toBe(false);
  await userEvent.click(result.getByRole('button', { name: 'Show the buyer' }));
  expect(await result.findByText('ann@example.com')).toBeTruthy();
});

test('history: an empty search requests nothing; failures and empty results are shown', async () => {
  let answer: unknown = problem(503, 'unavailable', { detail: 'Identity is away.' });
  const calls = open('history', { 'POST /api/ops/search': () => answer });
  await userEvent.click(await screen.findByRole('button', { name: 'Search' }));
  expect(await screen.findByText('Enter what to search for')).toBeTruthy();
  expect(opsCalls(calls)).toEqual([]);
  await search('nobody');
  expect(await screen.findByText('Identity is away.')).toBeTruthy();
  answer = found({ items: [], missing: ['ticketing', 'payments'] });
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('heading', { name: 'Nothing found' })).toBeTruthy();
  expect(screen.getByText('ticketing and payments didn’t respond. Their parts are missing here.')).toBeTruthy();
});

const ACCOUNT = {
  ...{ id: 42, name: 'Ann Bell', email: 'ann@example.com', role: 'business', createdAt: '2030-05-01T12:00:00.000Z' },
  ...{ codesSince: '2030-07-01T12:00:00.000Z', recoveryCodesLeft: 3 },
};
const find = async (q: string) =>
  userEvent.type(await screen.findByLabelText('Account number or email'), `${q}{Enter}`);

test('accounts: only a press searches, and codes are turned off once, after a confirmation', async () => {
  const calls = open('accounts', {
    'POST /api/ops/accounts': { account: ACCOUNT },
    'DELETE /api/users/42/totp': () => answer(204),
  });
  await screen.findByRole('heading', { name: 'Accounts' });
  expect(opsCalls(calls)).toEqual([]);
  await find('Ann@Example.com');
  const card = within(await screen.findByRole('article', { name: 'Ann Bell' }));
  for (const words of [/^Account 42, Business Owner, since /, 'ann@example.com', /recovery codes left: 3$/, 'On'])
    expect(card.getByText(words)).toBeTruthy();
  expect(opsCalls(calls).map(({ body }) => body)).toEqual([{ q: 'ann@example.com' }]);
  await userEvent.click(card.getByRole('button', { name: 'Turn off codes…' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Turn off codes for this account?' }));
  const taken = () => calls.filter(({ method }) => method === 'DELETE').length;
  await userEvent.click(dialog.getByRole('button', { name: 'Keep them' }));
  expect(taken()).toBe(0);
  await userEvent.click(card.getByRole('button', { name: 'Turn off codes…' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Turn them off' }));
  expect(await screen.findByText('Codes are off for this account')).toBeTruthy();
  expect(card.getByText('Off')).toBeTruthy();
  expect(card.queryByRole('button')).toBeNull();
  expect(taken()).toBe(1);
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Ann Bell'));
});

test('accounts: empty results and refusals are shown; no button when codes are off or the account is the admin’s own', async () => {
  let found: () => unknown = () => ({ account: null });
  open('accounts', {
    'POST /api/ops/accounts': () => found(),
    'DELETE /api/users/42/totp': () => problem(403, 'forbidden', { detail: 'Your account isn’t allowed to do this.' }),
  });
  await find('ann');
  expect(await screen.findByText('Enter an account number or a full email address.')).toBeTruthy();
  await find('@example.com');
  expect(await screen.findByRole('heading', { name: 'Nothing found' })).toBeTruthy();
  found = () => problem(503, 'unavailable', { detail: 'Identity is away.' });
  await userEvent.click(screen.getByRole('button', { name: 'Find' }));
  expect((await screen.findByRole('alert')).textContent).toBeTruthy();
  found = () => ({ account: { ...ACCOUNT, id: sessionFixture().user.id } });
  await userEvent.click(screen.getByRole('button', { name: 'Find' }));
  expect(await screen.findByText(/^This is your own account\. /)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Turn off codes…' })).toBeNull();
  found = () => ({ account: { ...ACCOUNT, id: 43, codesSince: null } });
  await userEvent.click(screen.getByRole('button', { name: 'Find' }));
  expect(await screen.findByText(/^Account 43, /)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Turn off codes…' })).toBeNull();
  found = () => ({ account: ACCOUNT });
  await userEvent.click(screen.getByRole('button', { name: 'Find' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Turn off codes…' }));
  await userEvent.click(screen.getByRole('button', { name: 'Turn them off' }));
  expect(await screen.findByText('Your account isn’t allowed to do this.')).toBeTruthy();
});

test('audit: entries show person, action, time and subject; filters by person and kind', async () => {
  const entry = (more: object) => ({
    ...{ at: '2030-07-02T15:30:00.000Z', accountId: 3, name: 'Ada', kind: 'searched', subject: 'search', note: '' },
    ...more,
  });
  const calls = open('audit', {
    'GET /api/ops/audit': {
      items: [
        entry({ kind: 'dead-letter-discarded', subject: LETTER_ID, note: 'ticketing.catalog: x' }),
        entry({ note: 'an address', name: null }),
      ],
      people: [{ id: 3, name: 'Ada' }],
      nextCursor: null,
    },
  });
  const items = await screen.findAllByText(/Discarded a dead letter|Searched/, { selector: 'span' });
  expect(items.map((item) => item.closest('li')!.textContent)).toEqual([
    expect.stringContaining(`Discarded a dead letter: ticketing.catalog: xAda (3), ${LETTER_ID}`),
    expect.stringMatching(/Searched: an addressA deleted account \(3\)$/),
  ]);
  await userEvent.selectOptions(screen.getByLabelText('Person'), 'Ada (3)');
  await userEvent.selectOptions(screen.getByLabelText('Kind'), 'Searched');
  await waitFor(() => expect(calls.at(-1)!.path).toBe('/api/ops/audit?account=3&kind=searched'));
});
