import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { purchase } from './support/main-job.ts';
import { stage } from './support/stage.ts';
import { eventually } from './support/wait.ts';

/**
 * Runs the main job on `docker compose --profile sandbox up --wait`. The test can repeat on the same volumes.
 * BELTWAY_URL is the gateway's published URL.
 */
const run = randomBytes(3).toString('hex');
const names = { event: `Rooftop ${run}`, organizer: `ola.${run}@example.test`, member: `maya.${run}@example.test` };
const here = stage({ url: process.env['BELTWAY_URL'] ?? 'http://localhost:3000' });

interface Summary {
  ID: string;
  Subject: string;
  To: Array<{ Address: string }>;
}
interface Whole {
  Attachments: Array<{ ContentType: string; FileName: string }>;
}

/** Queries Mailpit inside its container, because the container publishes no port. */
async function catcher<T>(path: string): Promise<T> {
  const wget = ['exec', '-T', 'mail', 'wget', '-qO-', `http://127.0.0.1:8025/api/v1/${path}`];
  const { stdout } = await promisify(execFile)('docker', ['compose', ...wget], { maxBuffer: 16 * 1024 ** 2 });
  return JSON.parse(stdout) as T;
}

purchase(here, names);

test('the buyer gets one mail with the tickets and the calendar', async () => {
  const of = async () =>
    (await catcher<{ messages: Summary[] }>('messages')).messages.filter(({ To }) =>
      To.some(({ Address }) => Address === names.member),
    );
  const tickets = (mails: Summary[]) => mails.filter(({ Subject }) => Subject === `Your 2 tickets for ${names.event}`);
  const [mail] = await eventually(async () => {
    const found = tickets(await of());
    return found.length > 0 && found;
  });
  const { Attachments } = await catcher<Whole>(`message/${mail!.ID}`);
  const types = Attachments.map(({ ContentType }) => ContentType.split(';')[0]);
  expect(types).toEqual(expect.arrayContaining(['application/pdf', 'text/calendar']));
  expect(tickets(await of())).toHaveLength(1);
});

test('the image serves the home page, and developer pages do not exist', async () => {
  const page = await here.visitor();
  await page.goto('/');
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  for (const path of ['/dev/mail', '/dev/payments/state'])
    expect((await here.api.ask('GET', path)).status, path).toBe(404);
});
