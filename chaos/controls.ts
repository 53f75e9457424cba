import { join } from 'node:path';
import { Client } from 'pg';
import type { Rule } from './options.ts';

/**
 * Negative controls prove that the checker detects violations. Each control removes one rule, in the run's databases or
 * when the run's processes load. Therefore the product needs no switch that could be left on by mistake.
 */
const STATEMENTS: Partial<Record<Rule, Record<'ticketing', string>>> = {
  // Two writers of one stream no longer conflict.
  fence: {
    ticketing: `create index events_unfenced on events (stream, version); alter table events drop constraint events_fence`,
  },
  // The database does not store the command's id, so a restarted process decides a repeated command again.
  'command-id': {
    ticketing: `drop index events_command;
      create function forget_command() returns trigger language plpgsql as $$ begin new.command_id = null; return new; end $$;
      create trigger forget_command before insert on events for each row execute function forget_command()`,
  },
  // The database records neither the handled message nor the message's version.
  inbox: {
    ticketing: `create function forget_message() returns trigger language plpgsql as $$
        begin delete from inbox where group_name = new.group_name and message_id = new.message_id; return null; end $$;
      create trigger forget_message after insert on inbox for each row execute function forget_message();
      create function forget_version() returns trigger language plpgsql as $$ begin new.catalog_version = 0; return new; end $$;
      create trigger forget_version before insert or update on listings for each row execute function forget_version()`,
  },
};

/** Environment of a run without this rule. */
export const environmentWithout = (rule: Rule | null): Record<string, string> => {
  if (rule === null) return {};
  return {
    // Routing would keep the instances apart and hide the missing rule.
    BELTWAY_SALE_ROUTING: 'off',
    ...(rule === 'pipelining' && {
      NODE_OPTIONS: `--import ${join(import.meta.dirname, 'without-pipelining-fence.mjs')}`,
    }),
  };
};

/** Switches a rule off permanently in a running system. */
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
