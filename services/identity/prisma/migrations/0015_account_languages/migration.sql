-- No read model: the language that the page of an account was last in. Mails about the account are written in it.
create table account_languages (
  user_id  integer primary key,
  language text    not null check (language in ('en', 'es'))
);
