import type { Request } from 'express';
import { asLanguage, LANGUAGES, type Language } from '@beltway/contracts/common/languages';

/**
 * The caller's language from `Accept-Language`, which the frontend sets to the language that it displays. undefined if
 * the site supports none of the languages.
 */
export function languageOf(req: Request): Language | undefined {
  const wanted = req.get('accept-language');
  // `*` means that any language is acceptable.
  if (wanted === undefined || wanted.trim() === '*') return undefined;
  return asLanguage(req.acceptsLanguages(...LANGUAGES) || undefined);
}
