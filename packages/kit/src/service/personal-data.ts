import { MAX_EXPORTED, type PersonPart } from '@beltway/contracts/identity/people';
import type { Queries } from '@beltway/event-store';
import type { Columns } from '../postgres/columns.ts';

interface Table<C extends Columns> {
  name: string;
  columns: C;
  column: (field: keyof C & string) => string;
}

interface Rules<Field extends string> {
  /** In the person's file: what it is called there, its fields (`payoutId as id`), the newest first. `one`: a row or null, not a list. */
  exported?: { as: string; fields: ReadonlyArray<Field | `${Field} as ${string}`>; newest?: Field; one?: boolean };
  /** At the end of the account rows are deleted, columns get other values, all stays for a reason, or other code does it. */
  erasure: 'delete' | { set: Partial<Record<Field, string | null>> } | { kept: string } | { elsewhere: string };
}

/** A column that names accounts, and what happens to its rows. */
export interface PersonalColumn {
  table: string;
  column: string;
  exported?: { as: string; one: boolean; text: string };
  /** With the account's number as `$1`. May be done again. */
  erase?: string;
}

const literal = (value: string | null | undefined): string =>
  value == null ? 'null' : `'${value.replaceAll("'", "''")}'`;

/** Declares that `field` of a table names accounts. */
export function personal<C extends Columns>(
  { name: table, columns, column }: Table<C>,
  field: keyof C & string,
  { exported, erasure }: Rules<keyof C & string>,
): PersonalColumn {
  const whose = `${column(field)} = $1`;
  const selected = (named: string) => {
    const [of = '', as = of] = named.split(' as ');
    return `${column(of)}${columns[of]?.startsWith('date') ? '::text' : ''} as "${as}"`;
  };
  const exportOf = ({ as, fields, newest, one = false }: NonNullable<typeof exported>) => ({
    ...{ as, one },
    text: `select ${fields.map(selected).join(', ')} from ${table} where ${whose}
      ${newest === undefined ? '' : `order by ${column(newest)} desc`} limit $2`,
  });
  const eraseBy = (set: Record<string, string | null | undefined>) =>
    `update ${table} set ${Object.entries(set).map(([of, value]) => `${column(of)} = ${literal(value)}`)} where ${whose}`;
  return {
    ...{ table, column: column(field) },
    ...(exported && { exported: exportOf(exported) }),
    ...(erasure === 'delete' && { erase: `delete from ${table} where ${whose}` }),
    ...(erasure !== 'delete' && 'set' in erasure && { erase: eraseBy(erasure.set) }),
  };
}

/** What these columns hold of an account, as a part of its export. Lists are bounded. */
export async function exportPerson(
  db: Pick<Queries, 'query'>,
  columns: readonly PersonalColumn[],
  userId: number,
): Promise<PersonPart> {
  const exported = columns.flatMap((column) => column.exported ?? []);
  const lists = await Promise.all(
    exported.map(async ({ text }) => (await db.query<object>(text, [userId, MAX_EXPORTED])).rows),
  );
  return {
    ...Object.fromEntries(exported.map(({ as, one }, at) => [as, one ? (lists[at]![0] ?? null) : lists[at]!])),
    isComplete: lists.every(({ length }) => length < MAX_EXPORTED),
  };
}

/** The statements that erase an account here, with its number as `$1`. */
export const erasuresOf = (columns: readonly PersonalColumn[]): string[] => columns.flatMap(({ erase }) => erase ?? []);

/** Selects the highest account number in these columns: identity gives out higher numbers only. */
export const highestAccountOf = (columns: readonly PersonalColumn[]): string =>
  `select greatest(${columns.map(({ table, column }) => `(select max(${column}) from ${table})`).join(', ')})`;
