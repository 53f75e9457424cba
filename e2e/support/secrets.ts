import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Fields of answers that are secrets. */
const IN_ANSWERS = /"(?:accessKey|clientSecret|token|key|streamKey)":"([^"]{16,})"/g;
/** Secrets from elsewhere that no output may contain: a signed token, a key in an address, the passwords and cards of these stories. */
const ANYWHERE = /eyJ[\w-]{10,}\.[\w-]{10,}|[?&#]key=[\w-]{8,}|orange-line-42|demo-beltway|4242 ?4242 ?4242 ?4242/;

/** The secrets that people were given while a system ran, and whether its logs have kept any. */
export interface GivenSecrets {
  /** Notes those in the text of an answer. */
  note(answer: string): void;
  add(secret: string): void;
  /** `<file>: <line>` for each line of the system's logs with a secret in it, the system's own secrets too. */
  inLogs(dataDir: string): string[];
}

export function givenSecrets(): GivenSecrets {
  const given = new Set<string>();
  return {
    note: (answer) => {
      for (const [, secret] of answer.matchAll(IN_ANSWERS)) given.add(secret!);
    },
    add: (secret) => void given.add(secret),
    inLogs: (dataDir) => {
      const own = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as Record<string, string>;
      // The card form's publishable key is public.
      const ours = Object.entries(own).flatMap(([name, secret]) => (name.includes('PUBLISHABLE') ? [] : [secret]));
      const secrets = [...ours, ...given];
      const logs = join(dataDir, 'logs');
      return readdirSync(logs).flatMap((file) =>
        readFileSync(join(logs, file), 'utf8')
          .split('\n')
          .filter((line) => ANYWHERE.test(line) || secrets.some((secret) => line.includes(secret)))
          .map((line) => `${file}: ${line.slice(0, 500)}`),
      );
    },
  };
}
