import type { Pool } from 'pg';
import type { Language } from '@beltway/contracts/common/languages';
import { excluded } from '@beltway/kit/kysely';
import { kysely } from '../db.ts';

/** Notes in which language an account is told things from now on. Writes only what is new. */
export async function rememberLanguage(pool: Pool, userId: number, language: Language | undefined): Promise<void> {
  if (language === undefined) return;
  await kysely(pool)
    .insertInto('accountLanguages')
    .values({ userId, language })
    .onConflict((conflict) =>
      conflict
        .column('userId')
        .doUpdateSet((eb) => excluded(eb, ['language']))
        .whereRef('accountLanguages.language', '<>', 'excluded.language'),
    )
    .execute();
}
