import { builtOnceFor, kyselyFor } from '@beltway/kit/kysely';
import type { Tables } from './generated/tables.ts';

/** The query builder, typed from schema.prisma, on the pool or in a transaction. */
export const kysely = kyselyFor<Tables>();

export const builtOnce = builtOnceFor(kysely);
