import { expect, test } from 'vitest';
import { undeclaredColumns } from '@beltway/kit/testing-personal-data';
import * as tables from '../generated/tables.ts';
import { PERSONAL } from './personal-data.ts';

test('each column that identifies accounts declares how an erasure changes its rows', () =>
  expect(undeclaredColumns(tables, PERSONAL)).toEqual([]));
