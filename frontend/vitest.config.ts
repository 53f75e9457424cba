import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { compiledTexts } from './scripts/compile-texts.ts';

export default defineConfig({
  plugins: [react(), compiledTexts],
  test: {
    name: 'frontend',
    environment: 'happy-dom',
    environmentOptions: { happyDOM: { url: 'http://localhost:3000/' } },
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/testing/setup.ts'],
    css: false,
    // As many as there are processors; the default leaves one of them idle.
    maxWorkers: '100%',
    // A worker loads everything once and not anew for each file; whoever needs a module as on a new page resets modules.
    isolate: false,
    testTimeout: 20_000,
  },
});
