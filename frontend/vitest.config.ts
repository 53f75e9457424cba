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
    // One worker per CPU core; the default leaves one core idle.
    maxWorkers: '100%',
    // A worker loads modules once for all its files. Tests that need fresh module state reset the modules.
    isolate: false,
    // Milliseconds, here and below: a wait ends as soon as its condition is met.
    expect: { poll: { timeout: 10_000 } },
    testTimeout: 20_000,
  },
});
