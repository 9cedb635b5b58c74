-- apart: each statement in no transaction
drop index concurrently if exists "price_tag_by_status_next_time";
create index concurrently "price_tag_by_status_next_time" on "price_tag" (tenant_id, status, next_time) where is_deleted = 0;
drop index concurrently if exists "price_tag_by_command_id";
create index concurrently "price_tag_by_command_id" on "price_tag" (tenant_id, command_id) where is_deleted = 0;
