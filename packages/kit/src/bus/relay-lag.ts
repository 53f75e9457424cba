import { followers } from '@beltway/event-store';
import { gauges } from '../observe/metrics.ts';

/** By the durable checkpoint: an instance that does not lead answers the same. While the database is away there is no figure. */
gauges(
  {
    log_follower_events: 'Events that a follower of the log (relay, mail) has not handled, up to 100,000',
    log_follower_seconds: 'How long the first event has waited that a follower of the log has not handled',
  },
  ['follower'],
  async () => {
    const answers = await Promise.allSettled(
      [...followers()].map(async ({ name, lag }) => ({ name, lag: await lag() })),
    );
    return answers.flatMap((answer) => {
      if (answer.status === 'rejected') return [];
      const { name, lag } = answer.value;
      return [
        { labels: { follower: name }, values: { log_follower_events: lag.events, log_follower_seconds: lag.seconds } },
      ];
    });
  },
);
