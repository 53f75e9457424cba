import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from 'node:tls';
import kafkajs from 'kafkajs';
import { Client } from 'pg';
import { connection } from '@beltway/event-store';
import { quietRequestQueue } from '../bus/kafka/quiet-request-queue.ts';
import { brokerSocket, kafkaSecurity } from '../bus/kafka/security.ts';
import { gauges, type Sample } from '../observe/metrics.ts';
import { ATTEMPT_MS, attempted } from './finding.ts';
import type { EnginesConfig } from './reach.ts';
import { tryRedis } from './redis.ts';
import { tryS3 } from './s3.ts';

export interface WatchConfig extends EnginesConfig {
  /** The public URL, whose certificate is checked. */
  PUBLIC_URL?: string | undefined;
  /** Mounted folders with their names, such as `postgres=/disks/postgres`, separated by commas. */
  WATCH_DISKS?: string | undefined;
  /** The folder of backups. The age of its newest entry is exported. */
  WATCH_BACKUPS?: string | undefined;
}

/** An engine's values for each metric. If a metric has several series, the series have labels. */
export type Figures = Record<string, Sample<'value'>[]>;
const one = (value: number, labels?: Record<string, string>): Sample<'value'>[] => [
  { ...(labels && { labels }), values: { value } },
];

const HELP = {
  engine_up: ['engine'],
  postgres_connections: [],
  postgres_connections_max: [],
  postgres_wal_archive_failing: [],
  postgres_wal_retained_bytes: ['slot'],
  postgres_transaction_id_age: ['database'],
  postgres_database_bytes: ['database'],
  clock_offset_seconds: [],
  kafka_partitions_under_replicated: [],
  kafka_partitions_offline: [],
  disk_free_bytes: ['disk'],
  disk_size_bytes: ['disk'],
  backup_age_seconds: [],
  certificate_remaining_seconds: ['host'],
} satisfies Record<string, string[]>;

const TEXTS: Record<keyof typeof HELP, string> = {
  engine_up: 'Whether an engine answers, 1 or 0',
  postgres_connections: 'Connections that clients have to PostgreSQL',
  postgres_connections_max: 'Connections that PostgreSQL accepts from roles that are not superusers',
  postgres_wal_archive_failing: 'Whether the last attempt to archive the write-ahead log failed; missing: no archive',
  postgres_wal_retained_bytes: 'Write-ahead log that a replication slot keeps from being removed',
  postgres_transaction_id_age: 'Transactions since the oldest row that vacuum has not frozen; at 2 billion writes stop',
  postgres_database_bytes: 'Bytes of a database on disk',
  clock_offset_seconds: 'How far the clock of PostgreSQL is ahead of this one',
  kafka_partitions_under_replicated: 'Partitions of which a replica is not in sync',
  kafka_partitions_offline: 'Partitions without a leader: nothing can be written to them',
  disk_free_bytes: 'Bytes of a disk that are free',
  disk_size_bytes: 'Bytes of a disk',
  backup_age_seconds: 'Time since the newest entry of the folder of backups changed',
  certificate_remaining_seconds: 'How long the certificate of the public address is still valid',
};

const FIGURES = `select
    (select count(*) from pg_stat_activity where backend_type = 'client backend')::int as connections,
    (current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - current_setting('reserved_connections')::int) as most,
    extract(epoch from clock_timestamp())::float8 as now,
    current_setting('archive_mode') <> 'off' as archives,
    coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as failing
  from pg_stat_archiver`;
// Uses oids: for the name of a database that was dropped a moment ago, the functions fail; for its oid they return null.
const DATABASES = `select datname as name, age(datfrozenxid)::float8 as age,
    case when has_database_privilege(oid, 'connect') is null then null
      when has_database_privilege(oid, 'connect') or pg_has_role('pg_read_all_stats', 'usage')
      then pg_database_size(oid)::float8 end as bytes
  from pg_database where datallowconn`;
const SLOTS = `select slot_name as name, pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::float8 as bytes
  from pg_replication_slots where restart_lsn is not null`;

