/** The path of a package's checkout. Without an id, the buyer chooses the package there. */
export const adCheckoutPath = (packageId?: string): string =>
  packageId === undefined ? '/ad-checkout' : `/ad-checkout?package=${encodeURIComponent(packageId)}`;

/** The path to which the card provider returns the buyer. Its page shows the outcome of the payment. */
export const adSuccessPath = (packageId: string, clientSecret?: string): string =>
  `/ad-checkout-success?package=${encodeURIComponent(packageId)}` +
  (clientSecret === undefined ? '' : `&payment_intent_client_secret=${encodeURIComponent(clientSecret)}`);
