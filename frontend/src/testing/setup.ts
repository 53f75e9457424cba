import { cleanup, configure } from '@testing-library/react';
import * as React from 'react';
import { afterEach } from 'vitest';
import { speak } from '../lib/i18n/language.ts';
import { loadProblemTexts } from '../lib/i18n/problems.ts';
import { sessionStore } from '../lib/storage/session-store.ts';

// Pages and dialogs are loaded when first shown: on a busy machine that takes its time. And no page-long dumps of the DOM.
configure({
  asyncUtilTimeout: 10_000,
  getElementError: (message) => new Error(message?.split('\n\n')[0] ?? 'not found'),
});

// React's development build makes an Error for each element, for the stacks of its warnings, up to 10,000 a second: a fifth of all that
// tests of the page did. By this counter it has made them all.
const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } = React as unknown as {
  __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: { recentlyCreatedOwnerStacks: number };
};
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => Infinity, set: () => undefined });

// Roles and names ask for the style of thousands of elements, a tenth of what tests of the page do. There are no style sheets here
// (`css: false`): an element has what its own attribute says. The root is as it was, for its letters measure the widths of media queries.
const computed = window.getComputedStyle;
const none = document.createElement('span').style;
window.getComputedStyle = (element, pseudo) => {
  if (element === document.documentElement) return computed(element, pseudo);
  return pseudo ? none : (element as HTMLElement).style;
};

// Nobody is told which pages tests look at.
navigator.sendBeacon = () => true;

afterEach(async () => {
  cleanup();
  speak('en');
  await loadProblemTexts('en');
  sessionStore.clear();
  localStorage.clear();
  sessionStorage.clear();
  window.history.replaceState(null, '', '/');
});
