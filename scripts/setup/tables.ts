// Generates `services/<name>/src/generated/tables.ts`, which describes the tables by their names in code, from the
// service's schema.prisma. Usage: `node scripts/setup/tables.ts <folder>…`.
import { getSchema, type Field, type Model } from '@mrleebo/prisma-ast';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tablesSignature } from './clients.mjs';

/**
 * The short name, as in packages/kit/src/postgres/columns.ts, of each type in schema.prisma, without and with a native
 * type.
 */
const TYPES: Record<string, string> = {
  String: 'text',
  Boolean: 'bool',
  Int: 'int4',
  BigInt: 'int8',
  Float: 'float8',
  DateTime: 'timestamptz',
  Json: 'jsonb',
  Bytes: 'bytea',
  Uuid: 'uuid',
  SmallInt: 'int2',
  Date: 'date',
  Text: 'text',
  VarChar: 'text',
  Timestamptz: 'timestamptz',
  Unsupported: 'other',
};

interface Attribute {
  type: string;
  name: string;
  group?: string;
  args?: Array<{ value: unknown }>;
}
const attribute = (of: { attributes?: unknown }, name: string): Attribute | undefined =>
  ((of.attributes ?? []) as Attribute[]).find((each) => each.name === name && each.group === undefined);
const mapped = (found: Attribute | undefined, otherwise: string): string =>
  String(found?.args?.[0]?.value ?? otherwise).replaceAll('"', '');
const camel = (text: string): string => text.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const scalarOf = ({ fieldType }: Field): string => (typeof fieldType === 'string' ? fieldType : fieldType.name);
function typeOf(field: Field, model: string): string {
  const native = ((field.attributes ?? []) as Attribute[]).find(({ group }) => group === 'db');
  const type = TYPES[native?.name ?? scalarOf(field)];
  if (type === undefined) throw new Error(`${model}.${field.name}: no type is known for ${scalarOf(field)}`);
  return `${type}${field.array ? '[]' : ''}${field.optional ? '?' : attribute(field, 'default') ? '=' : ''}`;
}

/** The text of `tables.ts` for a schema. Columns have their database names in camel case. */
export function tablesFile(schema: string): string {
  const models = getSchema(schema).list.filter((each): each is Model => each.type === 'model');
  const modelNames = new Set(models.map(({ name }) => name));
  const tables = models.map((model) => {
    const own = (model.properties as unknown as Attribute[]).find(
      ({ type, name }) => type === 'attribute' && name === 'map',
    );
    const table = mapped(own, model.name);
    const columns = model.properties
      .filter((each): each is Field => each.type === 'field' && !modelNames.has(scalarOf(each as Field)))
      .map((field) => {
        const stored = mapped(attribute(field, 'map'), field.name);
        const column = camel(stored);
        if (column !== field.name)
          throw new Error(`${model.name}.${field.name} must be called ${column} to match its column ${stored}`);
        return `  ${column}: '${typeOf(field, model.name)}',\n`;
      });
    return { table, name: camel(table), columns };
  });
  return [
    `// Made from prisma/schema.prisma by scripts/setup.mjs: change that.\n`,
    `import { table, type TablesOf } from '@beltway/kit/columns';\n`,
    ...tables.map(
      ({ table, name, columns }) => `\nexport const ${name} = table('${table}', {\n${columns.join('')}});\n`,
    ),
    `\n/** What the service's query builder knows. */\n`,
    `export type Tables = TablesOf<{\n${tables.map(({ name }) => `  ${name}: typeof ${name};\n`).join('')}}>;\n`,
    `\n${tablesSignature(schema)}`,
  ].join('');
}

/** Path of a service's tables. */
export const tablesPath = (folder: string): string => join(folder, 'src', 'generated', 'tables.ts');

if (import.meta.main)
  for (const folder of process.argv.slice(2)) {
    mkdirSync(dirname(tablesPath(folder)), { recursive: true });
    writeFileSync(tablesPath(folder), tablesFile(readFileSync(join(folder, 'prisma', 'schema.prisma'), 'utf8')));
  }
