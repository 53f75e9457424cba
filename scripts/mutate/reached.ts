import { afterAll } from 'vitest';

/** A setup file: reports which blocks of the mutated file the tests of a test file reach (`withProbes`). */
const reached = new Set<number>();
Object.assign(globalThis, { reached: (block: number) => reached.add(block) });

afterAll(({}, suite) => {
  Object.assign(suite.file.meta, { reached: [...reached] });
});
