-- Numbers are compared sign by sign, whatever language the database sorts in: a beginning and an end are ranges of an index.
alter table "refunds" alter column "refund_no" type text collate "C",
  add column "refund_no_tail" text collate "C" generated always as (reverse("refund_no")) stored;
create index "refunds_by_refund_no_tail" on "refunds" (refund_no_tail, tenant_id);
alter table "shopping_order" alter column "order_no" type text collate "C",
  add column "order_no_tail" text collate "C" generated always as (reverse("order_no")) stored;
create index "shopping_order_by_order_no_tail" on "shopping_order" (order_no_tail, tenant_id);
