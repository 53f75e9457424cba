import { ForgotForm } from '../../features/auth/forgot-form.tsx';
import { texts } from '../../features/auth/links.texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';

/** Where somebody without their password asks for a link. */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('forgot'));
  return (
    <div className="page grid max-w-xl gap-5 py-8 lg:py-12">
      <h1 className="text-heading">{t('forgotQuestion')}</h1>
      <p className="text-ink-soft">{t('forgotWhy')}</p>
      <ForgotForm />
    </div>
  );
}
