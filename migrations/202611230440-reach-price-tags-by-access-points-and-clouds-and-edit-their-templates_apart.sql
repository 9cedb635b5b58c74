-- apart: each statement in no transaction
drop index concurrently if exists "price_tag_by_account_id_status";
create index concurrently "price_tag_by_account_id_status" on "price_tag" (tenant_id, account_id, status) where is_deleted = 0;
drop index concurrently if exists "price_tag_by_layout_id";
create index concurrently "price_tag_by_layout_id" on "price_tag" (tenant_id, layout_id) where is_deleted = 0;
