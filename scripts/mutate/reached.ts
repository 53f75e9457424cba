import { afterAll } from 'vitest';

/** Set up before each test file: reports which blocks of the file under mutation its tests reach (`withProbes`). */
const reached = new Set<number>();
Object.assign(globalThis, { reached: (block: number) => reached.add(block) });

afterAll(({}, suite) => {
  Object.assign(suite.file.meta, { reached: [...reached] });
});
