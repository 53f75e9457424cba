import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../launcher/settings.ts';
import { KNOWN } from './known.ts';

/** Each line with the two lines before it, as the run compares them. */
function contexts(file: string): string[] {
  if (!existsSync(join(root, file))) return [];
  const lines = readFileSync(join(root, file), 'utf8')
    .split('\n')
    .map((line) => line.trim());
  return lines.map((_, at) => lines.slice(Math.max(0, at - 2), at + 1).join(' '));
}

test('each known survivor is about a line that exists', () => {
  const stale = Object.entries(KNOWN).flatMap(([file, known]) => {
    const all = contexts(file);
    return known.filter(([part]) => !all.some((context) => context.includes(part))).map(([part]) => `${file}: ${part}`);
  });
  expect(stale).toEqual([]);
});