async function postgres(url: string): Promise<Figures> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: ATTEMPT_MS, ...connection() });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const asked = Date.now();
    type Row = { connections: number; most: number; now: number; archives: boolean; failing: boolean };
    const [row] = (await client.query<Row>(FIGURES)).rows;
    const halfway = (asked + Date.now()) / 2_000;
    const { rows: databases } = await client.query<{ name: string; age: number; bytes: number | null }>(DATABASES);
    const { rows: slots } = await client.query<{ name: string; bytes: number }>(SLOTS);
    return {
      postgres_connections: one(row!.connections),
      postgres_connections_max: one(row!.most),
      clock_offset_seconds: one(row!.now - halfway),
      postgres_wal_archive_failing: row!.archives ? one(row!.failing ? 1 : 0) : [],
      postgres_wal_retained_bytes: slots.flatMap(({ name, bytes }) => one(bytes, { slot: name })),
      postgres_transaction_id_age: databases.flatMap(({ name, age }) => one(age, { database: name })),
      postgres_database_bytes: databases.flatMap(({ name, bytes }) =>
        bytes === null ? [] : one(bytes, { database: name }),
      ),
    };
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function kafka(config: EnginesConfig & { KAFKA_BROKERS: string }): Promise<Figures> {
  quietRequestQueue();
  const security = kafkaSecurity(config);
  const { sasl } = security;
  const client = new kafkajs.Kafka({
    clientId: 'beltway-watch',
    brokers: config.KAFKA_BROKERS.split(',').map((broker) => broker.trim()),
    ...(sasl && { sasl }),
    ...{ connectionTimeout: ATTEMPT_MS, requestTimeout: ATTEMPT_MS, retry: { retries: 0 } },
    logLevel: kafkajs.logLevel.NOTHING,
    socketFactory: ({ host, port, onConnect }) => brokerSocket(security, { host, port, onConnect }),
  });
  const admin = client.admin();
  try {
    await admin.connect();
    const { topics } = await admin.fetchTopicMetadata();
    const partitions = topics.flatMap((topic) => topic.partitions);
    return {
      kafka_partitions_under_replicated: one(
        partitions.filter(({ isr, replicas }) => isr.length < replicas.length).length,
      ),
      kafka_partitions_offline: one(partitions.filter(({ leader }) => leader < 0).length),
    };
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}

/** Throws unless the engine responded. */
const answers = async (finding: Promise<{ state: string; why?: string }>): Promise<Figures> => {
  const { state, why } = await finding;
  if (state !== 'answers') throw new Error(why ?? state);
  return {};
};

async function disks(named: string): Promise<Figures> {
  const found = await Promise.all(
    named.split(',').map(async (each) => {
      const [disk = '', folder = ''] = each.trim().split('=');
      const { bavail, blocks, bsize } = await statfs(folder);
      return { disk, free: bavail * bsize, size: blocks * bsize };
    }),
  );
  return {
    disk_free_bytes: found.flatMap(({ disk, free }) => one(free, { disk })),
    disk_size_bytes: found.flatMap(({ disk, size }) => one(size, { disk })),
  };
}

async function backups(folder: string): Promise<Figures> {
  const names = await readdir(folder);
  const times = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).mtimeMs));
  // A folder without backups counts as infinitely old.
  return { backup_age_seconds: one(times.length === 0 ? Infinity : (Date.now() - Math.max(...times)) / 1_000) };
}

function certificate(address: string): Promise<Figures> {
  const { protocol, hostname, port } = new URL(address);
  if (protocol !== 'https:') return Promise.resolve({});
  return new Promise((resolve, reject) => {
    // Accepts an expired or untrusted certificate, because such a certificate must be reported.
    const socket = connect({
      host: hostname,
      port: Number(port || 443),
      servername: hostname,
      rejectUnauthorized: false,
    });
    socket.setTimeout(ATTEMPT_MS, () => socket.destroy(new Error('no answer')));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      const until = Date.parse(socket.getPeerCertificate().valid_to);
      socket.destroy();
      resolve({ certificate_remaining_seconds: one((until - Date.now()) / 1_000, { host: hostname }) });
    });
  });
}

/**
 * Checks each configured engine and resource. `engine_up` includes all of them; engines that do not respond have no
 * other values.
 */
export async function lookAtEngines(
  config: WatchConfig,
): Promise<{ figures: Figures; problems: Record<string, string> }> {
  const { DATABASE_URL, KAFKA_BROKERS, REDIS_URL, REDIS_CA_FILE, S3_URL, PUBLIC_URL, WATCH_DISKS, WATCH_BACKUPS } =
    config;
  const looks: Record<string, () => Promise<Figures>> = {
    ...(DATABASE_URL && { postgres: () => postgres(DATABASE_URL) }),
    ...(KAFKA_BROKERS && { kafka: () => kafka({ ...config, KAFKA_BROKERS }) }),
    ...(REDIS_URL && { redis: () => answers(tryRedis(REDIS_URL, REDIS_CA_FILE)) }),
    ...(S3_URL && { s3: () => answers(tryS3(config)) }),
    ...(WATCH_DISKS && { disks: () => disks(WATCH_DISKS) }),
    ...(WATCH_BACKUPS && { backups: () => backups(WATCH_BACKUPS) }),
    ...(PUBLIC_URL && { certificate: () => certificate(PUBLIC_URL) }),
  };
  const figures: Figures = {};
  const problems: Record<string, string> = {};
  await Promise.all(
    Object.entries(looks).map(async ([engine, look]) => {
      const found = await attempted(look(), () => undefined).catch((error: Error) => {
        problems[engine] = error.message;
        return undefined;
      });
      Object.assign(figures, found);
      (figures['engine_up'] ??= []).push(...one(found ? 1 : 0, { engine }));
    }),
  );
  return { figures, problems };
}

/** Exports the latest result of `look` in `/metrics`. */
export function showEngines(look: () => Figures): void {
  for (const [name, labels] of Object.entries(HELP))
    gauges({ [name]: TEXTS[name as keyof typeof HELP] }, labels, () =>
      (look()[name] ?? []).map((sample) => ({ ...sample, values: { [name]: sample.values.value } })),
    );
}
