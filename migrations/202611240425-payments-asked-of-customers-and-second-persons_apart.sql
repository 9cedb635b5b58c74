-- apart: each statement in no transaction
drop index concurrently if exists "refunds_of_is_abnormal";
create index concurrently "refunds_of_is_abnormal" on "refunds" (tenant_id, is_abnormal, create_time, id);
