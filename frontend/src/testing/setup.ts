import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';
import { speak } from '../lib/language.ts';
import { hearServer } from '../lib/said.ts';
import { sessionStore } from '../lib/session-store.ts';

// Pages and dialogs are loaded when first shown: on a busy machine that takes its time. And no page-long dumps of the DOM.
configure({
  asyncUtilTimeout: 10_000,
  getElementError: (message) => new Error(message?.split('\n\n')[0] ?? 'not found'),
});

// Nobody is told which pages tests look at.
navigator.sendBeacon = () => true;

afterEach(async () => {
  cleanup();
  speak('en');
  await hearServer('en');
  sessionStore.clear();
  localStorage.clear();
  sessionStorage.clear();
  window.history.replaceState(null, '', '/');
});
