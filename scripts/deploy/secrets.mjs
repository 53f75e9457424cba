// `npm run secrets`: makes .env of .env.example where there is none, and in it the secrets that are not set yet. Plain JavaScript
// without packages: a server that runs containers only has none installed.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { withSecrets } from './env-file.mjs';

const root = resolve(process.argv[2] ?? join(import.meta.dirname, '..', '..'));
const file = join(root, '.env');
const isNew = !existsSync(file);
const { text, made } = withSecrets(readFileSync(isNew ? join(root, '.env.example') : file, 'utf8'));
if (made.length > 0 || isNew) {
  // By way of a second file, so that one that is cut off here leaves no half of it.
  writeFileSync(`${file}.new`, text, { mode: 0o600, flag: 'w' });
  renameSync(`${file}.new`, file);
}
console.log(made.length > 0 ? `.env: made ${made.join(', ')}` : '.env: every secret is set already');
if (isNew) console.log('Fill in the rest of .env: PUBLIC_URL, SMTP_URL, MAIL_FROM and the keys of Stripe.');
