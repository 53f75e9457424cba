import { textsOfLoaded } from '../lib/i18n/catalog.ts';
import { language } from '../lib/i18n/language.ts';
import { loadProblemTexts } from '../lib/i18n/problems.ts';

/** What is said outside of components, and by all code that is loaded by now, is there before that is shown. */
export async function prepareTexts(): Promise<void> {
  const now = language();
  await Promise.all([loadProblemTexts(now), textsOfLoaded(now)]);
}
