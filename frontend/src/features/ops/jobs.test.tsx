import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FailedJob } from '@beltway/contracts/ops/jobs';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { fakeApi } from '../../testing/fake-api.ts';
import { sessionFixture } from '../../testing/fixtures.ts';
import { renderAt } from '../../testing/render.tsx';
import { Jobs } from './jobs.tsx';

beforeEach(() => sessionStore.set(sessionFixture({ role: 'admin' })));
afterEach(() => vi.unstubAllGlobals());

const job = (key: string): FailedJob => ({
  ...{ key, attempts: 20, cause: '550 unknown' },
  ...{ queuedAt: '2026-11-01T10:00:00.000Z', failedAt: '2026-11-02T10:00:00.000Z' },
});

/** Opens the page with one queue of failed jobs. A settled job leaves the list. */
function open(...keys: string[]) {
  let left = keys;
  const settle = ({ body }: { body: unknown }) => {
    const { key } = body as { key?: string };
    left = key === undefined ? [] : left.filter((one) => one !== key);
    return { count: 1 };
  };
  const calls = fakeApi({
    'GET /api/ops/jobs': () => ({
      queues:
        left.length === 0
          ? []
          : [{ service: 'ticketing', queue: 'order-mail', failed: left.length, jobs: left.map(job) }],
      missing: [],
    }),
    'POST /api/ops/jobs/retry': settle,
    'POST /api/ops/jobs/discard': settle,
  });
  renderAt('/ops', <Jobs />);
  return () =>
    calls.filter(({ method }) => method === 'POST').map(({ path, body }) => [path.replace('/api/ops/jobs/', ''), body]);
}

test('a job that can never succeed is discarded after a confirmation, and leaves the list', async () => {
  const user = userEvent.setup();
  const posted = open('mail-1', 'mail-2');
  await user.click(await screen.findByRole('button', { name: 'Discard: mail-1' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Discard this job?' }));
  expect(posted()).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(screen.queryByText('mail-1')).toBeNull());
  expect(posted()).toEqual([['discard', { service: 'ticketing', queue: 'order-mail', key: 'mail-1' }]]);
  expect(screen.getByText('mail-2')).toBeTruthy();
});

test('all jobs of a queue run again after a confirmation', async () => {
  const user = userEvent.setup();
  const posted = open('mail-1', 'mail-2');
  const confirm = async (button: string, title: string) => {
    await user.click(await screen.findByRole('button', { name: button }));
    const dialog = within(await screen.findByRole('dialog', { name: title }));
    await user.click(dialog.getByRole('button', { name: 'Run again' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  };
  await confirm('Run all again…', 'Run all jobs in this queue again?');
  expect(posted()).toEqual([['retry', { service: 'ticketing', queue: 'order-mail' }]]);
});
