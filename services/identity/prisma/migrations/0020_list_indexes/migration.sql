-- What somebody said of others, and what was said of them, what was said last first.
create index connection_wishes_latest on connection_wishes (user_id, said_at desc, other_id desc) where wants;
create index connection_wishes_of_other_latest on connection_wishes (other_id, said_at desc, user_id desc) where wants;
-- What challenges look at: of one person and week, and of all who did something in a week.
create index counted_facts_of_week on counted_facts (week, user_id) where kind in ('attended', 'photo');
-- One kind of many.
create index moderation_cases_of_kind on moderation_cases (state, kind, changed_at desc, case_id desc);
