import { textsOfLoaded } from '../lib/i18n/catalog.ts';
import { language } from '../lib/i18n/language.ts';
import { loadProblemTexts } from '../lib/i18n/problems.ts';

/** Loads, before anything is shown, the texts of all code loaded so far and those used outside of components. */
export async function prepareTexts(): Promise<void> {
  const now = language();
  await Promise.all([loadProblemTexts(now), textsOfLoaded(now)]);
}
