import type { Pool } from 'pg';
import { z } from 'zod';
import type { Bus } from './bus.ts';

/** A message that contains the version of its stream. Other messages have no version. */
const Versioned = z.object({ key: z.string(), data: z.object({ version: z.int().positive() }) });

/**
 * Number of newest messages checked per partition. A topic has the order of its log, and a restored log is a prefix of
 * that log, so any loss includes the newest message. After the newest lost message, the topic has only messages of
 * transactions that were open concurrently with that message at the time of the copy.
 */
const NEWEST = 500;

export interface VersionAhead {
  stream: string;
  /** The newest version on the topic. */
  said: number;
  /** The newest version in the log; 0 if the stream is missing. */
  known: number;
}

/**
 * Finds streams with newer versions on a service's topic than in its log. Then the log was restored to an earlier time,
 * or the topic belongs to another log. The key of a message is its stream. Rejects with `BusUnavailable`.
 */
export async function versionsAhead(bus: Bus, pool: Pick<Pool, 'query'>, topic: string): Promise<VersionAhead[]> {
  const said = new Map<string, number>();
  const see = (message: unknown) => {
    const { data: found } = Versioned.safeParse(message);
    if (found) said.set(found.key, Math.max(found.data.version, said.get(found.key) ?? 0));
  };
  await bus.replay(topic, async (batch) => batch.forEach(({ message }) => see(message)), { newest: NEWEST });
  if (said.size === 0) return [];
  // The log is read after the topic, so that it includes events that other instances published in between.
  const { rows } = await pool.query<VersionAhead>(
    `select stream, said::int, known::int from unnest($1::text[], $2::bigint[]) s (stream, said)
     cross join lateral (select coalesce(max(version), 0) as known from events e where e.stream = s.stream) log
     where said > known order by said - known desc, stream`,
    [[...said.keys()], [...said.values()]],
  );
  return rows;
}
