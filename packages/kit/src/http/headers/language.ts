import type { Request } from 'express';
import { asLanguage, LANGUAGES, type Language } from '@beltway/contracts/common/languages';

/** The language of who asks, by `Accept-Language`: the page sends the one it is in. Undefined: none of ours. */
export function languageOf(req: Request): Language | undefined {
  const wanted = req.get('accept-language');
  // Who takes any language has not said one.
  if (wanted === undefined || wanted.trim() === '*') return undefined;
  return asLanguage(req.acceptsLanguages(...LANGUAGES) || undefined);
}
