import type { Pool } from 'pg';
import type { Language } from '@beltway/contracts/common/languages';
import { excluded } from '@beltway/kit/kysely';
import { kysely } from '../db.ts';

/** Stores the language of the account's mails. Writes only when the language differs from the stored one. */
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
