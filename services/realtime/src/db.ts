import { kyselyFor } from '@beltway/kit/kysely';
import { expressionBuilder } from 'kysely';
import type { Tables } from './generated/tables.ts';

/** The query builder, typed from schema.prisma, on the pool or in a transaction. */
export const kysely = kyselyFor<Tables>();

/** To make conditions apart from a statement. */
export const tables = expressionBuilder<Tables>();
