import { MAX_EXPORTED, type PersonPart } from '@beltway/contracts/identity/people';
import type { Queries } from '@beltway/event-store';
import type { Columns } from '../postgres/columns.ts';

interface Table<C extends Columns> {
  name: string;
  columns: C;
  column: (field: keyof C & string) => string;
}

interface Rules<Field extends string> {
  /**
   * The part of the account's export: the list's name and its fields (`payoutId as id`), newest first. `one`: a single
   * row or null instead of a list.
   */
  exported?: { as: string; fields: ReadonlyArray<Field | `${Field} as ${string}`>; newest?: Field; one?: boolean };
  /**
   * What happens to rows when the account is erased: they are deleted, columns are overwritten, they are kept for a
   * reason, or other code handles them.
   */
  erasure: 'delete' | { set: Partial<Record<Field, string | null>> } | { kept: string } | { elsewhere: string };
}

/** A column that refers to accounts, with the rules for its rows. */
export interface PersonalColumn {
  table: string;
  column: string;
  exported?: { as: string; one: boolean; text: string };
  /** The statement that erases the data, with the account id as `$1`. Idempotent. */
  erase?: string;
}

const literal = (value: string | null | undefined): string =>
  value == null ? 'null' : `'${value.replaceAll("'", "''")}'`;

/** Declares that `field` of a table refers to accounts. */
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

/** An account's data in these columns, as a part of its export. The lists have a maximum length. */
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

/** The statements that erase an account in these columns, with its id as `$1`. */
export const erasuresOf = (columns: readonly PersonalColumn[]): string[] => columns.flatMap(({ erase }) => erase ?? []);

/** SQL for the highest account id in these columns. Identity must assign only higher ids. */
export const highestAccountOf = (columns: readonly PersonalColumn[]): string =>
  `select greatest(${columns.map(({ table, column }) => `(select max(${column}) from ${table})`).join(', ')})`;
