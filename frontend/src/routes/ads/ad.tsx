import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import { AdStatus } from '../../features/ads/ad-status.tsx';
import { adQuery } from '../../features/ads/api.ts';
import { ContentForm } from '../../features/ads/content-form.tsx';
import { texts } from '../../features/ads/texts.en.ts';
import { useAdLink } from '../../features/ads/use-ad-link.ts';
import { AdCard, siteOf } from '../../lib/ads/ad-card.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { explain, HttpError } from '../../lib/http/http.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx';

/** A bought ad, opened by its mailed link (services/catalog/PRODUCT.md#ads). */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('yourAd'));
  const { uuid: id = '' } = useParams();
  useAdLink(id);
  const found = useQuery(adQuery(id));
  if (found.error instanceof HttpError && (found.error.status === 404 || found.error.status === 400))
    return (
      <div className="page py-12">
        <EmptyState heading="h1" title={t('noAd')} action={<ButtonLink to="/">{t('backToFeed')}</ButtonLink>}>
          {t('noAdWhy')}
        </EmptyState>
      </div>
    );
  const ad = found.data;
  return (
    <div className="page grid gap-8 py-6 lg:py-10">
      <h1 className="text-heading">{t('yourAd')}</h1>
      {found.isPending ? (
        <Loading label={t('loading')} className="grid gap-4">
          <Skeleton className="h-44 rounded-lg" />
          <Skeleton className="h-80 rounded-lg" />
        </Loading>
      ) : !ad ? (
        <ErrorState
          title={t('notLoaded')}
          message={explain(found.error)}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : (
        <>
          <AdStatus ad={ad} />
          {ad.shown && (
            <section aria-labelledby="on-the-page" className="grid max-w-md gap-3">
              <h2 id="on-the-page" className="text-title">
                {t('onThePage')}
              </h2>
              <div className="grid min-h-60 rounded-lg border border-line bg-sunken">
                <AdCard ad={{ ...ad.shown, site: siteOf(ad.shown.linkUrl) }} shape="tall" />
              </div>
            </section>
          )}
          {ad.state !== 'ended' && (
            <section aria-labelledby="content" className="grid gap-4">
              <div className="grid gap-1">
                <h2 id="content" className="text-title">
                  {ad.sent ? t('change') : t('send')}
                </h2>
                <p className="max-w-prose text-note text-ink-soft">
                  {t('weLook')}
                  {ad.shown && t('untilThen')}
                </p>
              </div>
              <ContentForm ad={ad} />
            </section>
          )}
        </>
      )}
    </div>
  );
}
