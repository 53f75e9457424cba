import { fork } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { once } from 'node:events';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testCertificates, type TestCertificates } from '@beltway/test-engines/certificates';
import { testFolder } from '@beltway/test-engines/folder';
import { startRedis, type TestRedis } from '@beltway/test-engines/redis';
import { startS3, type TestS3 } from '@beltway/test-engines/s3';
import { openStore } from '@beltway/event-store';
import { startPostgres, type Postgres } from '../../../scripts/launcher/engines/postgres.ts';
import { silent } from '../src/bus/bus.ts';
import { openBus } from '../src/bus/open.ts';
import { ConfigError } from '../src/config.ts';
import { reachEngines, type EnginesConfig } from '../src/engines/reach.ts';
import { s3Objects } from '../src/objects/s3.ts';
import { logger } from '../src/observe/logger.ts';
import { migrate } from '../src/postgres/migrate.ts';
import { openPool } from '../src/postgres/pool.ts';
import { openRedis } from '../src/redis.ts';
import { freePort, freePorts } from '../src/testing/free-ports.ts';
import { eventually, testDatabase } from '../src/testing/testing.ts';

// Tests managed engines with TLS and accounts on real servers, and the error of a start for each rejected setting.

const migrations = (part: string) => new URL(`../migrations/${part}`, import.meta.url).pathname;
const log = logger('engines-test', 'silent');
const PASSWORD = 'password-for-tests';
let certificates: TestCertificates;
beforeAll(async () => {
  certificates = await testCertificates();
});
afterAll(() => certificates.remove());

/** The error of a start with a rejected setting. If the start waited forever, the test would time out. */
async function refusal(config: EnginesConfig): Promise<string> {
  const error = await reachEngines(config, silent, { doubtMs: 300 }).then(
    () => new Error('the engines let us in'),
    (why: Error) => why,
  );
  expect(error).toBeInstanceOf(ConfigError);
  expect(error.message).not.toContain(PASSWORD);
  return error.message;
}

/** Resolves with the warnings of a start that waits for an engine. `start` then starts the engine. */
async function waitsFor(config: EnginesConfig, start: () => Promise<unknown>): Promise<string[]> {
  const warnings: string[] = [];
  const reached = reachEngines(config, { info: () => {}, warn: (_, text) => void warnings.push(text) });
  await eventually(() => warnings.length > 0, { what: 'a warning' });
  await start();
  await reached;
  return warnings;
}

