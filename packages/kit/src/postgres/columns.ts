import type { ColumnType as KyselyColumn } from 'kysely';
import { int2s, int4s, int8s, jsonbs, texts, times, uuids, type Statements } from '@beltway/event-store';

/**
 * PostgreSQL types and the TypeScript types of values to write. A trailing `?` marks a nullable column, a trailing `=`
 * a column with a default.
 */
interface Given {
  bool: boolean;
  bytea: Buffer;
  /** A calendar date, "2026-11-21". */
  date: string;
  float8: number;
  int2: number;
  int4: number;
  'int4[]': readonly number[];
  int8: number | string;
  /** Serialized by `JSON.stringify`. */
  jsonb: unknown;
  text: string;
  'text[]': readonly string[];
  timestamptz: Date | string;
  uuid: string;
  'uuid[]': readonly string[];
  /** A type that only SQL reads and writes: `tsvector`, `point`. */
  other: never;
}
/** The types of values that `pg` returns. */
interface Answered extends Omit<Given, 'int8' | 'text[]' | 'int4[]' | 'uuid[]' | 'timestamptz' | 'other'> {
  'int4[]': number[];
  int8: string;
  'text[]': string[];
  timestamptz: Date;
  'uuid[]': string[];
  other: unknown;
}
type Plain<Type extends string> = Type extends `${infer Name extends keyof Given}${'?' | '='}`
  ? Name
  : Type & keyof Given;
type OrNull<Type extends string> = Type extends `${string}?` ? null : never;
type GivenFor<Type extends string> = Given[Plain<Type>] | OrNull<Type>;
type AnsweredFor<Type extends string> = Answered[Plain<Type>] | OrNull<Type>;

export type ColumnType = keyof Given | `${keyof Given}?` | `${keyof Given}=`;
/** A table's fields, each with the type of its column. */
export type Columns = Record<string, ColumnType>;

type MayBeNull<C extends Columns> = { [Field in keyof C]: C[Field] extends `${string}?` ? Field : never }[keyof C];

/** A row to write: an omitted nullable field is null. */
export type Written<C extends Columns> = {
  [Field in Exclude<keyof C, MayBeNull<C>>]: GivenFor<C[Field]>;
} & { [Field in MayBeNull<C>]?: GivenFor<C[Field]> | undefined };
/** A row that was read. */
export type Row<C extends Columns> = { [Field in keyof C]: AnsweredFor<C[Field]> };

/** A service's tables for its query builder (kysely.ts), by camel-case names. */
export type TablesOf<Tables extends Record<string, { columns: Columns }>> = {
  [Name in keyof Tables]: {
    [Field in keyof Tables[Name]['columns']]: KyselyColumn<
      AnsweredFor<Tables[Name]['columns'][Field]>,
      | GivenFor<Tables[Name]['columns'][Field]>
      | (Tables[Name]['columns'][Field] extends `${string}${'?' | '='}` ? undefined : never),
      GivenFor<Tables[Name]['columns'][Field]>
    >;
  };
};

/** A statement that is built once; `values` returns the parameters of one execution. */
export interface Statement<Values> {
  text: string;
  values: (of: Values) => unknown[];
  /** Adds one execution to the statements of a projection. */
  run: (sql: Statements, of: Values) => void;
}
type Getters<C extends Columns, Item> = { [Field in keyof C]: (item: Item) => GivenFor<C[Field]> };
/** A statement for many rows, with one array parameter per column: `values(events, { id: (event) => event.id, … })`. */
export interface ListStatement<C extends Columns> {
  text: string;
  values: <Item>(items: readonly Item[], of: Getters<C, Item>) => unknown[];
  /** Adds one execution to the statements of a projection. An empty list adds none. */
  run: <Item>(sql: Statements, items: readonly Item[], of: Getters<C, Item>) => void;
}
const statement = <Values>(text: string, values: (of: Values) => unknown[]): Statement<Values> => ({
  ...{ text, values },
  run: (sql, of) => sql.query(text, values(of)),
});
const listStatement = <C extends Columns>(text: string, values: ListStatement<C>['values']): ListStatement<C> => ({
  ...{ text, values },
  run: (sql, items, of) => void (items.length > 0 && sql.query(text, values(items, of))),
});

