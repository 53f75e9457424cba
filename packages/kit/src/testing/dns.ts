import { Resolver } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import DNS from 'dns2';
import type { Lookup } from '../http/instances/addresses.ts';
import { freePort } from './free-ports.ts';

const { Packet } = DNS;

/**
 * A DNS server for tests, and a `lookup` that uses it. It responds over UDP and, for long responses, over TCP. It has
 * addresses for `names`; other names do not exist (NXDOMAIN).
 */
export async function dnsServer() {
  const names = new Map<string, string[]>();
  const state = { fault: undefined as 'silence' | 'SERVFAIL' | undefined, questions: [] as string[] };
  const server = DNS.createServer({
    udp: true,
    tcp: true,
    handle: (request, send) => {
      const [question] = request.questions;
      if (question === undefined || state.fault === 'silence') return;
      const answer = Packet.createResponseFromRequest(request);
      const addresses = names.get(question.name);
      state.questions.push(question.name);
      if (state.fault === 'SERVFAIL') answer.header.rcode = Packet.RCODE.SERVFAIL;
      else if (addresses === undefined) answer.header.rcode = Packet.RCODE.NXDOMAIN;
      for (const address of state.fault ? [] : (addresses ?? [])) {
        const type = isIPv6(address) ? Packet.TYPE.AAAA : Packet.TYPE.A;
        if (type === question.type)
          answer.answers.push(Packet.createResourceFromQuestion(question, { ttl: 0, address }));
      }
      void send(answer);
    },
  });
  const at = { port: await freePort(), address: '127.0.0.1' };
  await server.listen({ udp: at, tcp: at });
  const resolver = new Resolver({ timeout: 200, tries: 1 });
  resolver.setServers([`${at.address}:${at.port}`]);

  const lookup: Lookup = async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = answers.flatMap((answer, index) =>
      answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
    );
    const [first] = answers;
    if (found.length === 0 && first.status === 'rejected') throw first.reason;
    return found;
  };
  return Object.assign(state, {
    names,
    lookup,
    close: async () => {
      resolver.cancel();
      await server.close();
    },
  });
}
