import type { JobTables } from '@beltway/kit/jobs';
import { builtOnceFor, kyselyFor } from '@beltway/kit/kysely';
import type { Tables as OwnTables } from './generated/tables.ts';

export type Tables = OwnTables & JobTables;

/** The query builder, typed from schema.prisma, on the pool or in a transaction. */
export const kysely = kyselyFor<Tables>();

export const builtOnce = builtOnceFor(kysely);
