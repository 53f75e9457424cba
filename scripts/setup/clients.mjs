// The typed database clients that Prisma generates. The runtime of the clients is committed, so that a start needs no
// generator. The types are generated if development packages are installed.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Folders with a Prisma schema that has a client generator. */
export const foldersWithClient = (root) =>
  readdirSync(join(root, 'services'))
    .map((name) => join('services', name))
    .filter((folder) => {
      const schema = schemaOf(root, folder);
      return existsSync(schema) && /^generator /m.test(readFileSync(schema, 'utf8'));
    });

const schemaOf = (root, folder) => join(root, folder, 'prisma', 'schema.prisma');
const generated = (root, folder, ...file) => join(root, folder, 'src', 'generated', 'prisma', ...file);

/** The runtime file. It is committed, and imports only types from the other generated files (.gitignore). */
export const classOf = (root, folder) => generated(root, folder, 'internal', 'class.ts');
export const typesOf = (root, folder) => generated(root, folder, 'client.ts');

/**
 * Identifies the inputs of a client: the schema and the version of Prisma. Setup writes it as the last line of both
 * files.
 */
function signatureOf(root, folder) {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const schema = readFileSync(schemaOf(root, folder), 'utf8').replaceAll('\r\n', '\n');
  const digest = createHash('sha256').update(schema).update(devDependencies.prisma).digest('hex');
  return `// Made by scripts/setup.mjs from ${digest}`;
}

const isMadeFrom = (file, signature) => existsSync(file) && readFileSync(file, 'utf8').trimEnd().endsWith(signature);

/** Folders whose client does not match their schema. Checks the runtime, or with `types` all files. */
export const staleClients = (root, { types }) =>
  foldersWithClient(root).filter((folder) => {
    const signature = signatureOf(root, folder);
    const files = [classOf(root, folder), ...(types ? [typesOf(root, folder)] : [])];
    return !files.every((file) => isMadeFrom(file, signature));
  });

const digestOf = (schema) => createHash('sha256').update(schema.replaceAll('\r\n', '\n')).digest('hex');
/** The last line of a service's tables (tables.ts). */
export const tablesSignature = (schema) => `// Made from ${digestOf(schema)}\n`;

/** Services whose tables do not match their schema. */
export const staleTables = (root) =>
  readdirSync(join(root, 'services'))
    .map((name) => join('services', name))
    .filter((folder) => {
      const [schema, tables] = [schemaOf(root, folder), join(root, folder, 'src', 'generated', 'tables.ts')];
      if (!existsSync(schema)) return false;
      return (
        !existsSync(tables) || !readFileSync(tables, 'utf8').endsWith(tablesSignature(readFileSync(schema, 'utf8')))
      );
    });

/** Deletes a client, because Prisma refuses to write into a folder with an incomplete client. */
export const discard = (root, folder) => rmSync(generated(root, folder), { recursive: true, force: true });

export function sign(root, folder) {
  for (const file of [classOf(root, folder), typesOf(root, folder)])
    appendFileSync(file, `${signatureOf(root, folder)}\n`);
}
