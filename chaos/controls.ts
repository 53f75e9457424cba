import { join } from 'node:path';
import { Client } from 'pg';
import type { Rule } from './options.ts';

/**
 * Negative controls: each takes one rule away, in the databases of the run or in its processes as they load, so the product has no
 * switch that could be left on. A checker that then finds nothing proves nothing.
 */
const STATEMENTS: Partial<Record<Rule, Record<'ticketing', string>>> = {
  // Two writers of one stream no longer notify each other.
  fence: {
    ticketing: `create index events_unfenced on events (stream, version); alter table events drop constraint events_fence`,
  },
  // What was decided is forgotten as soon as the process that decided it is gone.
  'command-id': {
    ticketing: `drop index events_command;
      create function forget_command() returns trigger language plpgsql as $$ begin new.command_id = null; return new; end $$;
      create trigger forget_command before insert on events for each row execute function forget_command()`,
  },
  // A message is handled without recording it, or its version.
  inbox: {
    ticketing: `create function forget_message() returns trigger language plpgsql as $$
        begin delete from inbox where group_name = new.group_name and message_id = new.message_id; return null; end $$;
      create trigger forget_message after insert on inbox for each row execute function forget_message();
      create function forget_version() returns trigger language plpgsql as $$ begin new.catalog_version = 0; return new; end $$;
      create trigger forget_version before insert or update on listings for each row execute function forget_version()`,
  },
};

/** What the processes of a run without this rule are started with. */
export const environmentWithout = (rule: Rule | null): Record<string, string> => {
  if (rule === null) return {};
  return {
    // A control is aimed at what a rule alone protects, so nothing else may keep the instances apart.
    BELTWAY_SALE_ROUTING: 'off',
    ...(rule === 'pipelining' && {
      NODE_OPTIONS: `--import ${join(import.meta.dirname, 'without-pipelining-fence.mjs')}`,
    }),
  };
};

/** Switches a rule off for good in a running system. */
export async function switchOff(rule: Rule, database: (name: string) => string): Promise<void> {
  for (const [name, text] of Object.entries(STATEMENTS[rule] ?? {})) {
    const db = new Client({ connectionString: database(name) });
    await db.connect();
    try {
      await db.query(text);
    } finally {
      await db.end();
    }
  }
}
