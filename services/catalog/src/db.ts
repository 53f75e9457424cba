import { kyselyFor, statementsFor } from '@beltway/kit/kysely';
import type { Tables } from './generated/tables.ts';

/** The query builder, typed from schema.prisma, on the pool or in a transaction. */
export const kysely = kyselyFor<Tables>();

/** Prepared statements of projections and hot paths, whose text is built once. */
export const statement = statementsFor<Tables>();
