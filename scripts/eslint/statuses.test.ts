import { join } from 'node:path';
import { ESLint } from 'eslint';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const eslint = new ESLint({ cwd: root });

async function found(condition: string, file = 'services/ticketing/src/order/new.ts'): Promise<string[]> {
  const [result] = await eslint.lintText(`export const a = (ticket: any) => ${condition};`, {
    filePath: join(root, file),
  });
  return result!.messages.map(({ ruleId }) => ruleId ?? '').filter((rule) => rule === 'beltway/ticket-status');
}

test.each(["ticket.status === 'valid'", "ticket.status !== 'frozen'", "'valid' === ticket.status"])(
  'a comparison with a ticket’s status is refused: %s',
  async (condition) => {
    expect(await found(condition)).toHaveLength(1);
    expect(await found(condition, 'frontend/src/features/tickets/new.tsx')).toHaveLength(1);
  },
);

test('functions and other statuses are allowed', async () => {
  expect(await found('admits(ticket.status)')).toEqual([]);
  expect(await found("ticket.event.status === 'canceled'")).toEqual([]);
});

test('a test may compare a ticket’s status', async () =>
  expect(await found("ticket.status === 'valid'", 'services/ticketing/src/order/new.test.ts')).toEqual([]));
