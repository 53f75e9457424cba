-- Answers to comments that the bus has yet to hear of: numbers only. A row is deleted when it was told.
create table answers_to_tell (
  comment_id  integer        primary key,
  event_id    integer        not null,
  answer_to   integer        not null,
  -- Who wrote the comment that was answered.
  author_id   integer        not null,
  answered_at timestamptz(3) not null
);
