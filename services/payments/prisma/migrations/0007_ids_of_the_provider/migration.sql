-- Admins look for a payment by a refund or a dispute of it, as the provider names it (ops/search.ts). Few events have such an id.
create index events_of_provider on events ((coalesce(data->>'disputeId', data->>'refundId')))
  where type in ('RefundFailed', 'PaymentRefunded', 'PaymentPartlyRefunded', 'RefundReversed', 'DisputeOpened', 'DisputeLost', 'DisputeWon');
