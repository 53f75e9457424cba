import { followers } from '@beltway/event-store';
import { gauge } from '../observe/metrics.ts';

/**
 * Asked of the database when somebody looks, by the durable checkpoint: an instance that does not lead answers the same. While the database is
 * away there is no figure.
 */
const show = (name: string, help: string, what: 'events' | 'seconds') =>
  gauge(name, help, ['follower'], async function () {
    const answers = await Promise.allSettled(
      [...followers()].map(async (follower) => ({ follower: follower.name, ...(await follower.lag()) })),
    );
    this.reset();
    for (const answer of answers) {
      if (answer.status === 'fulfilled') this.set({ follower: answer.value.follower }, answer.value[what]);
    }
  });

show('log_follower_events', 'Events that a follower of the log (relay, mail) has not handled, up to 100,000', 'events');
show(
  'log_follower_seconds',
  'How long the first event has waited that a follower of the log has not handled',
  'seconds',
);