/** Functions that encode a list as one parameter. For other types, `pg` converts the list to text. */
const ENCODED: Partial<Record<string, (values: never[]) => unknown>> = {
  int2: int2s,
  int4: int4s,
  int8: int8s,
  jsonb: (values: unknown[]) => jsonbs(values.map((value) => (value === null ? null : JSON.stringify(value)))),
  text: texts,
  timestamptz: times,
  uuid: uuids,
};

/** The distinct values, and for each given value its position among the distinct values, counted from 1. */
function fewJsonbs(values: readonly unknown[]): [Buffer, Buffer] {
  const places = new Map<string, number>();
  const at = values.map((value) => {
    const json = JSON.stringify(value);
    let place = places.get(json);
    if (place === undefined) places.set(json, (place = places.size + 1));
    return place;
  });
  return [jsonbs([...places.keys()]), int4s(at)];
}

const plain = (type: ColumnType): string => type.replace(/[?=]$/, '');
const snake = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const fieldsOf = <C extends object>(columns: C) => Object.keys(columns) as Array<keyof C & string>;

/**
 * The single definition of a table's columns. SQL text, parameters and row types are derived from it. `named` contains
 * columns whose names differ from their fields. Create statements at module load, not per request.
 */
export function table<const C extends Columns>(name: string, columns: C, named: Partial<Record<keyof C, string>> = {}) {
  type Field = keyof C & string;
  const column = (field: Field): string => named[field] ?? snake(field);
  const listed = (fields: readonly Field[]) => fields.map(column).join(', ');
  const typed = (field: Field, place: number) => `$${place}::${plain(columns[field]!)}[]`;
  const encoder = (field: Field) => ENCODED[plain(columns[field]!)] ?? ((values: unknown[]) => values);

  const matching = (key: readonly Field[]) => key.map((field, at) => `${column(field)} = $${at + 1}`).join(' and ');
  const rowOf =
    <F extends Field>(fields: readonly F[]) =>
    (row: Written<Pick<C, F>>): unknown[] =>
      fields.map((field) => (row as Record<string, unknown>)[field]);

  function list<F extends Field>(fields: readonly F[]): ListStatement<Pick<C, F>> {
    const encoders = fields.map(encoder);
    return listStatement(
      `unnest(${fields.map((field, at) => typed(field, at + 1)).join(', ')}) as n (${listed(fields)})`,
      (items, of) => fields.map((field, at) => encoders[at]!(items.map(of[field]) as never[])),
    );
  }

  return {
    name,
    columns,
    column,
    /** A field's type in SQL: `int4`, `text[]`. */
    typeOf: (field: Field): string => plain(columns[field]!),

    /** The selected columns: `l.event_id as "eventId", …`. */
    select: (fields: readonly Field[] = fieldsOf(columns), of = name): string =>
      fields.map((field) => `${of}.${column(field)} as "${field}"`).join(', '),

    /** Inserts a row. `rest` is SQL that follows the values. */
    insert: <F extends Field>(fields: readonly F[], rest = ''): Statement<Written<Pick<C, F>>> =>
      statement(
        `insert into ${name} (${listed(fields)}) values (${fields.map((_, at) => `$${at + 1}`).join(', ')}) ${rest}`,
        rowOf(fields),
      ),

    /** The end of an insert: an existing row gets the new values of these fields. */
    onConflict: (key: readonly Field[], set: readonly Field[]): string =>
      `on conflict (${listed(key)}) do update set ${set.map((field) => `${column(field)} = excluded.${column(field)}`).join(', ')}`,

    /** Sets these fields of the rows with this key. The values of `added` fields are added. */
    update: <Key extends Field, F extends Field, Added extends Field = never>(
      key: Key | readonly Key[],
      fields: readonly F[],
      added: readonly Added[] = [],
    ): Statement<Written<Pick<C, Key | F | Added>>> => {
      const keys = [key].flat() as Key[];
      const set = [
        ...fields.map((field, at) => `${column(field)} = $${keys.length + at + 1}`),
        ...added.map((field, at) => `${column(field)} = ${column(field)} + $${keys.length + fields.length + at + 1}`),
      ];
      return statement(
        `update ${name} set ${set.join(', ')} where ${matching(keys)}`,
        rowOf<Key | F | Added>([...keys, ...fields, ...added]),
      );
    },

    /** Deletes the rows with this key; `rest` is SQL that follows. */
    delete: <Key extends Field>(key: readonly Key[], rest = ''): Statement<Written<Pick<C, Key>>> =>
      statement(`delete from ${name} where ${matching(key)} ${rest}`, rowOf(key)),

    /**
     * Inserts a list of rows in order. All rows get the first row's value of `same` fields; `fixed` fields have SQL
     * values. A `jsonb` field of `few` has few distinct values: each distinct value is sent and parsed once. `rest` is
     * SQL that follows.
     */
    insertMany: <F extends Field, Same extends Field = never, Few extends Field = never>(
      fields: readonly F[],
      {
        same = [],
        few = [],
        fixed = {},
        rest = '',
      }: {
        same?: readonly Same[];
        few?: readonly Few[];
        fixed?: Partial<Record<Field, string>>;
        rest?: string;
      } = {},
    ): ListStatement<Pick<C, F | Same | Few>> => {
      const [constants, encoders] = [fieldsOf(fixed) as Field[], fields.map(encoder)];
      const before = same.length + fields.length;
      const selected = [
        ...same.map((_, at) => `$${at + 1}`),
        ...fields.map((field, at) => `unnest(${typed(field, same.length + at + 1)})`),
        ...few.map((field, at) => `(${typed(field, before + 2 * at + 1)})[unnest($${before + 2 * at + 2}::int4[])]`),
        ...constants.map((field) => fixed[field]!),
      ];
      return listStatement(
        `insert into ${name} (${listed([...same, ...fields, ...few, ...constants])}) select ${selected.join(', ')} ${rest}`,
        (items, of) => [
          ...same.map((field) => of[field](items[0]!)),
          ...fields.map((field, at) => encoders[at]!(items.map(of[field]) as never[])),
          ...few.flatMap((field) => fewJsonbs(items.map(of[field]))),
        ],
      );
    },

    /** Sets these fields for a list of rows `n`, which are found by key. `fixed` fields have SQL values. */
    updateMany: <Key extends Field, F extends Field>(
      key: Key | readonly Key[],
      fields: readonly F[],
      fixed: Partial<Record<Field, string>> = {},
    ): ListStatement<Pick<C, Key | F>> => {
      const keys = [key].flat() as Key[];
      const { text, values } = list([...keys, ...fields]);
      const set = [
        ...fields.filter((field) => !(field in fixed)).map((field) => `${column(field)} = n.${column(field)}`),
        ...(fieldsOf(fixed) as Field[]).map((field) => `${column(field)} = ${fixed[field]}`),
      ];
      const found = keys.map((one) => `${name}.${column(one)} = n.${column(one)}`).join(' and ');
      return listStatement(`update ${name} set ${set.join(', ')} from ${text} where ${found}`, values);
    },

    /**
     * A list of rows for a join, `n (id, amount)`: `update … from ${PAID.text} where payments.id = n.id`. Parameters
     * start at `$1`.
     */
    list,
  };
}

/** The type of a row read from a table. */
export type RowOf<T extends { columns: Columns }> = Row<T['columns']>;
/** The type of a table's row in an outer join, where the row may be missing. */
export type Joined<R> = { [Field in keyof R]: R[Field] | null };

/** Returns a function that adds statements for single rows to a projection's statements: `write(MUTE, { room, … })`. */
export const writerTo =
  (sql: Statements) =>
  <Values>({ text, values }: Statement<Values>, row: Values): void =>
    sql.query(text, values(row));
