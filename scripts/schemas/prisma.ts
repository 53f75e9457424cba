import { getSchema, type Field, type Model } from '@mrleebo/prisma-ast';

/** A table in words that can be compared: `price_cents integer not null`. */
export interface Table {
  columns: string[];
  primaryKey: string[];
  /** Columns of each unique constraint or index, as `event_id, ordinal`. */
  uniques: string[];
}

/** PostgreSQL's name for each scalar, without and with a native type. */
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

function typeOf(field: Field, model: string): string {
  const native = ((field.attributes ?? []) as Attribute[]).find(({ group }) => group === 'db');
  const name = native?.name ?? String(field.fieldType);
  const first = native?.args?.[0]?.value;
  const size = first === undefined ? '' : `(${text(first)})`;
  const type =
    name === 'Timestamptz'
      ? `timestamp${size} with time zone`
      : name === 'VarChar'
        ? `character varying${size}`
        : TYPES[name];
  if (type === undefined) throw new Error(`${model}.${field.name}: no PostgreSQL type is known for ${name}`);
  return field.array ? `${type}[]` : type;
}

/** The tables that a schema.prisma describes, by name. */
export function tablesOf(schema: string): Map<string, Table> {
  const models = getSchema(schema).list.filter((each): each is Model => each.type === 'model');
  const modelNames = new Set(models.map(({ name }) => name));
  return new Map(
    models.map((model) => {
      const fields = model.properties.filter((each): each is Field => each.type === 'field');
      const scalars = fields.filter(({ fieldType }) => !modelNames.has(String(fieldType)));
      const column = (field: Field) => text(attribute(field, 'map')?.args?.[0]?.value ?? field.name);
      const columns = (names: string[]) =>
        names.map((name) => column(scalars.find((field) => field.name === name)!)).join(', ');
      const ofModel = (name: string) =>
        (model.properties as unknown as Array<Attribute & { type: string }>).filter(
          (each) => each.type === 'attribute' && each.name === name,
        );
      const listed = ({ args }: Attribute) => columns((args![0]!.value as { args: string[] }).args);
      const marked = (name: string) => scalars.filter((field) => attribute(field, name)).map(column);
      const table: Table = {
        columns: scalars
          .map((field) => `${column(field)} ${typeOf(field, model.name)}${field.optional ? '' : ' not null'}`)
          .sort(),
        primaryKey: [...marked('id'), ...ofModel('id').map(listed)],
        uniques: [...marked('unique'), ...ofModel('unique').map(listed)].sort(),
      };
      return [text(ofModel('map')[0]?.args?.[0]?.value ?? model.name), table];
    }),
  );
}
