import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { open, readdir, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { takeLock } from '../launcher/data-folder/lock.ts';
import { startPostgres, type Postgres } from '../launcher/engines/postgres.ts';
import { refuseHalfRestored, RESTORING } from '../launcher/data-folder/data-dir.ts';
import { backUp } from './back-up.ts';
import { restore } from './restore.ts';

const folder = mkdtempSync(join(tmpdir(), 'beltway-backup-'));
const dataDir = join(folder, 'data');
const password = 'for-this-test';
const say = () => undefined;
let postgres: Postgres;
let turn = 0;
/** Folder of the current test. */
let place: string;

const start = (of: string) =>
  startPostgres({
    folder: join(of, 'postgres'),
    logFile: join(folder, 'postgres.log'),
    password,
    durable: false,
    temporary: true,
  });

async function ask<Row>(server: Postgres, database: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: server.url(database) });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}

/** A backup of the files and a few rows, for tests that only read it. */
const small = join(folder, 'small');
const copyTo = (target: string) => cpSync(small, target, { recursive: true });

const backUpTo = (target: string) => backUp({ dataDir, folder: target, adminUrl: postgres.url('postgres'), say });

beforeAll(async () => {
  postgres = await start(dataDir);
  for (const name of ['orders', 'payments']) {
    await ask(postgres, 'postgres', `create database ${name}`);
    await ask(postgres, name, 'create table rows (n int primary key, filling text)');
  }
  mkdirSync(join(dataDir, 'objects', 'images'), { recursive: true });
  mkdirSync(join(dataDir, 'objects', '.incoming'));
  mkdirSync(join(dataDir, 'logs'));
  writeFileSync(join(dataDir, 'secrets.json'), '{}', { mode: 0o600 });
  writeFileSync(join(dataDir, 'objects', 'images', 'a.webp'), 'a picture');
  writeFileSync(join(dataDir, 'objects', '.incoming', 'half'), 'half a pic');
  writeFileSync(join(dataDir, 'logs', 'one.log'), 'a log');
  await backUpTo(small);
});
beforeEach(() => void (place = join(folder, String(++turn))));
afterEach(() => void vi.restoreAllMocks());
afterAll(async () => {
  await postgres.stop(0);
  rmSync(folder, { recursive: true, force: true });
});

test('contains all databases as of one moment, even while they are written', async () => {
  const orders = new Client({ connectionString: postgres.url('orders') });
  const payments = new Client({ connectionString: postgres.url('payments') });
  await Promise.all([orders.connect(), payments.connect()]);
  let goesOn = true;
  let written = 0;
  const writing = (async () => {
    // Each insert has enough rows to fill several write-ahead log files.
    const insert = `insert into rows select $1, string_agg(md5(random()::text), '') from generate_series(1, 1000)`;
    for (; goesOn; written++) {
      await orders.query(insert, [written]);
      await payments.query(insert, [written]);
    }
  })();
  await expect.poll(() => written).toBeGreaterThan(20);
  const before = written;
  await backUpTo(join(place, 'backup'));
  const after = written;
  goesOn = false;
  await writing;
  await Promise.all([orders.end(), payments.end()]);
  expect(after).toBeGreaterThan(before);

  const restored = join(place, 'restored');
  await restore({ folder: join(place, 'backup'), dataDir: restored, say });
  const other = await start(restored);
  try {
    const sum = 'select count(*)::int as count, coalesce(max(n), -1) + 1 as next from rows';
    const [[inOrders], [inPayments]] = await Promise.all([
      ask<{ count: number; next: number }>(other, 'orders', sum),
      ask<{ count: number; next: number }>(other, 'payments', sum),
    ]);
    // No row is missing in between, and no payment lacks its order.
    expect(inOrders!.count).toBe(inOrders!.next);
    expect(inPayments!.count).toBe(inPayments!.next);
    expect([0, 1]).toContain(inOrders!.count - inPayments!.count);
    expect(inPayments!.count).toBeGreaterThanOrEqual(before);
    await ask(other, 'orders', `insert into rows values (-1, 'goes on')`);
  } finally {
    await other.stop(0);
    for (const name of ['orders', 'payments']) await ask(postgres, name, 'truncate rows');
  }
});

test('contains the files, without logs and incomplete files, readable only by the owner', async () => {
  const names = await readdir(small, { recursive: true });
  expect(names.sort()).toEqual([
    'backup.json',
    'files',
    'files/objects',
    'files/objects/images',
    'files/objects/images/a.webp',
    'files/secrets.json',
    'postgres.manifest.json',
    'postgres.tar.gz',
  ]);
  for (const name of [...names, '.']) {
    const found = statSync(join(small, name));
    expect([name, (found.mode & 0o777).toString(8)]).toEqual([name, found.isDirectory() ? '700' : '600']);
  }
});

test('is only written to an empty folder outside the data folder, even if another path names the data folder', async () => {
  await expect(backUpTo(join(dataDir, 'backups', 'today'))).rejects.toThrow(/is in the data folder/);
  expect(existsSync(join(dataDir, 'backups'))).toBe(false);
  mkdirSync(place);
  symlinkSync(dataDir, join(place, 'link'));
  await expect(backUpTo(join(place, 'link', 'today'))).rejects.toThrow(/is in the data folder/);
  await expect(backUpTo(place)).rejects.toThrow(/is not empty/);
  expect(existsSync(join(place, 'link'))).toBe(true);
});

