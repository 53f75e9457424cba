import { cleanup, configure } from '@testing-library/react';
import * as React from 'react';
import { afterEach } from 'vitest';
import { speak } from '../lib/i18n/language.ts';
import { loadProblemTexts } from '../lib/i18n/problems.ts';
import { sessionStore } from '../lib/storage/session-store.ts';

// Pages and dialogs load lazily, which is slow on a busy machine. Errors omit the DOM dump, because it is very long.
configure({
  asyncUtilTimeout: 10_000,
  getElementError: (message) => new Error(message?.split('\n\n')[0] ?? 'not found'),
});

// React's development build creates an Error per element for the stacks of its warnings, up to 10,000 a second. That
// takes a fifth of the page tests' time, so this counter pretends that the limit is reached.
const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } = React as unknown as {
  __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: { recentlyCreatedOwnerStacks: number };
};
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => Infinity, set: () => undefined });

// Role queries compute the style of thousands of elements, which takes a tenth of the page tests' time. Without style
// sheets (`css: false`), an element has only its style attribute. The root keeps its real style, because its font size
// scales media queries.
const computed = window.getComputedStyle;
const none = document.createElement('span').style;
window.getComputedStyle = (element, pseudo) => {
  if (element === document.documentElement) return computed(element, pseudo);
  return pseudo ? none : (element as HTMLElement).style;
};

// Tests send no view counts.
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
