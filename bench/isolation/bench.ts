import type { Bench } from '../support/bench.ts';
import { requestOf } from '../support/connection.ts';
import { httpLoad } from '../support/http-load.ts';
import { pacedLoad } from '../support/paced-load.ts';
import { ratioOf } from '../support/statistics.ts';
import { startSystem, tokensOf } from '../support/system.ts';
import { blow, loginRequests, type Storm } from './storm.ts';

const EVENTS = 24;
const BROWSES_PER_SECOND = 100;
const ACCOUNTS = 50;

export const bench: Bench = {
  about:
    'p99 of GET /api/events during a login storm of ten times capacity and during a stormed sale, over p99 without',
  defaults: { rounds: 5, seconds: 6 },

  async run(options) {
    const { rounds, seconds, say } = options;
    const { api, port } = await startSystem(options);
    const organizer = await api.register('Ola Organizer', 'business');
    for (let event = 0; event < EVENTS; event++)
      await api.launch(organizer.token, { hasTickets: false, ticketSalesEnabled: false, title: `Night ${event}` });
    const tokens = await tokensOf(api, 100);
    const { id: saleId } = await api.launch(organizer.token, { totalTickets: 1_000_000 });

    const accounts: string[] = [];
    for (let account = 0; account < ACCOUNTS; account++) accounts.push((await api.register('Lea Login')).user.email);
    const signedIn = await httpLoad({
      port,
      connections: 8,
      seconds: 3,
      next: loginRequests(accounts),
      counts: ({ status }) => status === 200,
    });
    const logins = Math.max(signedIn.perSecond, 5);
    say(`${logins.toFixed(0)} sign-ins a second; the storm sends ten times that`);

    const wrong: string[] = [];
    const browse = async () => {
      const next = () => requestOf('GET', '/api/events', []);
      const figures = await pacedLoad({ port, perSecond: BROWSES_PER_SECOND, seconds, connections: 32, next });
      const answered = Object.values(figures.statuses).reduce((sum, count) => sum + count, 0);
      if (figures.statuses[200] !== answered) wrong.push(`browsing was answered ${JSON.stringify(figures.statuses)}`);
      return figures;
    };
    /** Measures browsing while a storm runs. */
    const during = async (storm: Storm) => {
      const { end } = blow(storm);
      const figures = await browse();
      return { ...figures, storm: await end() };
    };
    const long = seconds + 30;
    const loginStorm: Storm = { what: 'logins', port, accounts, perSecond: logins * 10, seconds: long };
    const saleStorm: Storm = { what: 'sale', port, tokens, eventId: saleId, seconds: long };

    const p99: Record<'quiet' | 'login' | 'sale', number[]> = { quiet: [], login: [], sale: [] };
    await browse();
    for (let round = 1; round <= rounds; round++) {
      const quiet = await browse();
      const inLogins = await during(loginStorm);
      const inSale = await during(saleStorm);
      p99.quiet.push(quiet.p99Ms);
      p99.login.push(inLogins.p99Ms);
      p99.sale.push(inSale.p99Ms);
      say(
        `round ${round}: p99 quiet ${quiet.p99Ms.toFixed(1)} ms; login storm ${inLogins.p99Ms.toFixed(1)} ms ` +
          `(${JSON.stringify(inLogins.storm)}); stormed sale ${inSale.p99Ms.toFixed(1)} ms (${JSON.stringify(inSale.storm)})`,
      );
    }
    wrong.forEach((line) => say(`NOT EXACT: ${line}`));
    return {
      ratios: { 'login-storm': ratioOf(p99.login, p99.quiet), 'stormed-sale': ratioOf(p99.sale, p99.quiet) },
      exact: wrong.length === 0,
    };
  },
};
