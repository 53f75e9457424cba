import { once } from 'node:events';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testCertificates } from '@beltway/test-engines/certificates';
import { startRedis, type TestRedis } from '@beltway/test-engines/redis';
import { lookAtEngines, showEngines, type Figures } from '../src/engines/watch.ts';
import { metricsText } from '../src/observe/metrics.ts';
import { eventually, testDatabase, type TestDatabase } from '../src/testing/testing.ts';

let database: TestDatabase;
let redis: TestRedis;
const folder = mkdtempSync(join(tmpdir(), 'watched-'));
beforeAll(async () => {
  [database, redis] = await Promise.all([testDatabase([]), startRedis()]);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await Promise.all([database?.drop(), redis?.stop()]);
});

const value = (figures: Figures, name: string, labels = {}) =>
  figures[name]?.find((sample) => JSON.stringify(sample.labels ?? {}) === JSON.stringify(labels))?.values.value;

test('PostgreSQL exports its connections, transaction age, database sizes, and clock offset', async () => {
  const { figures, problems } = await lookAtEngines({ DATABASE_URL: database.url });
  expect(problems).toEqual({});
  expect(value(figures, 'engine_up', { engine: 'postgres' })).toBe(1);
  const name = new URL(database.url).pathname.slice(1);
  expect(value(figures, 'postgres_database_bytes', { database: name })).toBeGreaterThan(1e6);
  expect(value(figures, 'postgres_transaction_id_age', { database: name })).toBeGreaterThan(0);
  // Measured with one query, during which a busy machine may pause.
  await eventually(async () => {
    const { figures: again } = await lookAtEngines({ DATABASE_URL: database.url });
    return Math.abs(value(again, 'clock_offset_seconds')!) < 1;
  });
  const before = value(figures, 'postgres_connections')!;
  expect(value(figures, 'postgres_connections_max')).toBeGreaterThan(before);
});

test('a replication slot exports the log that it retains', async () => {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const slot = `watched_${process.pid}`;
  try {
    await client.query('select pg_create_physical_replication_slot($1, true)', [slot]);
    await client.query('create table watched as select generate_series(1, 20000) n');
    const retained = async () =>
      value((await lookAtEngines({ DATABASE_URL: database.url })).figures, 'postgres_wal_retained_bytes', { slot });
    // The log of a commit may be written a moment after the commit.
    await expect.poll(retained).toBeGreaterThan(500_000);
  } finally {
    await client.query('select pg_drop_replication_slot($1)', [slot]);
    await client.end();
  }
});

test('an engine that does not respond has the value 0, and all other engines have values', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const { figures, problems } = await lookAtEngines({
    DATABASE_URL: `postgres://nobody:wrong@127.0.0.1:${port}/x`,
    REDIS_URL: redis.url,
    S3_URL: `http://127.0.0.1:1`,
    ...{ S3_BUCKET: 'objects', S3_ACCESS_KEY: 'a', S3_SECRET_KEY: 'b' },
  });
  expect(Object.keys(problems).sort()).toEqual(['postgres', 's3']);
  const up = figures['engine_up']!.map(({ labels, values }) => [labels!['engine'], values.value]).sort();
  expect(up).toEqual([
    ['postgres', 0],
    ['redis', 1],
    ['s3', 0],
  ]);
  expect(figures['postgres_connections']).toBeUndefined();
  silent.close();
});

test('disks, backups and the certificate have values; an empty backup folder is infinitely old', async () => {
  const backups = mkdtempSync(join(folder, 'backups-'));
  const config = { WATCH_DISKS: `data=${folder}`, WATCH_BACKUPS: backups };
  const empty = (await lookAtEngines(config)).figures;
  expect(value(empty, 'backup_age_seconds')).toBe(Infinity);
  const size = value(empty, 'disk_size_bytes', { disk: 'data' })!;
  expect(value(empty, 'disk_free_bytes', { disk: 'data' })).toBeLessThan(size);
  for (const [name, hours] of [['old', 50] as const, ['new', 2] as const]) {
    const at = Date.now() / 1_000 - hours * 3_600;
    writeFileSync(join(backups, name), '');
    utimesSync(join(backups, name), at, at);
  }
  expect(value((await lookAtEngines(config)).figures, 'backup_age_seconds')! / 3_600).toBeCloseTo(2, 1);

  const certificates = await testCertificates();
  const site = createTlsServer({
    key: certificates.read(certificates.key),
    cert: certificates.read(certificates.cert),
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  const { port } = site.address() as AddressInfo;
  const { figures, problems } = await lookAtEngines({ PUBLIC_URL: `https://localhost:${port}` });
  expect(problems).toEqual({});
  expect(value(figures, 'certificate_remaining_seconds', { host: 'localhost' })).toBeGreaterThan(60);
  site.close();
  certificates.remove();
});

test('the values are exported as metrics', async () => {
  const { figures } = await lookAtEngines({ DATABASE_URL: database.url, REDIS_URL: redis.url });
  showEngines(() => figures);
  const text = await metricsText();
  expect(text).toMatch(/^engine_up\{engine="redis"\} 1$/m);
  expect(text).toMatch(/^postgres_connections \d+$/m);
});
