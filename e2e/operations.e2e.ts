import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { publish, runScript } from './support/operations.ts';
import { stage } from './support/stage.ts';
import { eventually } from './support/wait.ts';

const here = stage({ demo: true });

test('the read models rebuilt from the log are the same, byte for byte, while the system runs', async () => {
  const { code, output } = await runScript('rebuild.ts', [], here.beltway.dataDir);
  expect(output).not.toContain('NOT EQUAL');
  for (const service of ['identity', 'catalog', 'ticketing', 'payments'])
    expect(output).toMatch(new RegExp(`^${service}: [1-9]\\d* events replayed`, 'm'));
  expect(output.match(/: equal, [1-9]\d* rows/g)!.length).toBeGreaterThan(4);
  expect(code).toBe(0);
  expect(await here.api.invariants()).toMatchObject({ ok: true });
});

test('a message that nobody can handle is set aside with its cause, the rest goes on, and it can be replayed', async () => {
  expect((await runScript('dead-letters.ts', [], here.beltway.dataDir)).output.trim()).toBe('No dead letters.');
  const id = randomUUID();
  await publish(here.beltway.dataDir, 'catalog.events', {
    id,
    type: 'catalog.event-published',
    version: 1,
    key: '1',
    occurredAt: new Date().toISOString(),
    correlationId: id,
    causationId: id,
    data: { eventId: 'not a number' },
  });
  const listed = await eventually(
    async () => {
      const { output } = await runScript('dead-letters.ts', [], here.beltway.dataDir);
      return output.includes('ticketing.') && output;
    },
    { timeoutMs: 60_000, what: 'the message is listed' },
  );
  expect(listed).toMatch(/catalog\.event-published {2}after 0 attempts: ZodError/);

  // What comes after it is not held up.
  const { event } = await here.api.organise();
  await here.api.buy(event.id, 1);

  const letter = listed
    .split('\n')
    .find((line) => line.includes('ticketing.'))!
    .split(' ')[0]!;
  const replayed = await runScript('dead-letters.ts', ['replay', letter], here.beltway.dataDir);
  expect(replayed).toMatchObject({
    code: 0,
    output: expect.stringContaining(`replayed ${letter} to ticketing.catalog.retries`),
  });
  const all = await runScript('dead-letters.ts', ['--replayed'], here.beltway.dataDir);
  expect(all.output).toMatch(new RegExp(`^${letter} .*\\(replayed `, 'm'));
  const unknown = await runScript('dead-letters.ts', ['replay', randomUUID()], here.beltway.dataDir);
  expect(unknown).toMatchObject({ code: 1, output: expect.stringContaining('There is no dead letter') });
});
