create index "annual_fee_log_by_transaction_no" on "annual_fee_log" (tenant_id, transaction_no);
alter table "customer_ticket" add column "is_revoked" boolean;
create index "recharge_log_by_transaction_no" on "recharge_log" (tenant_id, transaction_no);
alter table "vip_info" add column "needed_amount" bigint;
