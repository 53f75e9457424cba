import type { Pool } from 'pg';

// How far a list of the provider's is read, and whose turn it is to read on. No lock is held: a turn ends by the clock.

/** Undefined when it was somebody's turn within the last `everyMs`. `at`: the last object that was read. */
export async function takeTurn(pool: Pool, name: string, everyMs: number): Promise<{ at: string | null } | undefined> {
  const { rows } = await pool.query<{ event_id: string | null }>(
    `insert into provider_positions as p (name, next_at) values ($1, now() + make_interval(secs => $2::float8))
     on conflict (name) do update set next_at = excluded.next_at where p.next_at <= now() returning event_id`,
    [name, everyMs / 1000],
  );
  return rows[0] && { at: rows[0].event_id };
}

/** Keeps how far it was read. `isMore`: whoever comes first reads on at once. Answers `isMore`. */
export async function reachedTo(pool: Pool, name: string, at: string | null, isMore: boolean): Promise<boolean> {
  await pool.query(
    'update provider_positions set event_id = $2, next_at = case when $3 then now() else next_at end where name = $1',
    [name, at, isMore],
  );
  return isMore;
}
