import { kyselyFor } from '@beltway/kit/kysely';
import { expressionBuilder } from 'kysely';
import type { Tables } from './generated/tables.ts';

/** The query builder, typed from schema.prisma, on the pool or in a transaction. */
export const kysely = kyselyFor<Tables>();

/** Builds conditions outside of a statement. */
export const tables = expressionBuilder<Tables>();
