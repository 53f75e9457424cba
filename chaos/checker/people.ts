import { violation, type Evidence, type Violation } from './evidence.ts';

/** Checks that no service and no message has data of erased accounts, and that acknowledged erasures happened. */
export function checkPeople({ people: { erased, left }, client }: Evidence): Violation[] {
  const gone = new Set(erased);
  const accounts = new Map(
    client.flatMap(({ call, outcome, key, result }) =>
      call === 'join' && outcome === 'acknowledged' ? [[key, Number(result)] as const] : [],
    ),
  );
  const stayed = client.flatMap(({ call, outcome, n, result }) =>
    call === 'erase' && outcome === 'acknowledged' && !gone.has(Number(result))
      ? [violation('lost', `call ${n} (erase ${result}): the account is still there`)]
      : [],
  );
  const kept = left.flatMap(({ mark, place }) => {
    const account = accounts.get(mark);
    return account !== undefined && gone.has(account)
      ? [violation('notErased', `${mark} (account ${account}) is still in ${place}`)]
      : [];
  });
  return [...stayed, ...kept];
}
