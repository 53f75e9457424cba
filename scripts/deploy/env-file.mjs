import { randomBytes } from 'node:crypto';

/** The variables of docker-compose.yml that nobody chooses: 32 random bytes each. Only letters and digits, so that URLs can hold them. */
export const SECRETS = [
  'INTERNAL_TOKEN',
  'KEY_ENCRYPTION_SECRET',
  'TICKET_SECRET',
  'POSTGRES_PASSWORD',
  'IDENTITY_DATABASE_PASSWORD',
  'CATALOG_DATABASE_PASSWORD',
  'TICKETING_DATABASE_PASSWORD',
  'PAYMENTS_DATABASE_PASSWORD',
  'MEDIA_DATABASE_PASSWORD',
  'REALTIME_DATABASE_PASSWORD',
  'REDIS_PASSWORD',
];

/** Whether a text of `.env` has a line for a variable. */
const hasLine = (text, name) => new RegExp(`^[ \\t]*(export[ \\t]+)?${name}[ \\t]*=`, 'm').test(text);

/**
 * The text of `.env` with every secret set: those that are missing or empty are made, everything else stays as it is. Also says which
 * were made.
 */
export function withSecrets(text) {
  const made = [];
  const lines = SECRETS.reduce((so, name) => {
    const empty = new RegExp(`^([ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=)[ \\t]*(?:""|'')?[ \\t]*(?=\\r?$)`, 'm');
    const secret = randomBytes(32).toString('hex');
    if (!hasLine(so, name)) so += `${so === '' || so.endsWith('\n') ? '' : '\n'}${name}=\n`;
    return so.replace(empty, (_line, before) => {
      made.push(name);
      return before + secret;
    });
  }, text);
  return { text: lines, made };
}
