import { parseArgs } from 'node:util';
import { retryTopic } from '@beltway/kit/bus/dead-letter-topics';
import { listDeadLetters, replayDeadLetter, type DeadLetter } from '@beltway/kit/bus/dead-letters';
import { openBus } from '@beltway/kit/bus/open';
import { script, withEmbedded } from './launcher/embedded.ts';
import { runningOn } from './launcher/lock.ts';
import { dataDirOf } from './launcher/settings.ts';
import { StartError } from './launcher/start-error.ts';
import { databases } from './launcher/system.ts';

const USAGE = 'Usage: npm run dead-letters [-- --replayed | replay <id> … | replay --all]';

const LONGEST_CAUSE = 300;

/** One line each, whatever the cause says: what does not fit its contract is described over many. */
const cause = ({ name, message }: DeadLetter['error']) =>
  `${name}: ${message}`.replace(/\s+/g, ' ').slice(0, LONGEST_CAUSE);

const fate = ({ replayedAt, discardedAt }: DeadLetter) =>
  (replayedAt ? `  (replayed ${replayedAt})` : '') + (discardedAt ? `  (discarded ${discardedAt})` : '');

const line = (letter: DeadLetter) =>
  `${letter.id}  ${letter.at}  ${letter.group}  ${letter.type}  after ${letter.attempts} attempts: ${cause(letter.error)}${fate(letter)}`;

/**
 * Messages that a group could not handle. Without arguments it lists those that wait (`--replayed`: all); `replay` publishes the
 * message again, to the group that parked it alone. On the bus of `DATA_DIR`, or of `BUS_DATABASE_URL` or `KAFKA_BROKERS`.
 */
async function work(config: Parameters<typeof openBus>[0]): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { all: { type: 'boolean', default: false }, replayed: { type: 'boolean', default: false } },
  });
  const [action, ...ids] = positionals;
  if (action !== undefined && (action !== 'replay' || values.all === ids.length > 0)) throw new StartError(USAGE);

  const bus = await openBus(config, undefined, { once: true });
  try {
    const letters = await listDeadLetters(bus);
    const waiting = letters.filter(({ replayedAt, discardedAt }) => !replayedAt && !discardedAt);
    if (action === undefined) {
      const shown = values.replayed ? letters : waiting;
      console.log(shown.length === 0 ? 'No dead letters.' : shown.map(line).join('\n'));
      return;
    }
    for (const id of values.all ? waiting.map((letter) => letter.id) : ids) {
      const letter = letters.find((one) => one.id === id);
      if (!letter) throw new StartError(`There is no dead letter ${id}`);
      await replayDeadLetter(bus, id);
      console.log(`replayed ${id} to ${retryTopic(letter.group)}`);
    }
  } finally {
    await bus.close();
  }
}

await script(async () => {
  const { BUS_DATABASE_URL } = process.env;
  const KAFKA_BROKERS = process.env['KAFKA_BROKERS'] || (await runningOn(dataDirOf()))?.kafkaBrokers;
  if (BUS_DATABASE_URL || KAFKA_BROKERS) await work({ ...process.env, BUS_DATABASE_URL, KAFKA_BROKERS });
  else await withEmbedded(dataDirOf(), databases, (url) => work({ BUS_DATABASE_URL: url('bus') }));
});
