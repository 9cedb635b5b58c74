-- apart: each statement in no transaction
drop index concurrently if exists "pay_attempt_by_transaction_no";
create index concurrently "pay_attempt_by_transaction_no" on "pay_attempt" (tenant_id, transaction_no);
drop index concurrently if exists "pay_attempt_by_shop_id_paid_time";
create index concurrently "pay_attempt_by_shop_id_paid_time" on "pay_attempt" (tenant_id, shop_id, paid_time);
