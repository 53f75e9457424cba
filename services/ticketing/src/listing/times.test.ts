import { expect, test } from 'vitest';
import { spokenTime } from './times.ts';

test('is said as people say it', () =>
  expect(spokenTime(new Date('2026-11-29T00:00:00.000Z'))).toBe('Saturday, November 28, 2026 at 7:00 PM'));
