import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';
import { sessionStore } from '../lib/session-store.ts';

afterEach(() => {
  cleanup();
  sessionStore.clear();
  localStorage.clear();
  window.history.replaceState(null, '', '/');
});
