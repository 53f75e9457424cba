/** The checkout of a package, or of one that is chosen there. */
export const adCheckoutPath = (packageId?: string): string =>
  packageId === undefined ? '/ad-checkout' : `/ad-checkout?package=${encodeURIComponent(packageId)}`;

/** Where the provider returns to, and what became of the payment is shown. */
export const adSuccessPath = (packageId: string, clientSecret?: string): string =>
  `/ad-checkout-success?package=${encodeURIComponent(packageId)}` +
  (clientSecret === undefined ? '' : `&payment_intent_client_secret=${encodeURIComponent(clientSecret)}`);
