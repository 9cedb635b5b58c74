-- apart: each statement in no transaction
drop index concurrently if exists "tally_line_by_create_time";
create index concurrently "tally_line_by_create_time" on "tally_line" (create_time);
