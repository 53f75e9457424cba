import { Suspense } from 'react';
import { useLocation } from 'react-router-dom';
import { lazily, nothing } from '../lib/loading/lazily.ts';
import { isCheckout } from './checkouts.ts';

// Loaded lazily, because it is below the first screen of every page (`MAIN`).
const FooterLinks = lazily(async () => (await import('./footer-links.tsx')).FooterLinks, nothing);

/** The footer of every page except the checkouts (frontend/PRODUCT.md#home). */
export function Footer() {
  const { pathname } = useLocation();
  if (isCheckout(pathname)) return null;
  return (
    <Suspense fallback={<div className="mt-8 h-32 md:mt-14" />}>
      <FooterLinks key={pathname} />
    </Suspense>
  );
}
