-- apart: each statement in no transaction
do $$ declare n integer; begin loop
  update "customer_visit_log" set
    "enter_time" = coalesce("enter_time", create_time)
    where ctid = any(array(select ctid from "customer_visit_log" where "enter_time" is null limit 5000));
  get diagnostics n = row_count;
  commit;
  exit when n = 0;
  end loop; end $$;
alter table "customer_visit_log" drop constraint if exists "customer_visit_log_filled", add constraint "customer_visit_log_filled" check ("enter_time" is not null) not valid;
alter table "customer_visit_log" validate constraint "customer_visit_log_filled";
alter table "customer_visit_log" alter column "enter_time" set not null;
alter table "customer_visit_log" drop constraint "customer_visit_log_filled";
drop index concurrently if exists "good_info_grams_of_brand";
create index concurrently "good_info_grams_of_brand" on "good_info" using gin (text_grams(tenant_id, "brand")) with (fastupdate = off) where is_deleted = 0;
drop index concurrently if exists "good_info_grams_of_shelf_no";
create index concurrently "good_info_grams_of_shelf_no" on "good_info" using gin (text_grams(tenant_id, "shelf_no")) with (fastupdate = off) where is_deleted = 0;
do $$ declare n integer; begin loop
  update "merchant_bill_detail" set
    "time" = coalesce("time", create_time)
    where ctid = any(array(select ctid from "merchant_bill_detail" where "time" is null limit 5000));
  get diagnostics n = row_count;
  commit;
  exit when n = 0;
  end loop; end $$;
alter table "merchant_bill_detail" drop constraint if exists "merchant_bill_detail_filled", add constraint "merchant_bill_detail_filled" check ("time" is not null) not valid;
alter table "merchant_bill_detail" validate constraint "merchant_bill_detail_filled";
alter table "merchant_bill_detail" alter column "time" set not null;
alter table "merchant_bill_detail" drop constraint "merchant_bill_detail_filled";
drop index concurrently if exists "notice_log_grams_of_content";
create index concurrently "notice_log_grams_of_content" on "notice_log" using gin (text_grams(tenant_id, "content")) with (fastupdate = off);
do $$ declare n integer; begin loop
  update "shop_event" set
    "occur_time" = coalesce("occur_time", create_time)
    where ctid = any(array(select ctid from "shop_event" where "occur_time" is null limit 5000));
  get diagnostics n = row_count;
  commit;
  exit when n = 0;
  end loop; end $$;
alter table "shop_event" drop constraint if exists "shop_event_filled", add constraint "shop_event_filled" check ("occur_time" is not null) not valid;
alter table "shop_event" validate constraint "shop_event_filled";
alter table "shop_event" alter column "occur_time" set not null;
alter table "shop_event" drop constraint "shop_event_filled";
drop index concurrently if exists "shop_event_grams_of_content";
create index concurrently "shop_event_grams_of_content" on "shop_event" using gin (text_grams(tenant_id, "content")) with (fastupdate = off);
-- locks: the whole holds no row itself
create index if not exists "shopping_order_with_flags" on only "shopping_order" (tenant_id, create_time desc, id desc) where flags <> '{}';
-- each part of "shopping_order" without "shopping_order_with_flags"
drop index concurrently if exists "shopping_order_with_flags_{part}";
-- each part of "shopping_order" without "shopping_order_with_flags"
create index concurrently "shopping_order_with_flags_{part}" on "shopping_order_{part}" (tenant_id, create_time desc, id desc) where flags <> '{}';
-- each part of "shopping_order" without "shopping_order_with_flags"
alter index "shopping_order_with_flags" attach partition "shopping_order_with_flags_{part}";
drop index concurrently if exists "storage_batch_grams_of_batch_no";
create index concurrently "storage_batch_grams_of_batch_no" on "storage_batch" using gin (text_grams(tenant_id, "batch_no")) with (fastupdate = off);
