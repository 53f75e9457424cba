import { expect, test } from 'vitest';
import { undeclaredColumns } from '@beltway/kit/testing-personal-data';
import * as tables from './generated/tables.ts';
import { PERSONAL } from './personal-data.ts';

test('each column that names accounts declares what an erasure does to its rows', () =>
  expect(undeclaredColumns(tables, PERSONAL)).toEqual([]));
