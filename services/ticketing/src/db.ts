import { kyselyFor, statementsFor, type KitTables } from '@beltway/kit/kysely';
import type { Tables as OwnTables } from './generated/tables.ts';

export type Tables = OwnTables & KitTables;

/** The query builder, typed from schema.prisma, on the pool or in a transaction. */
export const kysely = kyselyFor<OwnTables>();

/** Statements of hot paths, whose text is built once. */
export const statement = statementsFor<OwnTables>();
