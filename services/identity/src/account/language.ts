import type { Request } from 'express';
import type { Pool } from 'pg';
import { asLanguage, LANGUAGES, type Language } from '@beltway/contracts/languages';

/** The language of who asks, by `Accept-Language`: the page sends the one it is in. Undefined: none of ours. */
export function languageOf(req: Request): Language | undefined {
  const wanted = req.get('accept-language');
  // Who takes any language has not said one.
  if (wanted === undefined || wanted.trim() === '*') return undefined;
  return asLanguage(req.acceptsLanguages(...LANGUAGES) || undefined);
}

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
