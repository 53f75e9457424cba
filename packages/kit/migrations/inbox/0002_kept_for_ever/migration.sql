-- It served the sweep. Nothing is forgotten any more: topics keep their messages for ever, and a group may get all of them again.
drop index inbox_handled_at;
