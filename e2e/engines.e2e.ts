import { afterAll, expect, test } from 'vitest';
import { givenEngines } from './support/engines.ts';
import { mainJob } from './support/main-job.ts';
import { runScript } from './support/operations.ts';
import { instanceProcess } from './support/processes.ts';
import { stage } from './support/stage.ts';
import { eventually } from './support/wait.ts';

const EACH_TWICE = 'gateway:2,identity:2,catalog:2,ticketing:2,payments:2,realtime:2,media:2';

/** The whole system on PostgreSQL, Apache Kafka and Redis, each service twice. */
const given = await givenEngines();
afterAll(() => given.stop());
const here = stage({ engines: true, env: { ...given.env, BELTWAY_REPLICAS: EACH_TWICE } });

mainJob(here, { isCrowded: true });

test.for(given.own)('%s is killed in the middle of a purchase: sales continue, and it restarts', async (name) => {
  const { organizer, event } = await here.api.organize({ title: `Without ${name}` });
  const begun = await here.api.intent(event.id, 2, `${name}@example.test`);
  const old = instanceProcess(here.beltway.dataDir, name)!;
  process.kill(old, 'SIGKILL');
  expect(await here.api.confirm(begun)).toBe('succeeded');
  expect((await here.api.process(begun)).status).toBe('fulfilled');
  expect(await here.api.stock(event.id)).toMatchObject({ sold: 2, held: 0 });
  await here.api.mailTo(`${name}@example.test`);

  await eventually(() => ![undefined, old].includes(instanceProcess(here.beltway.dataDir, name)), {
    timeoutMs: 60_000,
    what: `${name} runs again`,
  });
  // Waits until the bus messages were consumed.
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
});

test('the script that inspects the running copy finds no dead letters', async () => {
  const { code, output } = await runScript('dead-letters.ts', [], here.beltway.dataDir, given.env);
  expect({ code, output: output.trim() }).toEqual({ code: 0, output: 'No dead letters.' });
});
