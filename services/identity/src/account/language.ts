import type { Pool } from 'pg';
import type { Language } from '@beltway/contracts/common/languages';

/** Notes in which language an account is told things from now on. Writes only what is new. */
export async function rememberLanguage(pool: Pool, userId: number, language: Language | undefined): Promise<void> {
  if (language === undefined) return;
  await pool.query({
    name: 'remember-language',
    text: `insert into account_languages (user_id, language) values ($1, $2)
      on conflict (user_id) do update set language = excluded.language where account_languages.language <> excluded.language`,
    values: [userId, language],
  });
}
