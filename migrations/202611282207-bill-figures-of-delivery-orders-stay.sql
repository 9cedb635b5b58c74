alter table "ele_order" add column "billed_time" timestamptz(3);
alter table "meituan_order" add column "billed_time" timestamptz(3);
-- Orders that say what a bill said since somebody took its figures keep them.
-- locks: a few rows for each tenant
update "ele_order" o set billed_time = d.done_time from tally_difference d join tally_line l on l.tenant_id = d.tenant_id
  and l.day_id = d.day_id and l.source = 'order' and l.order_no = d.transaction_no
  where d.side = 'ele' and d.kind in ('commissionDiffers', 'settlementDiffers') and d.done_user is not null
  and d.state in ('asked', 'settled') and o.tenant_id = d.tenant_id and o.platform_order_id = d.transaction_no
  and o.commission = l.fee and o.shop_fee = l.received;
-- locks: a few rows for each tenant
update "meituan_order" o set billed_time = d.done_time from tally_difference d join tally_line l
  on l.tenant_id = d.tenant_id and l.day_id = d.day_id and l.source = 'order' and l.order_no = d.transaction_no
  where d.side = 'meituan' and d.kind in ('commissionDiffers', 'settlementDiffers') and d.done_user is not null
  and d.state in ('asked', 'settled') and o.tenant_id = d.tenant_id and o.platform_order_id = d.transaction_no
  and o.service_fee = l.fee and o.shop_fee = l.received;
