import type { Columns } from '../postgres/columns.ts';
import type { PersonalColumn } from '../service/personal-data.ts';

const NAMES_ACCOUNTS =
  /^(account|admin|author|buyer|follower|organi[sz]er|other|owner|referred|referrer|reporter|uploader|user)Id$|By$/;

/** Undeclared columns of a service's tables that refer to accounts. */
export function undeclaredColumns(tables: Record<string, unknown>, declared: readonly PersonalColumn[]): string[] {
  const known = new Set(declared.map(({ table, column }) => `${table}.${column}`));
  return (Object.values(tables) as Array<{ name: string; columns: Columns; column: (field: string) => string }>)
    .flatMap(({ name, columns, column }) =>
      Object.entries(columns)
        .filter(([field, type]) => NAMES_ACCOUNTS.test(field) && /^int4[?=]?$/.test(type))
        .map(([field]) => `${name}.${column(field)}`),
    )
    .filter((column) => !known.has(column));
}
