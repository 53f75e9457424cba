import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Response fields that contain secrets. */
const IN_ANSWERS = /"(?:accessKey|clientSecret|token|key|streamKey)":"([^"]{16,})"/g;
/** Other secrets that no log may contain: signed tokens, keys in URLs, the stories' passwords and cards. */
const ANYWHERE = /eyJ[\w-]{10,}\.[\w-]{10,}|[?&#]key=[\w-]{8,}|orange-line-42|demo-beltway|4242 ?4242 ?4242 ?4242/;

/** Collects the secrets that a system issued, and finds them in its logs. */
export interface GivenSecrets {
  /** Records the secrets in a response's text. */
  note(answer: string): void;
  add(secret: string): void;
  /** `<file>: <line>` for each log line that contains a secret. The system's own secrets count too. */
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
