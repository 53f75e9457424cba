// `npm run secrets` creates .env from .env.example if it is missing, and sets its empty secrets. `npm run secrets --
// --sandbox` also sets the variables of the card sandbox. `npm run secrets -- add|use|drop NAME` does one step of a
// rotation (docs/operations/rotation.md). Plain JavaScript without packages, because a server that only runs containers
// has no packages installed.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rotated, withSandbox, withSecrets } from './env-file.mjs';

const STEPS = {
  add: 'has one more, which is accepted',
  use: 'has its last one first, which makes',
  drop: 'has lost its last one',
};
const SANDBOX = '--sandbox';
const [first, name, folder] = process.argv.slice(2).filter((argument) => argument !== SANDBOX);
const step = first !== undefined && Object.hasOwn(STEPS, first) ? first : undefined;
const root = resolve((step ? folder : first) ?? join(import.meta.dirname, '..', '..'));
const file = join(root, '.env');

/** Writes a temporary file and renames it, so that an interruption leaves no incomplete file. */
function write(text) {
  writeFileSync(`${file}.new`, text, { mode: 0o600, flag: 'w' });
  renameSync(`${file}.new`, file);
}

function make() {
  const isNew = !existsSync(file);
  const hasSandbox = process.argv.includes(SANDBOX);
  const secrets = withSecrets(readFileSync(isNew ? join(root, '.env.example') : file, 'utf8'));
  const { text, made: more } = hasSandbox ? withSandbox(secrets.text) : { text: secrets.text, made: [] };
  const made = [...secrets.made, ...more];
  if (made.length > 0 || isNew) write(text);
  console.log(made.length > 0 ? `.env: made ${made.join(', ')}` : '.env: every secret is set already');
  if (hasSandbox) console.log('Now: docker compose --profile sandbox up --build --wait');
  else if (isNew) console.log('Fill in the rest of .env: PUBLIC_URL, SMTP_URL, MAIL_FROM and the keys of Stripe.');
}

function rotate() {
  try {
    write(rotated(existsSync(file) ? readFileSync(file, 'utf8') : '', step, name));
    console.log(`.env: ${name} ${STEPS[step]}. Now: docker compose up --wait`);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}

if (step) rotate();
else make();
