import type { Pool } from 'pg';
import { z } from 'zod';
import type { Bus } from './bus.ts';

/** A message that names the version of its stream. Others say nothing of it. */
const Versioned = z.object({ key: z.string(), data: z.object({ version: z.int().positive() }) });

/**
 * So many messages of each partition are looked at, the newest. A topic tells a log in its order, and a restored log is the beginning of
 * it: where anything is missing, the newest message is. Behind the newest one missing come no more than those of transactions that were
 * open together with its own at the moment of the copy.
 */
const NEWEST = 500;

export interface VersionAhead {
  stream: string;
  /** The newest one that the topic names. */
  said: number;
  /** The newest one in the log; 0 where it has nothing of the stream. */
  known: number;
}

/**
 * The streams of which a service's topic names newer versions than its log has: the log was restored to an earlier moment, or is another one
 * than the topic tells of. Streams are the keys of their messages. Rejects with `BusUnavailable`.
 */
export async function versionsAhead(bus: Bus, pool: Pick<Pool, 'query'>, topic: string): Promise<VersionAhead[]> {
  const said = new Map<string, number>();
  const see = (message: unknown) => {
    const { data: found } = Versioned.safeParse(message);
    if (found) said.set(found.key, Math.max(found.data.version, said.get(found.key) ?? 0));
  };
  await bus.replay(topic, async (batch) => batch.forEach(({ message }) => see(message)), { newest: NEWEST });
  if (said.size === 0) return [];
  // The log after the topic: what other instances have said meanwhile is in it.
  const { rows } = await pool.query<VersionAhead>(
    `select stream, said::int, known::int from unnest($1::text[], $2::bigint[]) s (stream, said)
     cross join lateral (select coalesce(max(version), 0) as known from events e where e.stream = s.stream) log
     where said > known order by said - known desc, stream`,
    [[...said.keys()], [...said.values()]],
  );
  return rows;
}
