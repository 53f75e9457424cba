import { builtOnceFor, kyselyFor, type KitTables } from '@beltway/kit/kysely';
import type { Tables as OwnTables } from './generated/tables.ts';

export type Tables = OwnTables & KitTables;

/** The query builder, typed from schema.prisma, on the pool or in a transaction. */
export const kysely = kyselyFor<OwnTables>();

export const builtOnce = builtOnceFor<OwnTables>(kysely);