test('a full disk ends it with a message, removes the incomplete copy, and does not harm the server', async () => {
  const handle = await open(join(dataDir, 'secrets.json'));
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const { write } = prototype;
  let room = 1_000_000;
  vi.spyOn(prototype, 'write').mockImplementation(function (this: FileHandle, ...args: unknown[]) {
    room -= (args[0] as Uint8Array).length;
    if (room < 0)
      return Promise.reject(Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }));
    return (write as (...all: unknown[]) => never).apply(this, args);
  });
  mkdirSync(place);
  await expect(backUpTo(place)).rejects.toThrow(/^The disk of .* is full/);
  expect(await readdir(place)).toEqual([]);
  await expect(backUpTo(join(place, 'new'))).rejects.toThrow(/^The disk of .* is full/);
  expect(await readdir(place)).toEqual([]);
  vi.restoreAllMocks();
  await expect.poll(() => ask(postgres, 'postgres', 'select slot_name from pg_replication_slots')).toEqual([]);
  await ask(postgres, 'orders', 'insert into rows values (-2)');
});

test('an incomplete backup, or one for another machine, is refused and nothing is written', async () => {
  const backup = join(place, 'backup');
  const restored = join(place, 'restored');
  const refused = (message: RegExp) =>
    expect(restore({ folder: backup, dataDir: restored, say })).rejects.toThrow(message);
  await refused(/There is no folder/);
  copyTo(backup);
  const manifestFile = join(backup, 'backup.json');
  const manifest = readFileSync(manifestFile, 'utf8');

  // A backup whose process was killed has no manifest.
  rmSync(manifestFile);
  await refused(/was not finished/);
  rmSync(join(backup, 'postgres.tar.gz'));
  await refused(/is no backup/);
  writeFileSync(manifestFile, manifest);
  await refused(/damaged: postgres.tar.gz is missing/);

  const archive = readFileSync(join(small, 'postgres.tar.gz'));
  archive[archive.length >> 1]! ^= 1;
  writeFileSync(join(backup, 'postgres.tar.gz'), archive);
  await refused(/damaged: postgres.tar.gz does not match its checksum/);

  writeFileSync(manifestFile, manifest.slice(0, -20));
  await refused(/is not JSON/);
  const change = (part: object) => writeFileSync(manifestFile, JSON.stringify({ ...JSON.parse(manifest), ...part }));
  change({ postgres: '17' });
  await refused(/PostgreSQL 17.*Restore it with the version that made it/);
  change({ platform: 'darwin-arm64' });
  await refused(/was made on darwin-arm64/);
  change({ files: [{ path: 'files/../../x', bytes: 1, sha256: '0'.repeat(64) }] });
  await refused(/not of a backup that this version/);
  change({ format: 3 });
  await refused(/not of a backup that this version/);
  change({ format: 1 });
  await refused(/of a Beltway version before 0.1.0, whose data cannot be taken over/);
  expect(await readdir(restored).catch(() => [])).toEqual([]);
});

test('a folder that is in use or has data is not changed', async () => {
  const used = join(place, 'used');
  const lock = await takeLock(used);
  if (!('release' in lock)) throw new Error('the folder is locked');
  await expect(restore({ folder: small, dataDir: used, say })).rejects.toThrow(/Beltway is using/);
  lock.release();
  writeFileSync(join(used, 'seeded'), 'demo data');
  await expect(restore({ folder: small, dataDir: used, say })).rejects.toThrow(/is not empty \(/);
  expect(await readdir(used)).toContain('seeded');
  expect(existsSync(join(used, 'postgres'))).toBe(false);
});

test('nothing starts on a folder with an interrupted restore, and the next restore starts over', async () => {
  const restored = join(place, 'restored');
  mkdirSync(join(restored, RESTORING, 'postgres'), { recursive: true });
  writeFileSync(join(restored, RESTORING, 'postgres', 'PG_VERSION'), 'half');
  writeFileSync(join(restored, 'secrets.json'), 'moved already');
  expect(() => refuseHalfRestored(restored)).toThrow(/was cut/);
  await restore({ folder: small, dataDir: restored, say });
  expect(() => refuseHalfRestored(restored)).not.toThrow();
  expect(readFileSync(join(restored, 'objects', 'images', 'a.webp'), 'utf8')).toBe('a picture');
  expect(readFileSync(join(restored, 'secrets.json'), 'utf8')).toBe('{}');
  expect(statSync(join(restored, 'secrets.json')).mode & 0o777).toBe(0o600);
  expect((await readdir(restored)).sort()).toEqual(['objects', 'postgres', 'secrets.json']);

  // Runs a server on the restored folder. If the server dies during a backup, the backup fails.
  const server = await start(restored);
  const target = join(place, 'backup');
  const told: string[] = [];
  const work = backUp({
    dataDir: restored,
    folder: target,
    adminUrl: server.url('postgres'),
    say: (text) => {
      told.push(text);
      server.kill();
    },
  });
  await expect(work).rejects.toThrow();
  expect(told).toHaveLength(1);
  expect(existsSync(target)).toBe(false);
});
