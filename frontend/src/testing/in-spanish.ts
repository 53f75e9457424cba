import { act, configure, getConfig } from '@testing-library/react';
import { onTestFinished } from 'vitest';
import { prepareTexts } from '../layout/prepare-texts.ts';
import { speak } from '../lib/i18n/language.ts';
import { renderAt } from './render.tsx';

/** Switches the page to Spanish, as main.tsx does; setup.ts resets it after the test. */
export async function inSpanish(): Promise<void> {
  speak('es');
  await prepareTexts();
}

/** Renders the page of a path in Spanish. */
export async function showInSpanish(path: string) {
  await inSpanish();
  // A component that suspends for texts within an unawaited `act` never appears. So this awaits rendering and runs
  // events without `act`.
  const { eventWrapper } = getConfig();
  configure({ eventWrapper: (event) => event() });
  onTestFinished(() => configure({ eventWrapper }));
  return act(async () => renderAt(path));
}
