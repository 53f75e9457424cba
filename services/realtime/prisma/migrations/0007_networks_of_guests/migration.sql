-- A guest writes from several networks: a mute holds for each of them.
alter table chat_guests drop constraint chat_guests_pkey, add primary key (guest_id, network);
