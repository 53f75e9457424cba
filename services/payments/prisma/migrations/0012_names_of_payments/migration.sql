-- Columns are called as the domain calls them.
alter table payments rename column user_id to buyer_id;
alter table payments rename column stripe_payment_intent_id to payment_id;
alter table payments rename column amount to amount_cents;
