-- American spelling in names and in what is stored: organizer, canceled, fulfillment (docs/glossary.md). People's texts stay as they
-- wrote them: only names, and values and keys of one word, are rewritten.
-- Breaking: code from before reads the British names.
create function pg_temp.american(t text) returns text language sql immutable as $$
  select replace(replace(replace(replace(replace(replace(t, 'organis', 'organiz'), 'Organis', 'Organiz'),
    'cancelled', 'canceled'), 'Cancelled', 'Canceled'), 'cancelling', 'canceling'), 'ulfilment', 'ulfillment')
$$;

do $$
declare
  british constant text := '[Oo]rganis|[Cc]ancelled|cancelling|ulfilment';
  one_word constant text := '^[A-Za-z0-9:._/-]*(' || british || ')[A-Za-z0-9:._/-]*$';
  one_word_of_json constant text := '"([A-Za-z0-9:._/-]*)(' || british || ')([A-Za-z0-9:._/-]*)"';
  r record;
  again text[] := '{}';
  statement text;
  spelling text;
begin
  -- Rules and partial indexes with a British value are made again below, over the rewritten rows.
  for r in
    select c.conrelid::regclass as of_table, c.conname, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c
    where c.connamespace = 'public'::regnamespace and c.contype = 'c' and pg_get_constraintdef(c.oid) ~ british
  loop
    again := again || format('alter table %s add constraint %I %s', pg_temp.american(r.of_table::text),
      pg_temp.american(r.conname), pg_temp.american(r.definition));
    execute format('alter table %s drop constraint %I', r.of_table, r.conname);
  end loop;
  for r in
    select i.indexrelid::regclass as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = 'public'::regnamespace and pg_get_expr(i.indpred, i.indrelid) ~ british
  loop
    again := again || pg_temp.american(r.definition);
    execute format('drop index %s', r.name);
  end loop;

  for r in
    select a.attrelid::regclass as of_table, a.attname
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
      and a.attname ~ british
  loop
    execute format('alter table %s rename column %I to %I', r.of_table, r.attname, pg_temp.american(r.attname));
  end loop;
  for r in
    select c.conrelid::regclass as of_table, c.conname
    from pg_constraint c where c.connamespace = 'public'::regnamespace and c.conname ~ british
  loop
    execute format('alter table %s rename constraint %I to %I', r.of_table, r.conname, pg_temp.american(r.conname));
  end loop;
  for r in
    select c.oid::regclass as name, c.relname, c.relkind
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'i') and c.relname ~ british
  loop
    execute format('alter %s %s rename to %I', case r.relkind when 'r' then 'table' else 'index' end, r.name,
      pg_temp.american(r.relname));
  end loop;

  for r in
    select a.attrelid::regclass as of_table, a.attname, a.atttypid::regtype::text as type
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
      and a.attgenerated = '' and a.atttypid in ('text'::regtype, 'json'::regtype, 'jsonb'::regtype)
      and c.relname <> 'schema_migrations'
  loop
    if r.type = 'text' then
      execute format('update %s set %I = pg_temp.american(%I) where %I ~ %L', r.of_table, r.attname, r.attname,
        r.attname, one_word);
    end if;
    -- Text that begins with a brace is JSON: the messages of the bus are stored that way.
    foreach spelling in array array['organis', 'Organis', 'cancelled', 'Cancelled', 'cancelling', 'ulfilment'] loop
      execute format('update %s set %I = regexp_replace(%I::text, %L, %L, %L)::%s where %I::text ~ %L and %I::text ~ %L',
        r.of_table, r.attname, r.attname, replace(one_word_of_json, british, spelling),
        '"\1' || pg_temp.american(spelling) || '\3"', 'g', r.type, r.attname,
        replace(one_word_of_json, british, spelling), r.attname, '^[{[]');
    end loop;
  end loop;

  foreach statement in array again loop
    execute statement;
  end loop;
end
$$;
