-- The provider's refund that gave back the rest of the order, and this with it; '' where that is not known.
alter table refund_progress add column went_with text;
