import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFailed, test } from 'vitest';
import { apiOf, type Api } from './support/api.ts';
import { startBeltway, type Beltway } from './support/beltway.ts';
import { runScript } from './support/operations.ts';
import { runningOnFolder } from './support/processes.ts';
import { catchUp, onDatabases } from './support/restored.ts';
import { eventuallyPasses } from './support/wait.ts';

const folder = mkdtempSync(join(tmpdir(), 'beltway-backup-'));
const [first, second, backup] = ['first', 'second', 'backup'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
let beltway: Beltway | undefined;
afterAll(async () => {
  await beltway?.stop();
  for (const pid of [first, second].flatMap(runningOnFolder)) process.kill(pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

async function start(dataDir: string): Promise<Api> {
  beltway = await startBeltway({ dataDir });
  return apiOf(beltway.url);
}

/** Files of a data folder or backup that other users could read, change or list. */
const openToOthers = (of: string): string[] =>
  ['.', ...readdirSync(of, { recursive: true, encoding: 'utf8' })].filter((name) => {
    const found = lstatSync(join(of, name));
    // Links have no mode. When started by root, PostgreSQL's group may traverse the data folder.
    return !found.isSymbolicLink() && (found.mode & (name === '.' ? 0o067 : 0o077)) !== 0;
  });

const codesOf = async (api: Api, order: { orderId: string; accessKey: string }) =>
  (await api.fulfilled(order)).tickets.map(({ ticketCode }) => ticketCode);

/** Asserts that the audit finds no difference, as soon as all consumers have caught up. */
const auditPasses = (dataDir: string) =>
  eventuallyPasses(async () =>
    expect(await runScript('audit.ts', [], dataDir)).toMatchObject({
      code: 0,
      output: expect.not.stringContaining('DIFFERENT'),
    }),
  );

test('a backup made during sales restores a consistent system; a service restored to an older state catches up; nothing is sold twice', async () => {
  onTestFailed(() => console.log(beltway?.output()));
  let api = await start(first);
  const { event } = await api.organize({ totalTickets: 100_000 });
  const early = await api.buy(event.id, 2);
  let goesOn = true;
  const crowd = Array.from({ length: 3 }, async () => {
    while (goesOn) await api.buy(event.id, 1);
  });
  const { code, output } = await runScript('backup.ts', [backup], first);
  goesOn = false;
  await Promise.all(crowd);
  expect(output).toMatch(/^finished: \d+ files/m);
  expect(code).toBe(0);
  const soldThere = (await api.stock(event.id)).sold;
  await beltway!.stop();

  expect(await runScript('restore.ts', [backup], second)).toMatchObject({ code: 0 });
  const rebuilt = await runScript('rebuild.ts', [], second);
  expect(rebuilt.output.match(/: equal, [1-9]\d* rows/g)!.length).toBeGreaterThan(4);
  expect(rebuilt).toMatchObject({ code: 0, output: expect.not.stringContaining('NOT EQUAL') });
  // Saves the state to which later only ticketing is restored.
  await onDatabases(second, ['create database ticketing_before template ticketing owner ticketing']);

  api = await start(second);
  const atBackup = (await api.stock(event.id)).sold;
  expect(atBackup).toBeGreaterThanOrEqual(2);
  expect(atBackup).toBeLessThanOrEqual(soldThere);
  const earlyCodes = await codesOf(api, early);
  expect(earlyCodes).toHaveLength(2);
  const later = await api.buy(event.id, 3);
  const laterCodes = await codesOf(api, later);
  const { event: lostEvent } = await api.organize({ title: 'Launched Later', totalTickets: 2 });
  const soldOut = await api.buy(lostEvent.id, 2);
  expect(await api.invariants()).toMatchObject({ ok: true });
  await auditPasses(second);
  const { sold } = await api.stock(event.id);
  expect(sold).toBeGreaterThanOrEqual(atBackup + 3);
  await beltway!.stop();

  expect(Object.fromEntries([first, second, backup].map((one) => [one, openToOthers(one)]))).toEqual({
    ...{ [first]: [], [second]: [], [backup]: [] },
  });
  await onDatabases(second, ['drop database ticketing', 'alter database ticketing_before rename to ticketing']);
  const behind = await runScript('audit.ts', [], second);
  expect(behind.code).toBe(1);
  expect(behind.output).toMatch(/DIFFERENT {2}sales whose stock catalog keeps differently: 2/);
  const caughtUp = await catchUp(second);
  expect(caughtUp.code).toBe(0);
  const soldAgain = caughtUp.output.split(/^Orders.*$/m)[1];
  for (const { orderId } of [later, soldOut]) expect(soldAgain).toContain(orderId);
  expect(caughtUp.output).toMatch(/^Orders whose money goes back: 0$/m);

  api = await start(second);
  expect(await codesOf(api, early)).toEqual(earlyCodes);
  expect(await codesOf(api, later)).toEqual(laterCodes);
  // Buyers who were paying during the backup may also have received tickets by now.
  expect((await api.stock(event.id)).sold).toBeGreaterThanOrEqual(sold);
  expect(await codesOf(api, soldOut)).toHaveLength(2);
  await expect(api.buy(lostEvent.id, 1)).rejects.toThrow(/sold-out/);
  await api.buy(event.id, 1);
  expect(await api.invariants()).toMatchObject({ ok: true });
  await auditPasses(second);
});
