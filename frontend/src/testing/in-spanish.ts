import { act, configure, getConfig } from '@testing-library/react';
import { onTestFinished } from 'vitest';
import { prepareTexts } from '../layout/prepare-texts.ts';
import { speak } from '../lib/i18n/language.ts';
import { renderAt } from './render.tsx';

/** From here on the page is in Spanish, as main.tsx makes it; setup.ts ends that with the test. */
export async function inSpanish(): Promise<void> {
  speak('es');
  await prepareTexts();
}

/** Shows the page of an address in Spanish. */
export async function showInSpanish(path: string) {
  await inSpanish();
  // What waits for its texts while an `act` runs that is not awaited is never shown: rendering is awaited, and events run without one.
  const { eventWrapper } = getConfig();
  configure({ eventWrapper: (event) => event() });
  onTestFinished(() => configure({ eventWrapper }));
  return act(async () => renderAt(path));
}
