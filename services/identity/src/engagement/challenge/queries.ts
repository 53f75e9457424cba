import type { Pool } from 'pg';
import { z } from 'zod';
import type { ChallengePage, ChallengesQuery } from '@beltway/contracts/identity/challenges';
import { cursorOf, readCursor } from '@beltway/kit/cursor';
import { challengeFacts } from './facts.ts';
import { progressIn, textsOf, type ChallengeFact, type ChallengeTerms } from './rules.ts';
import { sql } from 'kysely';
import { kysely } from '../../db.ts';

const MAX_INT = 2_147_483_647;
const After = z.tuple([z.int().min(0).max(MAX_INT)]);
interface Row extends ChallengeTerms {
  id: string;
  number: number;
  taken: number;
  expiresAt: Date;
  createdAt: Date;
  isRewarded: boolean;
}

function shown(row: Row, facts: readonly ChallengeFact[] | undefined, now: Date): ChallengePage['items'][number] {
  const { id, type, place, reward, maxProgress, places, taken, expiresAt, createdAt, isRewarded } = row;
  return {
    ...{ id, ...textsOf(row), type, place, reward, maxProgress, places },
    placesLeft: places === null ? null : Math.max(0, places - taken),
    ...{ isActive: expiresAt > now, expiresAt: expiresAt.toISOString(), createdAt: createdAt.toISOString() },
    own: facts ? { progress: progressIn(row, facts).progress, isRewarded } : null,
  };
}

/** All challenges, latest week first, each with the reader's progress. 400 `bad-cursor`. */
export async function challengePage(
  pool: Pool,
  { cursor, limit }: z.infer<typeof ChallengesQuery>,
  readerId: number | undefined,
  now: Date,
): Promise<ChallengePage> {
  const [before] = cursor === undefined ? [MAX_INT] : readCursor(cursor, After);
  const { rows } = await sql<Row>`
    select c.id, c.number, c.week::text, c.type, c.place, c.reward, c.max_progress as "maxProgress", c.places,
      (select count(*)::int from challenge_standings s where s.challenge_id = c.id and s.has_place) as taken,
      c.expires_at as "expiresAt", c.created_at as "createdAt", exists (select from counted_facts f
        where f.user_id = ${readerId ?? null} and f.kind = 'challenge' and f.subject_id = c.number) as "isRewarded"
    from challenges c where c.number < ${before} order by c.number desc limit ${limit + 1}`.execute(kysely(pool));
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const weeks = [...new Set(page.map(({ week }) => week))];
  const facts = readerId === undefined ? undefined : await challengeFacts(pool, readerId, weeks);
  return {
    items: page.map((row) => shown(row, facts, now)),
    nextCursor: rows.length > limit && last ? cursorOf([last.number]) : null,
  };
}
