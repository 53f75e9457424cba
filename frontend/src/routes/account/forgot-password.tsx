import { ForgotForm } from '../../features/auth/forgot-form.tsx';
import { texts } from '../../features/auth/links.texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { Page } from '../../ui/page.tsx';

/** Requests a link to reset a forgotten password. */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('forgot'));
  return (
    <Page title={t('forgotQuestion')} width="form">
      <p className="text-ink-soft">{t('forgotWhy')}</p>
      <ForgotForm />
    </Page>
  );
}
