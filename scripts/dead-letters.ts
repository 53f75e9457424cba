import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { retryTopic } from '@beltway/kit/bus/dead-letter-topics';
import type { Bus } from '@beltway/kit/bus';
import { isReplayable, listDeadLetters, replayDeadLetter, type DeadLetter } from '@beltway/kit/bus/dead-letters';
import { openBus } from '@beltway/kit/bus/open';
import { onDataFolder, root, script, serviceOfImage } from './launcher/script.ts';
import { StartError } from './launcher/start-error.ts';

const USAGE = `Usage: npm run dead-letters [-- --replayed]
       npm run dead-letters -- replay (<id> … | --all) --as <number or email address of an admin's account>`;

/**
 * If a decision has no message on the bus after this time, it was interrupted and may be repeated (as on the page
 * /ops).
 */
const CUT_OFF_MS = 30_000;

/** The interface of `services/identity/src/audit-by-hand.ts`. */
interface Audit {
  record(
    as: string,
    action: { kind: 'dead-letter-replayed'; subject: string; note: string },
  ): Promise<{ at: string; first: boolean }>;
  close(): Promise<void>;
}

async function openAudit(identityUrl: string): Promise<Audit> {
  const entry = join(root, 'services', 'identity', 'src', 'audit-by-hand.ts');
  const { openAudit } = (await import(pathToFileURL(entry).href)) as { openAudit: (url: string) => Audit };
  return openAudit(identityUrl);
}

const LONGEST_CAUSE = 300;

/** Shortens each cause to one line, because validation errors have several lines. */
const cause = ({ name, message }: DeadLetter['error']) =>
  `${name}: ${message}`.replace(/\s+/g, ' ').slice(0, LONGEST_CAUSE);

const fate = ({ replayedAt, discardedAt }: DeadLetter) =>
  (replayedAt ? `  (replayed ${replayedAt})` : '') + (discardedAt ? `  (discarded ${discardedAt})` : '');

const line = (letter: DeadLetter) =>
  `${letter.id}  ${letter.at}  ${letter.group}  ${letter.type}  after ${letter.attempts} attempts: ${cause(letter.error)}${fate(letter)}`;

/**
 * Lists and replays messages that a group could not handle. Without arguments it lists waiting letters (`--replayed`:
 * all). `replay` publishes a message again, only for the group that parked it, after the audit has recorded the admin.
 * Uses the bus and the identity database of `DATA_DIR`, or the bus and database that the environment names, as in the
 * container of identity.
 */
async function work(config: Parameters<typeof openBus>[0], identityUrl: string | undefined): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      all: { type: 'boolean', default: false },
      replayed: { type: 'boolean', default: false },
      as: { type: 'string', default: '' },
    },
  });
  const [action, ...ids] = positionals;
  if (action !== undefined && (action !== 'replay' || values.all === ids.length > 0 || values.as === ''))
    throw new StartError(USAGE);
  if (action !== undefined && !identityUrl)
    throw new StartError(
      'IDENTITY_DATABASE_URL is not set: what is replayed is recorded in the database of identity. In a container, use that of identity.',
    );

  const bus = await openBus(config, undefined, { once: true });
  const audit = action === undefined ? undefined : await openAudit(identityUrl!);
  try {
    const letters = await listDeadLetters(bus);
    const waiting = letters.filter(({ replayedAt, discardedAt }) => !replayedAt && !discardedAt);
    if (!audit) {
      const shown = values.replayed ? letters : waiting;
      console.log(shown.length === 0 ? 'No dead letters.' : shown.map(line).join('\n'));
      return;
    }
    for (const id of values.all ? waiting.map((letter) => letter.id) : ids) {
      const letter = letters.find((one) => one.id === id);
      if (!letter) throw new StartError(`There is no dead letter ${id}`);
      if (letter.replayedAt === undefined) await replay(bus, audit, letter, values.as);
      const fate = letter.replayedAt === undefined ? 'replayed' : `was replayed at ${letter.replayedAt}:`;
      console.log(`${fate} ${id} to ${retryTopic(letter.group)}`);
    }
  } finally {
    await audit?.close();
    await bus.close();
  }
}

async function replay(bus: Bus, audit: Audit, letter: DeadLetter, as: string): Promise<void> {
  const { id, group, type } = letter;
  if (letter.discardedAt !== undefined) throw new StartError(`Dead letter ${id} was discarded`);
  if (!isReplayable(letter)) throw new StartError(`Dead letter ${id} holds no message that could be delivered`);
  // The audit entry decides, even against a concurrent ‘Discard’ on the page.
  const { at, first } = await audit
    .record(as, { kind: 'dead-letter-replayed', subject: id, note: `${group}: ${type}`.slice(0, 300) })
    .catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error)) throw error;
      if (error.code === 'forbidden') throw new StartError(`${as} is no admin's account. Nothing was replayed.`);
      if (error.code === 'already-discarded') throw new StartError(`Dead letter ${id} was discarded`);
      throw error;
    });
  const isUnderWay = !first && Date.parse(at) + CUT_OFF_MS > Date.now();
  if (isUnderWay) throw new StartError(`Dead letter ${id} is being replayed right now`);
  await replayDeadLetter(bus, id, group);
}

/**
 * The Kafka brokers of the copy that runs on the data folder; undefined if none runs, or the copy runs without Kafka.
 */
async function brokersOfDataFolder(): Promise<string | undefined> {
  const [{ runningOn }, { dataDirOf }] = await Promise.all([
    import('./launcher/data-folder/lock.ts'),
    import('./launcher/settings.ts'),
  ]);
  return (await runningOn(dataDirOf()))?.kafkaBrokers;
}

await script(async () => {
  const { BUS_DATABASE_URL, DATABASE_URL } = process.env;
  const isIdentity = serviceOfImage() === 'identity';
  const identityUrl = process.env['IDENTITY_DATABASE_URL'] || (isIdentity ? DATABASE_URL : undefined);
  if (process.env['KAFKA_BROKERS'] || BUS_DATABASE_URL) return work(process.env, identityUrl);
  // A copy that runs on Kafka still has its databases in the folder.
  await onDataFolder('KAFKA_BROKERS', async (url) => {
    const KAFKA_BROKERS = await brokersOfDataFolder();
    await work(KAFKA_BROKERS ? { ...process.env, KAFKA_BROKERS } : { BUS_DATABASE_URL: url('bus') }, url('identity'));
  });
});
