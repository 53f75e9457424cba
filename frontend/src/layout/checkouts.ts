/** Pages without links that lead away. They have only the brand and Back, and no bottom bar. */
const CHECKOUTS = ['/ticket-checkout', '/checkout', '/livestream-checkout', '/ad-checkout'];

export const isCheckout = (pathname: string): boolean => CHECKOUTS.includes(pathname);
