-- What identity said of its accounts: the name that they show. No address.
create table accounts (
  user_id integer primary key,
  name    text    not null
);
