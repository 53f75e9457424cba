import { eventually } from '@beltway/kit/testing';
import type { Bench } from '../support/bench.ts';
import { requestOf } from '../support/connection.ts';
import { pacedLoad, type PacedFigures } from '../support/paced-load.ts';
import { ratioOf } from '../support/statistics.ts';
import { startSystem, tokensOf } from '../support/system.ts';
import { holdRequests } from '../sell-out/holds.ts';

const HOLDS_PER_SECOND = 25;
const PAPERS_PER_SECOND = 20;
const BUYERS_AT_ONCE = 4;

export const bench: Bench = {
  about: 'p99 of holds while one address asks for 20 tickets.pdf a second, each of another order, over p99 without',
  defaults: { rounds: 3, seconds: 6 },

  async run(options) {
    const { rounds, seconds, say } = options;
    const { api, port } = await startSystem(options);
    const organizer = await api.register('Ola Organizer', 'business');
    const { id: eventId } = await api.launch(organizer.token, { totalTickets: 1_000_000 });
    const tokens = await tokensOf(api, 100);

    // Each request is for a different order, because a PDF that was already rendered costs little.
    const wanted = PAPERS_PER_SECOND * seconds * rounds + PAPERS_PER_SECOND;
    const orders: Array<{ orderId: string; accessKey: string }> = [];
    await Promise.all(
      Array.from({ length: BUYERS_AT_ONCE }, async () => {
        while (orders.length < wanted) orders.push(await api.buy(eventId, 2));
      }),
    );
    say(`${orders.length} orders of two tickets`);
    // The PDFs were already rendered for the mails; a new title invalidates them.
    const { token } = organizer;
    await api.call('PATCH', `/api/events/${eventId}`, { title: 'Another Name for This Night' }, { token });
    await eventually(async () => (await api.order(orders[0]!)).event.title.startsWith('Another'));

    const wrong: string[] = [];
    const holds = async () => {
      const next = holdRequests(tokens, eventId);
      const figures = await pacedLoad({ port, perSecond: HOLDS_PER_SECOND, seconds, connections: 32, next });
      const answered = Object.values(figures.statuses).reduce((sum, count) => sum + count, 0);
      if (figures.statuses[201] !== answered) wrong.push(`holds were answered ${JSON.stringify(figures.statuses)}`);
      return figures;
    };
    const papers = (): Promise<PacedFigures> =>
      pacedLoad({
        ...{ port, perSecond: PAPERS_PER_SECOND, seconds, connections: 64 },
        next: () => {
          const { orderId, accessKey } = orders.pop()!;
          return requestOf('GET', `/api/orders/${orderId}/tickets.pdf`, [`x-order-key: ${accessKey}`]);
        },
      });

    const all: Record<'quiet' | 'papers', PacedFigures[]> = { quiet: [], papers: [] };
    await holds();
    for (let round = 1; round <= rounds; round++) {
      const quiet = await holds();
      const [during, drawn] = await Promise.all([holds(), papers()]);
      all.quiet.push(quiet);
      all.papers.push(during);
      say(
        `round ${round}: holds p50 ${quiet.p50Ms.toFixed(1)} and p99 ${quiet.p99Ms.toFixed(1)} ms when it is quiet, ` +
          `p50 ${during.p50Ms.toFixed(1)} and p99 ${during.p99Ms.toFixed(1)} ms beside PDFs (${JSON.stringify(drawn.statuses)}, p50 ${drawn.p50Ms.toFixed(0)} ms)`,
      );
    }
    wrong.forEach((line) => say(`NOT EXACT: ${line}`));
    const p99 = (of: PacedFigures[]) => of.map(({ p99Ms }) => p99Ms);
    return {
      p99Ms: { quiet: p99(all.quiet), papers: p99(all.papers) },
      ratios: { papers: ratioOf(p99(all.papers), p99(all.quiet)) },
      exact: wrong.length === 0,
    };
  },
};
