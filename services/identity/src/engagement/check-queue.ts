import type { Pool } from 'pg';
import type { PointsKind } from '@beltway/contracts/identity/points';
import { prepared } from '@beltway/event-store';

/** What is to be looked at, each by one instance at a time. Asked for while somebody looks (`generation`), it is looked at once more. */
export interface CheckQueue<Check> {
  /** SQL that ends an insert into the table: what is there already is due now. */
  again: string;
  /**
   * Looks at the next thing that is due; false: there was none. `look` says when it can be otherwise by itself, if it can. What it
   * throws is passed on, and the next one looks when the lease has ended.
   */
  next(db: Pick<Pool, 'query'>, now: Date, look: (check: Check) => Promise<Date | undefined>): Promise<boolean>;
}

/** Who looks has so long before another one does, also one that was killed: two that look at once could state what was before. */
const LEASE = `interval '1 minute'`;

/** `columns`: the key of the table, by the names that a check has for it. */
function checkQueue<Check extends Record<keyof Check, string | number>>(
  table: string,
  columns: Record<keyof Check & string, string>,
): CheckQueue<Check> {
  const fields = Object.keys(columns) as Array<keyof Check & string>;
  const key = fields.map((field) => columns[field]);
  const names = key.join(', ');
  const isIt = `where ${key.map((column, at) => `${column} = $${at + 1}`).join(' and ')}`;
  const [generation, due] = [`$${key.length + 1}`, `$${key.length + 2}`];
  const claim = `update ${table} set leased_until = now() + ${LEASE}
    where (${names}) = (
      select ${names} from ${table} where due_at <= $1 and leased_until <= now() order by due_at limit 1 for update skip locked)
    returning json_build_object(${fields.map((field) => `'${field}', ${columns[field]}`).join(', ')}) as check, generation`;
  const postpone = `update ${table} set due_at = ${due}, leased_until = now() ${isIt} and generation = ${generation}`;
  const settle = `delete from ${table} ${isIt} and generation = ${generation}`;
  const release = `update ${table} set leased_until = now() ${isIt}`;

  return {
    again: `on conflict (${names}) do update set due_at = '-infinity', generation = ${table}.generation + 1`,
    async next(db, now, look) {
      const { rows } = await db.query<{ check: Check; generation: number }>(prepared(claim, [now]));
      const [claimed] = rows;
      if (!claimed) return false;
      const again = await look(claimed.check);
      const which = fields.map((field) => claimed.check[field]);
      const { rowCount } = again
        ? await db.query(postpone, [...which, claimed.generation, again])
        : await db.query(settle, [...which, claimed.generation]);
      if (!rowCount) await db.query(release, which);
      return true;
    },
  };
}

/** A fact of somebody that may count: an event, a photo, a connection. */
export interface FactCheck {
  userId: number;
  kind: Exclude<PointsKind, 'challenge'>;
  subjectId: number;
}
export const factChecks = checkQueue<FactCheck>('fact_checks', {
  ...{ userId: 'user_id', kind: 'kind', subjectId: 'subject_id' },
});

/** The challenges of a week, as somebody has met them. */
export const challengeChecks = checkQueue<{ userId: number; week: string }>('challenge_checks', {
  ...{ userId: 'user_id', week: 'week' },
});
