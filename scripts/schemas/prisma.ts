import { getSchema, type Field, type Model } from '@mrleebo/prisma-ast';

/** A table in a form that can be compared: `price_cents integer not null default 0`. */
export interface Table {
  columns: string[];
  primaryKey: string[];
  /** Columns of each unique constraint or index: `event_id, ordinal`. */
  uniques: string[];
  /** Columns of each other index: `owner_id, created_at desc`. */
  indexes: string[];
  /** `session_id -> sessions (id) on delete cascade`. */
  foreignKeys: string[];
}

/** PostgreSQL's name of each scalar type, without and with a native type. */
const TYPES: Record<string, string> = {
  String: 'text',
  Boolean: 'boolean',
  Int: 'integer',
  BigInt: 'bigint',
  Float: 'double precision',
  DateTime: 'timestamp(3) without time zone',
  Json: 'jsonb',
  Bytes: 'bytea',
  Uuid: 'uuid',
  SmallInt: 'smallint',
  Date: 'date',
  Text: 'text',
};

interface Attribute {
  name: string;
  group?: string;
  args?: Array<{ value: unknown }>;
}

const text = (value: unknown): string => String(value).replaceAll('"', '');
const attribute = (of: { attributes?: unknown }, name: string): Attribute | undefined =>
  ((of.attributes ?? []) as Attribute[]).find((each) => each.name === name && each.group === undefined);

const attributesOf = (model: Model, name: string) =>
  (model.properties as unknown as Array<Attribute & { type: string }>).filter(
    (each) => each.type === 'attribute' && each.name === name,
  );
const tableName = (model: Model): string => text(attributesOf(model, 'map')[0]?.args?.[0]?.value ?? model.name);

const column = (field: Field): string => text(attribute(field, 'map')?.args?.[0]?.value ?? field.name);
const columnsOf = ({ properties }: Model, names: string[]): string =>
  names
    .map((name) => column(properties.find((each): each is Field => each.type === 'field' && each.name === name)!))
    .join(', ');

const nameOf = (type: Field['fieldType']): string => (typeof type === 'string' ? type : type.name);

/** A type that Prisma does not support has its PostgreSQL name in the schema: `Unsupported("tsvector")`. */
const unsupported = ({ fieldType: type }: Field): string | undefined =>
  typeof type !== 'string' && type.name === 'Unsupported' ? text(type.params?.[0]) : undefined;

function typeOf(field: Field, model: string): string {
  const native = ((field.attributes ?? []) as Attribute[]).find(({ group }) => group === 'db');
  const name = native?.name ?? nameOf(field.fieldType);
  const first = native?.args?.[0]?.value;
  const size = first === undefined ? '' : `(${text(first)})`;
  const type =
    name === 'Timestamptz'
      ? `timestamp${size} with time zone`
      : name === 'VarChar'
        ? `character varying${size}`
        : (TYPES[name] ?? unsupported(field));
  if (type === undefined) throw new Error(`${model}.${field.name}: no PostgreSQL type is known for ${name}`);
  return field.array ? `${type}[]` : type;
}

/** A default without the casts, quotes and line breaks that PostgreSQL adds: `'none'::text` becomes `'none'`. */
export const plainDefault = (expression: string): string =>
  expression
    .replaceAll(/::(double precision|[a-z0-9_]+)/g, '')
    .replaceAll(/\('?(\d+)'?\)/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();

interface Call {
  name: string;
  params?: unknown[];
}

function defaultOf(field: Field): string {
  const value = attribute(field, 'default')?.args?.[0]?.value;
  if (value === undefined) return '';
  if (typeof value !== 'object') return ` default ${String(value).replaceAll('"', `'`)}`;
  const { name, params = [] } = value as Call;
  // In PostgreSQL `generated always as identity` is not a default.
  if (name === 'autoincrement') return '';
  return ` default ${plainDefault(name === 'dbgenerated' ? text(params[0]) : `${name}()`)}`;
}

/** An attribute's argument by its name, such as `fields` of `@relation(fields: [eventId])`. */
const named = ({ args = [] }: Attribute, key: string): unknown =>
  args.map(({ value }) => value as { key?: string; value?: unknown }).find((each) => each.key === key)?.value;

/** The tables in a schema.prisma, by name. */
export function tablesOf(schema: string): Map<string, Table> {
  const models = getSchema(schema).list.filter((each): each is Model => each.type === 'model');
  const modelNames = new Set(models.map(({ name }) => name));
  return new Map(
    models.map((model) => {
      const fields = model.properties.filter((each): each is Field => each.type === 'field');
      const scalars = fields.filter(({ fieldType }) => !modelNames.has(nameOf(fieldType)));
      const columns = (names: string[]) => columnsOf(model, names);
      const ofModel = (name: string) => attributesOf(model, name);
      const listed = ({ args }: Attribute) => columns((args![0]!.value as { args: string[] }).args);
      const indexed = ({ args }: Attribute) =>
        (args![0]!.value as { args: Array<string | Call> }).args
          .map((each) => (typeof each === 'string' ? columns([each]) : `${columns([each.name])} desc`))
          .join(', ');
      const related = (field: Field): string[] => {
        const relation = attribute(field, 'relation');
        // The other side of a relation has no columns.
        if (!relation || named(relation, 'fields') === undefined) return [];
        const list = (key: string) => (named(relation, key) as { args: string[] }).args;
        const other = models.find(({ name }) => name === field.fieldType)!;
        const onDelete = named(relation, 'onDelete');
        const to = `${tableName(other)} (${columnsOf(other, list('references'))})`;
        return [
          `${columns(list('fields'))} -> ${to}${onDelete === undefined ? '' : ` on delete ${text(onDelete).toLowerCase()}`}`,
        ];
      };
      const marked = (name: string) => scalars.filter((field) => attribute(field, name)).map(column);
      const table: Table = {
        columns: scalars
          .map(
            (field) =>
              `${column(field)} ${typeOf(field, model.name)}${field.optional ? '' : ' not null'}${defaultOf(field)}`,
          )
          .sort(),
        primaryKey: [...marked('id'), ...ofModel('id').map(listed)],
        uniques: [...marked('unique'), ...ofModel('unique').map(listed)].sort(),
        indexes: ofModel('index').map(indexed).sort(),
        foreignKeys: fields.flatMap(related).sort(),
      };
      return [tableName(model), table];
    }),
  );
}
