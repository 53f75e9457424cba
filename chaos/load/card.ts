/** The request of the provider's card form. */
export const cardForm = (of: { publishableKey: string; clientSecret: string; card: string }): URLSearchParams =>
  new URLSearchParams({
    key: of.publishableKey,
    client_secret: of.clientSecret,
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': of.card,
    'payment_method_data[card][exp_month]': '12',
    'payment_method_data[card][exp_year]': String(new Date().getFullYear() + 3),
    'payment_method_data[card][cvc]': '123',
  });