describe('PostgreSQL with TLS', () => {
  let folder: string;
  let server: Postgres;
  const url = (query: string, { user = `postgres:${PASSWORD}`, host = '127.0.0.1', name = 'postgres' } = {}) =>
    `postgres://${user}@${host}:${server.port}/${name}${query}`;
  const verified = (ca: string) => `?sslmode=verify-full&sslrootcert=${ca}`;

  beforeAll(async () => {
    folder = testFolder('beltway-postgres-tls-');
    const data = join(folder, 'postgres');
    server = await startPostgres({
      folder: data,
      logFile: join(folder, 'postgres.log'),
      password: PASSWORD,
      durable: false,
      temporary: true,
    });
    const { uid, gid } = statSync(data);
    const own = (file: string, from?: string) => {
      if (from) copyFileSync(from, join(data, file));
      chownSync(join(data, file), uid, gid);
    };
    own('server.crt', certificates.cert);
    own('server.key', certificates.key);
    chmodSync(join(data, 'server.key'), 0o600);
    const admin = new Client({ connectionString: server.url('postgres') });
    await admin.connect();
    await admin.query(`create role "no-login" password '${PASSWORD}'`);
    await admin.query('create database closed');
    await admin.query('revoke connect on database closed from public');
    await admin.query(`create role guest login password '${PASSWORD}'`);
    await admin.query('alter system set ssl = on');
    // From now on the server accepts only TLS.
    writeFileSync(
      join(data, 'pg_hba.conf'),
      'hostssl all all 127.0.0.1/32 scram-sha-256\nhostssl all all ::1/128 scram-sha-256\n',
    );
    own('pg_hba.conf');
    await admin.query('select pg_reload_conf()');
    await admin.end();
    await eventually(() => reachEngines({ DATABASE_URL: url(verified(certificates.ca)) }, silent).then(() => true));
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('pool, migrations, event store and bus use TLS and verify the server', async () => {
    const secure = url(verified(certificates.ca));
    await migrate(secure, [migrations('inbox'), migrations('bus')]);
    const pool = openPool(secure);
    const { rows } = await pool.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
    expect(rows).toEqual([{ ssl: true }]);
    const bus = await openBus({ BUS_DATABASE_URL: secure });
    await bus.ensureTopics(['test.events']);
    expect(await bus.healthy()).toBe(true);
    const store = openStore({ url: secure, toMessages: () => [], warn: () => {} });
    // The session that configured the server may still be ending.
    await eventually(async () => {
      const { rowCount } = await pool.query(
        `select from pg_stat_ssl join pg_stat_activity using (pid) where backend_type = 'client backend' and not ssl`,
      );
      return rowCount === 0;
    });
    await Promise.all([bus.close(), store.close(), pool.end()]);
  });

  test.for<[string, () => string, RegExp]>([
    ['no TLS', () => url(''), /DATABASE_URL: no pg_hba\.conf entry .*no encryption/],
    ['another authority', () => url(verified(certificates.otherCa)), /DATABASE_URL: .*another authority/],
    ['authorities that Node knows', () => url('?sslmode=verify-full'), /DATABASE_URL: .*another authority/],
    ['no such file', () => url(verified('/nowhere/ca.pem')), /DATABASE_URL: its sslrootcert cannot be read \(ENOENT\)/],
    [
      'another password',
      () => url(verified(certificates.ca), { user: 'postgres:x' }),
      /DATABASE_URL: password authentication failed/,
    ],
    ['no password', () => url(verified(certificates.ca), { user: 'postgres' }), /DATABASE_URL: it has no password/],
    [
      'an unknown role',
      () => url(verified(certificates.ca), { user: `nobody:${PASSWORD}` }),
      /DATABASE_URL: password authentication failed/,
    ],
    [
      'a role that may not sign in',
      () => url(verified(certificates.ca), { user: `no-login:${PASSWORD}` }),
      /DATABASE_URL: role "no-login" is not permitted/,
    ],
    [
      'no such database',
      () => url(verified(certificates.ca), { name: 'nothing' }),
      /DATABASE_URL: database "nothing" does not exist/,
    ],
    [
      'a database of others',
      () => url(verified(certificates.ca), { user: `guest:${PASSWORD}`, name: 'closed' }),
      /DATABASE_URL: permission denied for database "closed"/,
    ],
    [
      'a name without address',
      () => url(verified(certificates.ca), { host: 'nobody.invalid' }),
      /DATABASE_URL: there is no address for the name nobody\.invalid/,
    ],
  ])('%s: the start names the variable and ends', async ([, wrong, said]) => {
    expect(await refusal({ DATABASE_URL: wrong() })).toMatch(said);
  });

  test('a server without TLS is refused if TLS is required', async () => {
    const plain = new URL(process.env['TEST_DATABASE_URL']!);
    plain.search = verified(certificates.ca);
    expect(await refusal({ DATABASE_URL: plain.href })).toMatch(/DATABASE_URL: the server has no TLS/);
  });

  test('the certificate must contain the URL’s host name', async () => {
    const admin = new Client({ connectionString: url(verified(certificates.ca)) });
    await admin.connect();
    const data = join(folder, 'postgres');
    const { uid, gid } = statSync(data);
    for (const [file, from, mode] of [
      ['other.crt', certificates.strangerCert, 0o644],
      ['other.key', certificates.strangerKey, 0o600],
    ] as const) {
      copyFileSync(from, join(data, file));
      chownSync(join(data, file), uid, gid);
      chmodSync(join(data, file), mode);
    }
    try {
      await admin.query(`alter system set ssl_cert_file = 'other.crt'`);
      await admin.query(`alter system set ssl_key_file = 'other.key'`);
      await admin.query('select pg_reload_conf()');
      await eventually(async () =>
        /DATABASE_URL: the certificate of .* is for another name/.test(
          await refusal({ DATABASE_URL: url(verified(certificates.ca)) }),
        ),
      );
    } finally {
      await admin.query('alter system reset ssl_cert_file');
      await admin.query('alter system reset ssl_key_file');
      await admin.query('select pg_reload_conf()');
      await admin.end();
    }
    await eventually(() => reachEngines({ DATABASE_URL: url(verified(certificates.ca)) }, silent).then(() => true));
  });

  test('all refused variables are reported together, even while another engine is down', async () => {
    const away = `127.0.0.1:${await freePort()}`;
    const said = await refusal({
      DATABASE_URL: url(verified(certificates.ca), { name: 'nothing' }),
      BUS_DATABASE_URL: url(verified(certificates.ca), { user: 'postgres:x' }),
      REDIS_URL: `redis://${away}`,
    });
    expect(said).toMatch(/DATABASE_URL: database[^]*BUS_DATABASE_URL: password/);
  });

  test('a start waits for a server that is not up yet', async () => {
    const [port] = (await freePorts(1)) as [number];
    let late: Server | undefined;
    const config = {
      DATABASE_URL: `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres${verified(certificates.ca)}`,
    };
    const warnings = await waitsFor(config, async () => {
      // Simulates a server that starts later: this proxy to the file's server opens the port.
      late = createServer((socket) => {
        const on = connect(server.port, '127.0.0.1');
        socket.pipe(on).pipe(socket);
        for (const one of [socket, on]) one.on('error', () => undefined);
      }).listen(port, '127.0.0.1');
      await once(late, 'listening');
    });
    expect(warnings).toContain('PostgreSQL does not answer, the start waits for it');
    late?.close();
  });
});

describe('Redis with TLS and accounts', () => {
  let redis: TestRedis;
  let tlsPort: number;
  const secure = (user = `beltway:${PASSWORD}`, host = '127.0.0.1') => `rediss://${user}@${host}:${tlsPort}`;

  beforeAll(async () => {
    tlsPort = await freePort();
    const { key, cert, ca } = certificates;
    redis = await startRedis([
      ...['--tls-port', String(tlsPort), '--tls-auth-clients', 'no'],
      ...['--tls-key-file', key, '--tls-cert-file', cert, '--tls-ca-cert-file', ca],
      ...['--requirepass', 'of-the-default-account'],
      // The account's permissions, as in docs/operations/managed-engines.md.
      ...[
        '--user',
        'beltway',
        'on',
        `>${PASSWORD}`,
        '~*',
        '&*',
        '-@all',
        '+@read',
        '+@write',
        '+@pubsub',
        '+@connection',
      ],
      ...['+@transaction', '+eval', '+evalsha'],
    ]);
  });
  afterAll(() => redis.stop());

  test('commands and subscriptions use TLS and the account of the URL', async () => {
    const opened = await openRedis({ url: secure(), ca: certificates.read(certificates.ca), log, answerMs: 5_000 });
    await eventually(() => opened.usable(), { what: 'a connection' });
    expect(await opened.ask((client) => client.sendCommand(['CLIENT', 'INFO']))).toContain('user=beltway ');
    const heard: string[] = [];
    opened.subscribe('news', (message) => void heard.push(String(message)));
    await eventually(async () => {
      await opened.ask((client) => client.sPublish('news', 'hello'));
      return heard.includes('hello');
    });
    opened.close();
    await reachEngines({ REDIS_URL: secure(), REDIS_CA_FILE: certificates.ca }, silent);
  });

  test.for<[string, () => EnginesConfig, RegExp]>([
    [
      'another password',
      () => ({ REDIS_URL: secure('beltway:x'), REDIS_CA_FILE: certificates.ca }),
      /REDIS_URL: Redis answers WRONGPASS/,
    ],
    ['no password', () => ({ REDIS_URL: redis.url }), /REDIS_URL: Redis answers NOAUTH/],
    [
      'an account that may do nothing',
      () => ({ REDIS_URL: `redis://nobody:${PASSWORD}@127.0.0.1:${new URL(redis.url).port}` }),
      /REDIS_URL: Redis answers WRONGPASS/,
    ],
    [
      'another authority',
      () => ({ REDIS_URL: secure(), REDIS_CA_FILE: certificates.otherCa }),
      /REDIS_CA_FILE: .*another authority/,
    ],
    ['authorities that Node knows', () => ({ REDIS_URL: secure() }), /REDIS_CA_FILE: .*another authority/],
    [
      'no such file',
      () => ({ REDIS_URL: secure(), REDIS_CA_FILE: '/nowhere/ca.pem' }),
      /REDIS_CA_FILE: cannot be read \(ENOENT\)/,
    ],
    [
      'a file without certificate',
      () => ({ REDIS_URL: secure(), REDIS_CA_FILE: certificates.key }),
      /REDIS_CA_FILE: holds no certificate/,
    ],
    ['no TLS', () => ({ REDIS_URL: secure().replace('rediss', 'redis') }), /REDIS_URL: .* speaks TLS/],
    [
      'TLS to a port without',
      () => ({ REDIS_URL: secure().replace(String(tlsPort), new URL(redis.url).port), REDIS_CA_FILE: certificates.ca }),
      /REDIS_URL: .*TLS/,
    ],
    [
      'a name without address',
      () => ({ REDIS_URL: secure(undefined, 'nobody.invalid'), REDIS_CA_FILE: certificates.ca }),
      /REDIS_URL: there is no address/,
    ],
  ])('%s: the start names the variable and ends', async ([, wrong, said]) => {
    expect(await refusal(wrong())).toMatch(said);
  });

  test('a start does not wait for a Redis that is down', async () => {
    await reachEngines({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` }, silent);
  });
});

describe('S3 with TLS', () => {
  let server: TestS3;
  const config = (wrong: Partial<EnginesConfig> = {}): EnginesConfig => ({
    S3_URL: server.url,
    S3_BUCKET: server.bucket,
    S3_ACCESS_KEY: server.accessKey,
    S3_SECRET_KEY: server.secretKey,
    S3_CA_FILE: certificates.ca,
    ...wrong,
  });
  beforeAll(async () => {
    server = await startS3({ key: certificates.read(certificates.key), cert: certificates.read(certificates.cert) });
  });
  afterAll(() => server.stop());

  test('objects are stored and read with TLS', async () => {
    await reachEngines(config(), silent);
    const objects = s3Objects({ ...server, ca: certificates.read(certificates.ca) });
    await objects.put('a/b', Buffer.from('by TLS'));
    expect(String(await objects.get('a/b'))).toBe('by TLS');
    objects.close();
  });

  test.for<[string, () => Partial<EnginesConfig>, RegExp]>([
    ['another key', () => ({ S3_ACCESS_KEY: 'nobody' }), /S3_ACCESS_KEY: .*InvalidAccessKeyId/],
    ['another secret', () => ({ S3_SECRET_KEY: PASSWORD }), /S3_SECRET_KEY: .*SignatureDoesNotMatch/],
    ['no such bucket', () => ({ S3_BUCKET: 'nothing' }), /S3_BUCKET: .*NoSuchBucket/],
    ['another region', () => ({ S3_REGION: 'eu-west-9' }), /S3_REGION: /],
    ['another authority', () => ({ S3_CA_FILE: certificates.otherCa }), /S3_CA_FILE: .*another authority/],
    ['no TLS', () => ({ S3_URL: server.url.replace('https', 'http'), S3_CA_FILE: undefined }), /S3_URL: .* speaks TLS/],
    ['a name without address', () => ({ S3_URL: 'https://nobody.invalid' }), /S3_URL: there is no address/],
  ])('%s: the start names the variable and ends', async ([, wrong, said]) => {
    expect(await refusal(config(wrong()))).toMatch(said);
  });

  test('a start waits for a server that is temporarily unavailable', async () => {
    server.faults.push('unavailable', 'unavailable', 'unavailable');
    const warnings: string[] = [];
    await reachEngines(config(), { info: () => {}, warn: (_, text) => void warnings.push(text) });
    expect(warnings).toEqual(['S3 does not answer, the start waits for it']);
  });

  test('a server that is not S3 is refused', async () => {
    const other = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello'));
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const wrong = config({ S3_URL: `http://127.0.0.1:${port}`, S3_CA_FILE: undefined });
    expect(await refusal(wrong)).toMatch(/S3_URL: .*there is no S3 server/);
    other.close();
  });
});

describe('a service', () => {
  test('ends with the name of the variable, and opens none of its parts', async () => {
    const child = fork(new URL('./service-process.ts', import.meta.url).pathname, {
      execArgv: [],
      env: {
        PATH: process.env['PATH'] ?? '',
        SERVICE_PORT: '0',
        COLOR: 'red',
        DATABASE_URL: new URL('/nothing', process.env['TEST_DATABASE_URL']).href,
      },
      silent: true,
    });
    const words: string[] = [];
    let output = '';
    child.on('message', (word) => words.push(String(word)));
    child.stderr!.on('data', (chunk) => (output += String(chunk)));
    const [code] = (await once(child, 'close')) as [number];
    expect(code).toBe(1);
    expect(output).toContain('DATABASE_URL: database "nothing" does not exist');
    expect(output).not.toMatch(/\bat .*\.ts/);
    expect(words).toEqual([]);
  });

  test('with MIGRATE_AT_START migrates before it opens a part, even if two start concurrently', async () => {
    const database = await testDatabase();
    const start = async () => {
      const child = fork(new URL('./service-process.ts', import.meta.url).pathname, {
        execArgv: [],
        env: {
          ...{ PATH: process.env['PATH'] ?? '', SERVICE_PORT: '0', COLOR: 'red', LOG_LEVEL: 'silent' },
          ...{ DATABASE_URL: database.url, MIGRATE_AT_START: 'on' },
        },
      });
      const ended = once(child, 'close');
      await once(child, 'message');
      const client = new Client({ connectionString: database.url });
      await client.connect();
      const { rows } = await client.query<{ name: string }>('select name from schema_migrations');
      await client.end();
      child.kill();
      await ended;
      return rows.map(({ name }) => name);
    };
    try {
      for (const names of await Promise.all([start(), start()]))
        for (const part of ['event-store/0001_initial', 'jobs/']) expect(names.join()).toContain(part);
    } finally {
      await database.drop();
    }
  });
});
