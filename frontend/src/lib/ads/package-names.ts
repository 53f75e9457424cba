import { AD_FEATURES, type AdPackage } from '@beltway/contracts/payments/ads';
import { names, useNames } from '../i18n/names.ts';

const packages = names(() => import('./packages.names.es.ts'));

/** Names and features of ad packages in the page's language. */
export function usePackages() {
  const name = useNames(packages);
  return {
    nameOf: ({ id, name: given }: AdPackage) => name(id, given),
    timeOf: ({ id, duration }: AdPackage) => name(`${id}-time`, duration),
    badgeOf: ({ id, badge }: AdPackage) => badge && name(`${id}-badge`, badge),
    featuresOf: ({ features }: AdPackage) => features.map((feature) => name(feature, AD_FEATURES[feature])),
  };
}
