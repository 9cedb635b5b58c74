-- apart: each statement in no transaction
drop index concurrently if exists "ai_finding_list_fresh";
create index concurrently "ai_finding_list_fresh" on "ai_finding" (tenant_id, last_time desc, id desc);
drop index concurrently if exists "ai_finding_list";
alter index "ai_finding_list_fresh" rename to "ai_finding_list";
drop index concurrently if exists "ai_finding_all_fresh";
create index concurrently "ai_finding_all_fresh" on "ai_finding" (last_time desc, id desc);
drop index concurrently if exists "ai_finding_all";
alter index "ai_finding_all_fresh" rename to "ai_finding_all";
drop index concurrently if exists "ai_finding_by_shop_id_fresh";
create index concurrently "ai_finding_by_shop_id_fresh" on "ai_finding" (tenant_id, shop_id, last_time desc, id desc);
drop index concurrently if exists "ai_finding_by_shop_id";
alter index "ai_finding_by_shop_id_fresh" rename to "ai_finding_by_shop_id";
drop index concurrently if exists "ai_finding_uq_open_key";
create unique index concurrently "ai_finding_uq_open_key" on "ai_finding" (tenant_id, open_key);
drop index concurrently if exists "ai_finding_old";
create index concurrently "ai_finding_old" on "ai_finding" (create_time);
