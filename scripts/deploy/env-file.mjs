import { randomBytes } from 'node:crypto';

/**
 * The generated variables of docker-compose.yml: 32 random bytes each, in letters and digits only, so that URLs can
 * contain them.
 */
export const SECRETS = [
  'INTERNAL_TOKEN',
  'KEY_ENCRYPTION_SECRET',
  'TICKET_SECRET',
  'VAPID_PRIVATE_KEY',
  'POSTGRES_PASSWORD',
  'IDENTITY_DATABASE_PASSWORD',
  'CATALOG_DATABASE_PASSWORD',
  'TICKETING_DATABASE_PASSWORD',
  'PAYMENTS_DATABASE_PASSWORD',
  'MEDIA_DATABASE_PASSWORD',
  'REALTIME_DATABASE_PASSWORD',
  'SANDBOX_DATABASE_PASSWORD',
  'WATCH_DATABASE_PASSWORD',
  'REDIS_PASSWORD',
  'DEMO_PASSWORD',
  'S3_SECRET_KEY',
  'GRAFANA_PASSWORD',
];

/** Whether the text of `.env` has a line for a variable. */
const hasLine = (text, name) => new RegExp(`^[ \\t]*(export[ \\t]+)?${name}[ \\t]*=`, 'm').test(text);

/** Matches the line of an empty variable; `$1` is the text before its value. */
const emptyLine = (name) =>
  new RegExp(`^([ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=)[ \\t]*(?:""|'')?[ \\t]*(?=\\r?$)`, 'm');

/**
 * Sets each of the given variables that is missing or empty in the text of `.env`. Returns the changed text and the
 * names of the variables that were set. All other text is unchanged.
 */
function fillIn(text, values) {
  const made = [];
  const lines = Object.entries(values).reduce((so, [name, value]) => {
    if (!hasLine(so, name)) so += `${so === '' || so.endsWith('\n') ? '' : '\n'}${name}=\n`;
    return so.replace(emptyLine(name), (_line, before) => {
      made.push(name);
      return before + value;
    });
  }, text);
  return { text: lines, made };
}

const secret = () => randomBytes(32).toString('hex');

/** The text of `.env` with every secret set, and the names of the new secrets. */
export const withSecrets = (text) => fillIn(text, Object.fromEntries(SECRETS.map((name) => [name, secret()])));

/**
 * Does the same for the card sandbox of `docker compose --profile sandbox`: sets the sandbox's URL, and keys that look
 * like Stripe's but only work in the sandbox.
 */
export const withSandbox = (text) =>
  fillIn(text, {
    SANDBOX_URL: 'http://sandbox:4000',
    STRIPE_SECRET_KEY: `sk_test_${secret()}`,
    STRIPE_PUBLISHABLE_KEY: `pk_test_${secret()}`,
    STRIPE_WEBHOOK_SECRET: `whsec_${secret()}`,
  });

/** Variables that may be a list during a rotation (docs/operations/rotation.md). */
export const ROTATED = ['INTERNAL_TOKEN', 'KEY_ENCRYPTION_SECRET', 'TICKET_SECRET'];
/** Maximum number of secrets that a service accepts: `secretList` in packages/kit/src/config.ts. */
const MAX_SECRETS = 4;

/**
 * The text of `.env` after one step of a rotation: `add` appends a new secret, `use` moves the last secret to the
 * front, and `drop` removes the last secret. Throws an Error with the reason if a step is impossible.
 */
export function rotated(text, step, name) {
  if (!ROTATED.includes(name)) throw new Error(`${name ?? 'No name'}: choose one of ${ROTATED.join(', ')}`);
  const line = new RegExp(`^([ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=)([^\\r\\n]*)`, 'm');
  const all = (line.exec(text)?.[2] ?? '')
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  if (all.length === 0) throw new Error(`${name} is not set: npm run secrets`);
  return text.replace(line, (_line, before) => before + stepped(step, name, all).join(','));
}

function stepped(step, name, all) {
  if (step === 'add' && all.length >= MAX_SECRETS)
    throw new Error(`${name} has ${MAX_SECRETS} secrets: drop one first`);
  if (step === 'add') return [...all, randomBytes(32).toString('hex')];
  if (all.length < 2) throw new Error(`${name} has one secret: add another first`);
  return step === 'use' ? [all.at(-1), ...all.slice(0, -1)] : all.slice(0, -1);
}
