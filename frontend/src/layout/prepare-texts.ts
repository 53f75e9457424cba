import { language } from '../lib/language.ts';
import { hearServer } from '../lib/said.ts';
import { texts as libTexts } from '../lib/texts.ts';
import { texts as uiTexts } from '../ui/texts.ts';
import { texts } from './texts.ts';

/** What is said outside of components, and around every page, is there before the first of them is shown. */
export async function prepareTexts(): Promise<void> {
  const now = language();
  await Promise.all([hearServer(now), libTexts.inLanguage(now), uiTexts.inLanguage(now), texts.inLanguage(now)]);
}
