import type { PublicConfig } from '@beltway/contracts/config';

interface DemoAccountsProps {
  demo: NonNullable<PublicConfig['demo']>;
  onPick: (email: string, password: string) => void;
}

const names: Record<string, string> = { user: 'Event Explorer', business: 'Business Owner', admin: 'Admin' };

/** Only where Beltway runs with sample data: accounts to try it with. */
export function DemoAccounts({ demo, onPick }: DemoAccountsProps) {
  return (
    <section aria-labelledby="demo-title" className="rounded-md border border-dashed border-edge/70 p-4">
      <h2 id="demo-title" className="font-text text-note font-strong tracking-normal">
        Demo accounts
      </h2>
      <p className="text-note text-ink-soft">This Beltway runs with sample data. Pick one to fill the form.</p>
      <ul className="mt-2 grid grid-cols-1">
        {demo.accounts.map(({ email, role }) => (
          <li key={email}>
            <button
              type="button"
              onClick={() => onPick(email, demo.password)}
              className="flex min-h-11 w-full flex-wrap items-center justify-between gap-x-4 rounded-sm px-2 py-1 text-left text-note hover:bg-ink/8"
            >
              <span className="font-strong">{names[role] ?? role}</span>
              <span className="min-w-0 wrap-anywhere text-ink-soft">{email}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
