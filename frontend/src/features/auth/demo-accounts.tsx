import type { PublicConfig } from '@beltway/contracts/ops/config';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { Meta } from '../../ui/meta.tsx';
import { texts } from './texts.en.ts';

interface DemoAccountsProps {
  demo: NonNullable<PublicConfig['demo']>;
  onPick: (email: string, password: string) => void;
}

const NAMES: Record<string, 'explorer' | 'owner' | 'admin' | undefined> = {
  user: 'explorer',
  business: 'owner',
  admin: 'admin',
};

/** Demo accounts to sign in with, shown only on installations with sample data. */
export function DemoAccounts({ demo, onPick }: DemoAccountsProps) {
  const t = useTexts(texts);
  const nameOf = (role: string) => {
    const name = NAMES[role];
    return name ? t(name) : role;
  };
  return (
    <section aria-labelledby="demo-title" className="rounded-md border border-dashed border-edge/70 p-4">
      <h2 id="demo-title" className="font-text text-note font-strong tracking-normal">
        {t('demo')}
      </h2>
      <Meta>{t('demoWhy')}</Meta>
      <ul className="mt-2 grid grid-cols-1">
        {demo.accounts.map(({ email, role }) => (
          <li key={email}>
            <button
              type="button"
              onClick={() => onPick(email, demo.password)}
              className="flex min-h-11 w-full flex-wrap items-center justify-between gap-x-4 rounded-sm px-2 py-1 text-start text-note hover:bg-ink/8"
            >
              <span className="font-strong">{nameOf(role)}</span>
              <span className="min-w-0 wrap-anywhere text-ink-soft">{email}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
